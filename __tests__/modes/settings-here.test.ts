/** `/settings` on real files: what it lists, what it writes, and what it leaves alone. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import type { Options } from '../../lib/cli-options.js';
import { type SettingKey, settingRows } from '../../lib/config/settings.js';
import { configOf } from '../../lib/modes/assembly-config.js';
import { isLive, liveChange } from '../../lib/modes/live-settings.js';
import type { Started } from '../../lib/modes/own-settings.js';
import { answerProject, listProject } from '../../lib/modes/project.js';
import { settingsHere } from '../../lib/modes/settings-here.js';
import { limitNames, limitRows } from '../../lib/protocol/limits.js';
import type { Effect } from '../../lib/view/effects.js';
import { reduce } from '../../lib/view/reducer.js';
import type { SettingsAsk } from '../../lib/view/settings-view.js';
import { initialState, type State } from '../../lib/view/state.js';
import { theme } from '../view/support/picture.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'buddy-settings-'));
  mkdirSync(join(root, 'home/.config/buddy'), { recursive: true });
  mkdirSync(join(root, 'srv'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const own = () => join(root, 'home/.config/buddy/buddy.toml');
const text = () => readFileSync(own(), 'utf8');
const signal = new AbortController().signal;
const mine = '# mine\n[agent]\nname = "x" # who\n\n[tools]\nshell_confirm = true # ask\n';

/** A program that was started with these, and the screen of it. */
class Run {
  state: State = initialState({ size: { cols: 80, rows: 24 }, theme, version: '0', nowMs: 0 });
  readonly effects: Effect[] = [];
  readonly #started: Started;

  private constructor(started: Started) {
    this.#started = started;
  }

  static async start(env: Host['env'] = {}, options: Partial<Options> = {}): Promise<Run> {
    const host = {
      ...{ env, cwd: join(root, 'srv'), homeDir: join(root, 'home'), pid: process.pid, hostname: 'here', uid: process.getuid?.() ?? null },
      clock: systemClock,
    } as unknown as Host;
    const all = { color: true, ...options } as Options;
    return new Run({ host, options: all, config: await configOf(host, all) });
  }

  /** What is said of it. */
  async ask(ask: SettingsAsk): Promise<string> {
    const { actions, effects } = await settingsHere(this.#started, this.state, ask, signal);
    this.state = actions.reduce(reduce, this.state);
    this.effects.push(...effects);
    return actions.flatMap((action) => (action.type === 'notice' || action.type === 'settings.said' ? [action.text] : [])).join('\n');
  }

  set = (key: string, typed: string) => this.ask({ kind: 'set', key, text: typed, by: 'line' });
  reset = (key: string) => this.ask({ kind: 'reset', key, by: 'line' });

  async trust(): Promise<void> {
    const { host, config } = this.#started;
    await answerProject(host, await listProject(host, host.cwd, config, signal), 'trust', config, signal);
  }

  entry(key: SettingKey) {
    return this.state.settings.listing?.entries.find((entry) => entry.key === key);
  }
}

test('every row of the table is listed with its value and where that is from', async () => {
  writeFileSync(own(), mine);
  const run = await Run.start({ BUDDY_API_TIMEOUT_SECS: '77' }, { color: false, tmux: 'web' });
  expect(await run.ask({ kind: 'look' })).toBe('');
  expect(run.state.settings.listing?.entries.map(({ key }) => key)).toEqual(Object.keys(settingRows));
  const origin = (key: SettingKey) => [run.entry(key)?.value, run.entry(key)?.origin];
  expect(origin('agent.name')).toEqual(['"x"', `${own()}:3`]);
  expect(origin('tools.shell_confirm')).toEqual(['true', `${own()}:6`]);
  expect(origin('editor.mode')).toEqual(['"emacs"', 'default']);
  expect(origin('network.api_timeout_secs')).toEqual(['77', 'BUDDY_API_TIMEOUT_SECS']);
  expect(origin('display.color')).toEqual(['false', 'command line']);
  expect(origin('tmux.session')).toEqual(['"web"', '--tmux']);
});

test('a change is written into the line, the rest of the file and its mode stay, and it says from when it counts', async () => {
  writeFileSync(own(), mine);
  chmodSync(own(), 0o640);
  const run = await Run.start();
  expect(await run.set('tools.shell_confirm', 'false')).toBe(`tools.shell_confirm = false in ${own()}:6, from the next start on.`);
  expect(text()).toBe(mine.replace('= true #', '= false #'));
  expect(statSync(own()).mode & 0o777).toBe(0o640);
  expect(run.entry('tools.shell_confirm')).toMatchObject({ value: 'false', running: 'true' });
  expect(await run.set('display.show_tokens', 'on')).toBe(`display.show_tokens = true in ${own()}:9, at once.`);
  expect(run.state.showTokens).toBe(true);
  expect(run.entry('display.show_tokens')).toMatchObject({ value: 'true', running: 'true' });
  expect(await run.reset('display.show_tokens')).toBe(`display.show_tokens has no line in ${own()}; the default false holds, at once.`);
  expect(run.state.showTokens).toBe(false);
  expect(await run.reset('tools.shell_confirm')).toContain('the default true holds');
  expect(text()).toBe('# mine\n[agent]\nname = "x" # who\n\n[tools]\n# ask\n\n[display]\n');
  expect(existsSync(`${own()}.lock`)).toBe(false);
});

test('without a file one is made, for its owner only; one that is named is the one that is written', async () => {
  const run = await Run.start();
  expect(await run.set('agent.max_iterations', '30')).toBe(`agent.max_iterations = 30 in ${own()}:2, at once.`);
  expect(text()).toBe('[agent]\nmax_iterations = 30\n');
  expect(statSync(own()).mode & 0o777).toBe(0o600);
  expect(run.effects).toEqual([{ type: 'send', command: { type: 'limits.configure', limit: 'requests', value: 30 } }]);
  writeFileSync(join(root, 'srv/other.toml'), '');
  const other = await Run.start({}, { config: 'other.toml' });
  await other.set('editor.mode', 'vi');
  expect(readFileSync(join(root, 'srv/other.toml'), 'utf8')).toBe('[editor]\nmode = "vi"\n');
  expect(text()).toBe('[agent]\nmax_iterations = 30\n');
});

test('what stands above the file is said, and what the file says is not lost', async () => {
  const run = await Run.start({ BUDDY_API_TIMEOUT_SECS: '77' });
  expect(await run.set('network.api_timeout_secs', '9')).toBe(
    `network.api_timeout_secs = 9 in ${own()}:2, but it is not in force: BUDDY_API_TIMEOUT_SECS stands above it and says 77.`,
  );
  expect(run.entry('network.api_timeout_secs')).toMatchObject({ value: '77', hidden: '9', typed: '9' });
  expect(await run.ask({ kind: 'tell', key: 'network.api_timeout_secs' })).toContain('Your own file says 9, which is not in force');
});

test('the file of a trusted project is named with its line, and never written', async () => {
  const theirs = '# theirs\n[agent]\nmax_iterations = 5\n';
  writeFileSync(join(root, 'srv/buddy.toml'), theirs);
  await (await Run.start()).trust();
  const run = await Run.start();
  expect(await run.set('agent.max_iterations', '40')).toBe(
    `agent.max_iterations = 40 in ${own()}:2, but it is not in force: ${join(root, 'srv/buddy.toml')}:3 stands above it and says 5.`,
  );
  expect(readFileSync(join(root, 'srv/buddy.toml'), 'utf8')).toBe(theirs);
  // What counts at once is what is in force.
  expect(run.effects).toEqual([{ type: 'send', command: { type: 'limits.configure', limit: 'requests', value: 5 } }]);
});

test('a file that was changed since it was looked at is not written, and shown as it is now', async () => {
  writeFileSync(own(), mine);
  const run = await Run.start();
  await run.ask({ kind: 'look' });
  writeFileSync(own(), mine.replace('"x"', '"y"'));
  const change: SettingsAsk = { kind: 'set', key: 'tools.shell_confirm', text: 'false', by: 'list' };
  expect(await run.ask(change)).toBe(`${own()} has been changed meanwhile, so nothing was written; what you see now is what it says.`);
  expect(text()).toBe(mine.replace('"x"', '"y"'));
  expect(run.entry('agent.name')?.value).toBe('"y"');
  expect(await run.ask(change)).toContain('tools.shell_confirm = false in');
});

test('a link is followed and stays one; one that leads nowhere is left alone', async () => {
  writeFileSync(join(root, 'dotfile'), mine);
  symlinkSync(join(root, 'dotfile'), own());
  await (await Run.start()).set('agent.name', 'z');
  expect(lstatSync(own()).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(root, 'dotfile'), 'utf8')).toBe(mine.replace('"x"', '"z"'));
  rmSync(join(root, 'dotfile'));
  expect(await (await Run.start()).set('agent.name', 'z')).toBe(`${own()} is a link to a file that is not there; nothing was written.`);
  expect(existsSync(join(root, 'dotfile'))).toBe(false);
});

test('what the program would not start with is not written', async () => {
  writeFileSync(own(), mine);
  const run = await Run.start();
  expect(await run.set('agent.model', 'nope')).toContain('there is no model profile "nope"');
  expect(await run.set('context.compact_profile', 'nope')).toContain('there is no model profile "nope"');
  // Also where a variable hides it now.
  const hidden = await Run.start({ BUDDY_MODEL: 'demo' });
  expect(await hidden.set('agent.model', 'nope')).toContain('there is no model profile "nope"');
  expect(await run.set('agent.max_iterations', '0')).toBe('agent.max_iterations must be a whole number from 1 to 1000.');
  expect(await run.set('max_itertions', '9')).toBe('There is no setting "max_itertions"; did you mean "agent.max_iterations"?');
  expect(text()).toBe(mine);
});

test('a theme that there is not is refused where themes are known', async () => {
  const run = await Run.start();
  run.state = reduce(run.state, { type: 'theme.names', names: ['dark', 'mine'] });
  expect(await run.set('display.theme', 'drak')).toBe('There is no theme "drak"; there are dark, mine.');
  expect(existsSync(own())).toBe(false);
  expect(await run.set('display.theme', 'mine')).toBe(`display.theme = "mine" in ${own()}:2, at once.`);
  expect(run.effects).toEqual([{ type: 'theme', name: 'mine', keep: true, configured: true }]);
});

test('a file that became invalid is told of with its line, and left alone', async () => {
  writeFileSync(own(), mine);
  const run = await Run.start();
  const twice = `${mine}[agent]\nname = "again"\n`;
  writeFileSync(own(), twice);
  expect(await run.set('agent.name', 'z')).toMatch(/buddy\.toml:7:\d+: not valid TOML/);
  expect(await run.ask({ kind: 'look' })).toMatch(/buddy\.toml:7:\d+: not valid TOML/);
  expect(text()).toBe(twice);
  writeFileSync(own(), '[tools]\nshell_denylist = [ # mine\n  "x",\n]\n');
  expect(await run.set('tools.shell_denylist', 'y')).toContain(
    ':2: tools.shell_denylist cannot be changed here: a comment within the value would be lost',
  );
});

test('changes of several programs at the same time are all kept', async () => {
  const runs = await Promise.all(Array.from({ length: 6 }, () => Run.start()));
  const keys = ['agent.name', 'editor.history_size', 'mouse.wheel_rows', 'limits.jobs', 'tmux.max_panes', 'tools.search_enabled'];
  const values = ['n', '9', '9', '9', '9', 'false'];
  await Promise.all(runs.map((run, at) => run.set(keys[at] ?? '', values[at] ?? '')));
  const last = await Run.start();
  await last.ask({ kind: 'look' });
  expect(keys.map((key) => last.entry(key as SettingKey)?.isWritten)).toEqual(keys.map(() => true));
});

test('what counts at once is all that is done at once, and every limit is', async () => {
  const { config } = await Run.start().then(async (run) => ({
    run,
    config: await configOf({ env: {}, cwd: root, homeDir: root } as unknown as Host, { color: true } as Options),
  }));
  const keys = Object.keys(settingRows) as readonly SettingKey[];
  for (const key of keys) expect([key, liveChange(key, config.settings) !== null]).toEqual([key, isLive(key)]);
  for (const name of limitNames) expect(isLive(limitRows[name].setting)).toBe(true);
});
