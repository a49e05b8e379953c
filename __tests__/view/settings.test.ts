/** The list of settings: searched, explained, changed and put back. */

import { slashCommands, slashStep } from '../../lib/commands/index.js';
import { settle } from '../../lib/view/app.js';
import { completions } from '../../lib/view/completion.js';
import { type Action, reduce } from '../../lib/view/reducer.js';
import type { SettingEntry } from '../../lib/view/settings-view.js';
import type { State } from '../../lib/view/state.js';
import { check } from './support/everywhere.js';
import { demoModel, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';
import { listing } from './support/settings.js';

const after = (state: State, ...actions: readonly Action[]) => actions.reduce(reduce, state);
const begun = (cols = 120, rows = 32) => stateAfter(cols, rows, [startedEvent()], { commands: slashCommands });
const open = (cols?: number, rows?: number) => after(slashStep('/settings', begun(cols, rows)).state, { type: 'settings', listing });
const keys = (state: State, ...names: readonly string[]) => press(state, START_MS, ...names).state;
const effects = (state: State, ...names: readonly string[]) => press(state, START_MS, ...names).effects;

test('it is asked for when it is opened, and says so until it is there', () => {
  const { state, effects: asked } = slashStep('/settings', begun());
  expect(asked).toEqual([{ type: 'settings', ask: { kind: 'look' } }]);
  expect(seen(state)).toContain('looking …');
  const shown = seen(after(state, { type: 'settings', listing }));
  expect(shown).toContain('true · buddy.toml:12');
  expect(shown).toContain('agent.name = "agent-mo"');
  expect(shown).toContain('Enter change · Ctrl+D default · Esc close');
});

test('it is searched by letters of a key, and by words of what a setting is for', () => {
  expect(seen(keys(open(), ...'maxit'))).toContain('How many requests to the model one prompt may take.');
  const bySense = seen(keys(open(), ...'silence'));
  expect(bySense).toContain('1 of 1');
  expect(bySense).toContain('network.api_timeout_secs = 77');
  expect(seen(keys(open(), ...'zzz'))).toContain('nothing fits');
});

test('what stands above the file, what counts when, and what a project may', () => {
  const timeout = seen(keys(open(), ...'api_time'));
  for (const words of ['from     BUDDY_API_TIMEOUT_SECS', 'yours    9, not in force', 'counts   from the next start on'])
    expect(timeout).toContain(words);
  const most = seen(keys(open(), ...'maxit'));
  for (const words of ['counts   at once', 'project  may make it smaller, once it is trusted;']) expect(most).toContain(words);
});

test('a flag changes with Enter; the answer stands in the list until another one is looked at', () => {
  const flag = keys(open(), ...'confirm');
  expect(effects(flag, 'enter')).toEqual([
    { type: 'settings', ask: { kind: 'set', key: 'tools.shell_confirm', text: 'false', by: 'list' } },
  ]);
  const hidden = after(flag, {
    type: 'settings',
    listing: {
      ...listing,
      entries: listing.entries.map((of) => (of.isFlag ? { ...of, value: 'false', hidden: 'true', origin: '--x' } : of)),
    },
  });
  expect(effects(hidden, 'enter')).toMatchObject([{ ask: { text: 'false' } }]);
  const told = after(keys(flag, 'enter'), { type: 'settings.said', level: 'info', text: 'tools.shell_confirm = false in buddy.toml:12.' });
  expect(seen(told)).toContain('tools.shell_confirm = false in buddy.toml:12.');
  expect(told.picker?.query).toBe('confirm');
  expect(seen(keys(told, 'backspace'))).not.toContain('in buddy.toml:12.');
  expect(effects(flag, 'C-d')).toEqual([{ type: 'settings', ask: { kind: 'reset', key: 'tools.shell_confirm', by: 'list' } }]);
});

test('a value is typed in its own line; a wrong one stays there with what is expected', () => {
  const typing = keys(open(), ...'maxit', 'enter');
  expect(seen(typing)).toContain('agent.max_iterations = 20');
  expect(seen(typing)).toContain('Enter save · Esc back');
  const typed = keys(typing, 'C-u', '5', '0', '0', 'backspace');
  expect(effects(typed, 'enter')).toEqual([
    { type: 'settings', ask: { kind: 'set', key: 'agent.max_iterations', text: '50', by: 'list' } },
  ]);
  const refused = after(typed, { type: 'settings.said', level: 'warning', text: 'It must be a whole number.' });
  expect(seen(refused)).toContain('It must be a whole number.');
  expect(refused.settings.draft?.text).toBe('50');
  expect(seen(keys(refused, '1'))).not.toContain('It must be a whole number.');
  const taken = after(typed, { type: 'settings.said', level: 'info', text: 'saved' });
  expect(taken.settings.draft).toBeNull();
  expect(keys(typed, 'escape').settings.draft).toBeNull();
  expect(keys(typed, 'escape').picker?.kind).toBe('settings');
  // A paste goes in as one line.
  const pasted = keys(typing, 'C-u');
  expect(keys(pasted, 'C-w').settings.draft?.text).toBe('');
});

test('words are gone through with the arrows, and round', () => {
  const choosing = keys(open(), ...'notify', 'enter');
  const word = (state: State) => state.settings.draft?.text;
  expect([word(choosing), word(keys(choosing, 'down')), word(keys(choosing, 'up')), word(keys(choosing, 'down', 'down', 'down'))]).toEqual([
    'auto',
    'bell',
    'off',
    'auto',
  ]);
  expect(word(keys(choosing, 'C-u', 'down'))).toBe('auto');
});

test('in a small window the lowest rows say what is most wanted', () => {
  const small = seen(open(60, 16));
  expect(small).toContain('agent.name = "agent-mo"');
  expect(small).toContain('Name of this agent');
});

test('what /limits has set for the session stands above the file until the session ends', () => {
  const limit = { limit: 'requests', value: 50, configured: 20, used: 0 } as const;
  const set = following(open(), { type: 'limits.told', limits: [limit] });
  expect(seen(keys(set, ...'maxit'))).toMatch(/agent\.max_iterations = 50[\s\S]*from {5}this session[\s\S]*later {4}20/);
  const back = following(set, { type: 'limits.told', limits: [{ ...limit, value: 20 }] });
  expect(seen(keys(back, ...'maxit'))).toContain('agent.max_iterations = 20');
  expect(following(set, { type: 'session.started', session: 's2' }).settings.session).toEqual({});
});

test('another model of this session is shown as such', () => {
  const entry = listing.entries[0];
  if (entry === undefined) throw new Error('no entry');
  const model = { ...entry, key: 'agent.model', value: '"gpt"', running: '"gpt"', typed: 'gpt' };
  const shown = after(begun(), { type: 'picker.open', kind: 'settings' }, { type: 'settings', listing: { ...listing, entries: [model] } });
  expect(seen(shown)).toContain('"gpt" · default');
  const switched = following(shown, { type: 'model.switched', model: demoModel });
  expect(seen(switched)).toContain('"demo" · this session');
  expect(seen(switched)).toContain('later    "gpt"');
});

test('in a line: shown, set and put back, with keys and words to choose from', () => {
  const line = (text: string) => slashStep(text, begun()).effects;
  expect(line('/settings agent.name')).toEqual([{ type: 'settings', ask: { kind: 'tell', key: 'agent.name' } }]);
  expect(line('/set agent.name = my box')).toEqual([
    { type: 'settings', ask: { kind: 'set', key: 'agent.name', text: 'my box', by: 'line' } },
  ]);
  expect(line('/settings reset agent.name')).toEqual([{ type: 'settings', ask: { kind: 'reset', key: 'agent.name', by: 'line' } }]);
  const asking = settle(keys(begun(), ...'/settings', 'space'));
  expect(asking.effects).toContainEqual({ type: 'settings', ask: { kind: 'look' } });
  const known = after(asking.state, { type: 'settings', listing });
  expect(settle(known).effects).toEqual([]);
  const offered = (typed: string) => completions(keys(known, ...typed)).map(({ label }) => label);
  expect(offered('agent')).toEqual(['agent.name', 'agent.max_iterations']);
  expect(completions(keys(known, ...'display.notify', 'space')).map(({ label }) => label)).toEqual([
    'display.notify auto',
    'display.notify bell',
    'display.notify off',
  ]);
  expect(completions(keys(known, ...'reset', 'space')).map(({ label }) => label)).toEqual([
    'reset tools.shell_confirm',
    'reset network.api_timeout_secs',
  ]);
});

test('values of anybody fit into every window, and no terminal obeys them', () => {
  const texts = ['\x1b[2J\x07', '\u202eabc\u2066', '漢'.repeat(300), '👩‍👩‍👧 e\u0301', 'line\nline', '\ud800', ''];
  const hostile = texts.map((text, at) => ({
    ...(listing.entries[at % listing.entries.length] ?? listing.entries[0]),
    key: `k${at}.${text}`,
    value: text,
  }));
  const entries = hostile.map((of) => ({
    ...of,
    says: of.value,
    typed: of.value,
    origin: of.value,
    hidden: of.value,
    project: of.value,
  })) as SettingEntry[];
  for (const [cols, rows] of [
    [40, 10],
    [41, 11],
    [60, 13],
    [60, 16],
    [89, 24],
    [92, 12],
    [160, 50],
  ] as const) {
    let state = after(open(cols, rows), { type: 'settings', listing: { ...listing, entries } });
    for (let at = 0; at < texts.length; at++, state = keys(state, 'down')) {
      check(state);
      const writing = keys(state, 'enter', 'x');
      check(writing);
      check(after(writing, { type: 'settings.said', level: 'warning', text: texts[at] ?? '' }));
      check(after(state, { type: 'settings.said', level: 'info', text: texts[at] ?? '' }));
    }
  }
});

test('the screen follows what it was told of other settings', () => {
  const changed = after(begun(), {
    type: 'preferences',
    changed: { showTokens: true, footer: ['cwd'], editorMode: 'vi', mouse: { enabled: false, wheelRows: 7 } },
  });
  expect(changed).toMatchObject({
    showTokens: true,
    footer: ['cwd'],
    pointer: { released: true, settings: { enabled: false, wheelRows: 7 } },
  });
  expect(changed.editor.vi).not.toBeNull();
  expect(after(changed, { type: 'preferences', changed: { editorMode: 'emacs' } }).editor.vi).toBeNull();
});

test('in a small window: the keys stay to be read, and what became of a change is said in place of other entries', () => {
  const long = {
    ...listing,
    entries: listing.entries.map((of) => (of.key === 'agent.name' ? { ...of, value: '"a very long name indeed"' } : of)),
  };
  const small = after(open(40, 12), { type: 'settings', listing: long });
  expect(seen(small)).toMatch(/agent\.name….*"a very long n/);
  const said = after(small, { type: 'settings.said', level: 'warning', text: 'agent.name must be a string in quotes, and this is none.' });
  expect(seen(said)).toContain('agent.name must be a string in quotes,');
  expect(seen(said)).toContain('and this is none.');
  expect(seen(said)).toMatch(/agent\.name….*"a very long n/);
});
