/** Sessions that are kept when the program ends, and the runs that continue in them. */

import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../lib/base/log.js';
import { processExists } from '../../lib/base/process.js';
import { createTarget } from '../../lib/targets/index.js';
import type { TargetEvent } from '../../lib/targets/target.js';
import { until } from '../support/until.js';
import { expectAlive, noticesOf, type OpenTarget, privateSocket, TargetTests, targetHost } from './local-target.js';

const tests = new TargetTests();
const left: OpenTarget[] = [];
afterEach(async () => {
  await tests.closeAll();
  for (const opened of left.splice(0)) {
    const folder = folderIn(opened);
    if (folder !== undefined) rmSync(join('/tmp', folder), { recursive: true });
  }
});

/** Starts one, lets `use` work in it, and keeps it. */
async function kept(use: (opened: OpenTarget) => Promise<unknown>, shell = 'bash'): Promise<OpenTarget> {
  const opened = await tests.start({ socket: privateSocket(), home: tests.newHome(), shell });
  await use(opened);
  expect(await opened.target.close('keep')).toBe(true);
  left.push(opened);
  return opened;
}

const next = (before: OpenTarget, shell = 'bash', more: object = {}) =>
  tests.start({ socket: before.socket, home: before.home, adopt: true, shell, ...more });
const folderIn = (opened: OpenTarget) =>
  readdirSync('/tmp').find((name) => {
    const record = join('/tmp', name, 'kept');
    return /^buddy-\w{6}$/.test(name) && existsSync(record) && readFileSync(record, 'utf8').includes(opened.socket);
  });
const labels = (opened: OpenTarget) =>
  opened.tmux('list-sessions', '-F', '#{session_name} #{session_attached} #{@buddy_kept}').stdout.trim();

test.each(['bash', 'zsh', 'fish', 'dash'])('%s: the next run continues in the same shell: folder, variables, scrollback', async (shell) => {
  const set = shell === 'fish' ? 'set STAYS yes' : 'STAYS=yes';
  const first = await kept((opened) => opened.run(`cd /usr; ${set}; echo seen-before`), shell);
  expect(labels(first)).toMatch(/^buddy-test 0 \d+$/);
  const second = await next(first, shell);
  expect(noticesOf(second)).toEqual([expect.stringMatching(/^Continues in the session that was kept at \d{4}-\d\d-\d\d \d\d:\d\d\.$/)]);
  expect(labels(second)).toBe('buddy-test 1');
  expect(second.target.summary.cwd).toBe('/usr');
  expect(await second.target.tmux?.capture({ start: '-' }, new AbortController().signal)).toContain('seen-before');
  expect(await second.run('echo "[$STAYS]"; pwd')).toMatchObject({ kind: 'exited', exitCode: 0, output: { text: '[yes]\n/usr\n' } });
  await second.target.close();
  expect(second.tmux('has-session', '-t', '=buddy-test').status).not.toBe(0);
  expect(folderIn(first)).toBeUndefined();
});

test('what runs goes on, is seen as running, and its end is told with its exit code', async () => {
  const first = await kept((opened) => opened.run('echo one; until [ -e go ]; do sleep 0.05; done; echo two; (exit 7)', { kind: 'none' }));
  const second = await next(first);
  expect(noticesOf(second)[0]).toContain('"echo one; until [ -e go ]; do sleep 0.05; done; echo two; (exit 7)" is still running there.');
  expect(await second.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
  const jobs = second.events.filter((event): event is Extract<TargetEvent, { type: 'background' }> => event.type === 'background');
  writeFileSync(join(first.home, 'go'), '');
  expect(await jobs[0]?.command.ended).toMatchObject({ exitCode: 7, output: { text: 'one\ntwo\n' } });
  await expectAlive(second);
});

test('a command that is waited for is not interrupted when the session is kept', async () => {
  const opened = await tests.start({ socket: privateSocket(), home: tests.newHome() });
  const outcome = opened.run('echo up >up; until [ -e go ]; do sleep 0.05; done; echo done >done');
  await until('it runs', () => existsSync(join(opened.home, 'up')));
  expect(await opened.target.close('keep')).toBe(true);
  expect(await outcome).toMatchObject({ kind: 'lost' });
  writeFileSync(join(opened.home, 'go'), '');
  await until('it has ended', () => existsSync(join(opened.home, 'done')));
  await expectAlive(await next(opened));
});

test('a command that ended meanwhile: its exit code is told', async () => {
  const first = await kept((opened) => opened.run('echo said; until [ -e go ]; do sleep 0.05; done; (exit 3)', { kind: 'none' }));
  writeFileSync(join(first.home, 'go'), '');
  const folder = folderIn(first) ?? '';
  await until('it has ended', () => / 3\n$/.test(readFileSync(join('/tmp', folder, 'status'), 'utf8')));
  const second = await next(first);
  expect(noticesOf(second)[0]).toContain('(exit 3)" ended with exit code 3.');
  const jobs = second.events.filter((event): event is Extract<TargetEvent, { type: 'background' }> => event.type === 'background');
  expect(jobs.map(({ command }) => command.command)).toEqual(['echo said; until [ -e go ]; do sleep 0.05; done; (exit 3)']);
  expect(await jobs[0]?.command.ended).toMatchObject({ exitCode: 3 });
  expect(jobs[0]?.command.tail(100).text).toContain('said');
  await expectAlive(second);
});

test('a command that was interrupted meanwhile is over', async () => {
  const first = await kept((opened) => opened.run('sleep 600', { kind: 'none' }));
  const runs = (program: string) => () =>
    first.tmux('display-message', '-p', '-t', '=buddy-test:', '#{pane_current_command}').stdout.trim() === program;
  await until('it has started', runs('sleep'));
  first.tmux('send-keys', '-t', '=buddy-test:', 'C-c');
  await until('the shell is back', runs('bash'));
  const second = await next(first);
  expect(noticesOf(second)[0]).toContain('"sleep 600" ended with exit code 130.');
  await expectAlive(second);
});

test('text that stands half typed at the prompt is neither lost nor run', async () => {
  const first = await kept((opened) => opened.run('true'));
  first.tmux('send-keys', '-t', '=buddy-test:', '-l', 'touch oops');
  await until('it stands there', () => first.tmux('capture-pane', '-p', '-t', '=buddy-test:').stdout.includes('touch oops'));
  const second = await next(first);
  expect(await second.run('echo no')).toMatchObject({ kind: 'refused', reason: expect.stringContaining('text stands at the prompt') });
  first.tmux('send-keys', '-t', '=buddy-test:', 'C-c');
  await until('the prompt is free', async () => (await second.run('echo yes')).kind === 'exited');
  expect(existsSync(join(first.home, 'oops'))).toBe(false);
});

test('dash, which shows its prompt only once: half typed text is not run', async () => {
  const first = await kept((opened) => opened.run('true'), 'dash');
  first.tmux('send-keys', '-t', '=buddy-test:', '-l', 'touch oops');
  await until('it stands there', () => first.tmux('capture-pane', '-p', '-t', '=buddy-test:').stdout.includes('touch oops'));
  const second = await next(first, 'dash');
  expect(noticesOf(second)[0]).toContain('What waits at its prompt is not known');
  expect(await second.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'unknown-shell' } });
  expect(existsSync(join(first.home, 'oops'))).toBe(false);
  first.tmux('send-keys', '-t', '=buddy-test:', 'C-u', 'Enter');
  await until('its prompt was heard', async () => (await second.run('echo yes')).kind === 'exited');
});

test('another shell in the pane is an unknown one, until ours is back', async () => {
  const first = await kept((opened) => opened.run('true'));
  first.tmux('send-keys', '-t', '=buddy-test:', 'PS1=inner bash --norc', 'Enter');
  await until('it waits', () => first.tmux('capture-pane', '-p', '-t', '=buddy-test:').stdout.trimEnd().endsWith('inner'));
  const second = await next(first);
  expect(await second.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'unknown-shell' } });
  first.tmux('send-keys', '-t', '=buddy-test:', 'exit', 'Enter');
  await until('our shell is back', async () => (await second.run('echo yes')).kind === 'exited');
});

test('two that start at the same moment: one continues, the other has a session of its own', async () => {
  const first = await kept((opened) => opened.run('STAYS=yes'));
  const both = await Promise.all([next(first), next(first)]);
  const said = await Promise.all(both.map((opened) => opened.run('echo "[$STAYS]"')));
  expect(said.map((outcome) => (outcome.kind === 'exited' ? outcome.output.text : outcome)).sort()).toEqual(['[]\n', '[yes]\n']);
});

test('a session that somebody is attached to, one of another shell, and one of another name are left alone', async () => {
  const first = await kept((opened) => opened.run('STAYS=yes'));
  const other = await next(first, 'dash');
  const named = await next(first, 'bash', { agentName: 'other' });
  for (const opened of [other, named]) expect(await opened.run('echo "[$STAYS]"')).toMatchObject({ output: { text: '[]\n' } });
  expect(other.target.summary.attach).toMatch(/buddy-test-2$/);
});

test.each([
  ['the folder is open to others', (folder: string) => ({ mode: 0o755, folder })],
  [
    'the record is of another owner',
    (folder: string) => ({ record: (text: string) => text.replace(/"owner":"[^"]*"/, '"owner":"host/1/beef"'), folder }),
  ],
  [
    'the record names another moment',
    (folder: string) => ({ record: (text: string) => text.replace(/"keptMs":\d+/, '"keptMs":1'), folder }),
  ],
] as const)('%s: it is not continued in', async (_name, change) => {
  const first = await kept((opened) => opened.run('STAYS=yes'));
  const folder = join('/tmp', folderIn(first) ?? '');
  const wanted: { readonly mode?: number; readonly record?: (text: string) => string } = change(folder);
  if (wanted.mode !== undefined) chmodSync(folder, wanted.mode);
  if (wanted.record !== undefined) writeFileSync(join(folder, 'kept'), wanted.record(readFileSync(join(folder, 'kept'), 'utf8')));
  const second = await next(first);
  expect(await second.run('echo "[$STAYS]"')).toMatchObject({ output: { text: '[]\n' } });
  expect(labels(first)).toMatch(/^buddy-test 0 \d+$/m);
  // The test ends it: its record may be nobody's.
  rmSync(folder, { recursive: true });
});

test('without the wish to continue there is a new session, and the kept one stays', async () => {
  const first = await kept((opened) => opened.run('STAYS=yes'));
  const second = await tests.start({ socket: first.socket, home: first.home });
  expect(await second.run('echo "[$STAYS]"')).toMatchObject({ output: { text: '[]\n' } });
  expect(labels(first)).toMatch(/^buddy-test 0 \d+$/m);
  await expectAlive(await next(first));
});

test('it ends with its shell, and its folder goes with the next run', async () => {
  const first = await kept((opened) => opened.run('true'));
  const folder = folderIn(first) ?? '';
  // Read while it lives: afterwards any other program of ours that starts may be the one that removes the folder.
  const owner = Number(readFileSync(join('/tmp', folder, 'owner'), 'utf8'));
  first.tmux('send-keys', '-t', '=buddy-test:', 'exit', 'Enter');
  await until('the session is gone', () => first.tmux('has-session', '-t', '=buddy-test').status !== 0);
  // A zombie still has its number: a start looks once, and would take it for alive.
  await until('its shell is reaped', () => !processExists(owner));
  await tests.start();
  await until('the folder is gone', () => !existsSync(join('/tmp', folder)));
});

test('kept, continued and kept again', async () => {
  const first = await kept((opened) => opened.run('COUNT=1'));
  const second = await next(first);
  expect(await second.run('COUNT=$((COUNT+1))')).toMatchObject({ kind: 'exited' });
  expect(await second.target.close('keep')).toBe(true);
  const third = await next(first);
  expect(await third.run('echo $COUNT')).toMatchObject({ output: { text: '2\n' } });
});

test('a further pane is there again, with its name', async () => {
  const signal = new AbortController().signal;
  const first = await kept(async (opened) => {
    const made = await opened.target.tmux?.createPane({ pane: 'logs' }, signal);
    await opened.target.run(
      { command: 'cd /usr; STAYS=yes', wait: { kind: 'exit' }, pane: made?.pane },
      { signal, onChunk: () => undefined },
    );
  });
  const second = await next(first);
  const found = second.target.tmux?.find({ pane: 'logs' });
  expect(found).toMatchObject({ title: 'logs', cwd: '/usr', state: { kind: 'idle' } });
  const outcome = await second.target.run(
    { command: 'echo "[$STAYS]"', wait: { kind: 'exit' }, pane: found?.pane },
    { signal, onChunk: () => undefined },
  );
  expect(outcome).toMatchObject({ output: { text: '[yes]\n' } });
  expect((await second.target.tmux?.createPane({ pane: 'more' }, signal))?.created).toBe(true);
});

test('a start that is given up leaves a kept session as it was', async () => {
  const first = await kept((opened) => opened.run('STAYS=yes'));
  for (let turn = 0; turn < 6; turn++) {
    const abort = new AbortController();
    const target = createTarget({
      via: 'tmux',
      host: targetHost(first.home),
      agentName: 'test',
      cols: 100,
      rows: 30,
      log: silentLog,
      shell: 'bash',
      mirror: false,
      socket: first.socket,
      adopt: true,
    });
    let isTold = false;
    target.onEvent(({ type }) => {
      isTold ||= type === 'pane.opened';
    });
    const started = target.start(abort.signal).catch(() => undefined);
    await until('it has gone some way', () => new Promise((resolve) => setTimeout(() => resolve(true), turn * 15)));
    abort.abort();
    // Once a person has been told of it, they say what becomes of it.
    await target.close(isTold ? 'keep' : 'end');
    await started;
  }
  const last = await next(first);
  expect(await last.run('echo "[$STAYS]"')).toMatchObject({ output: { text: '[yes]\n' } });
});
