/** A paste into the real pane: between marks when its program asked for them, whoever looks on, and never with keys of its own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TmuxClient } from '../../lib/targets/target.js';
import { until } from '../support/until.js';
import { expectAlive, never, type OpenTarget, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

function client({ target }: OpenTarget): TmuxClient {
  if (target.tmux === null) throw new Error('no tmux');
  return target.tmux;
}

/** Pastes two lines at the prompt, shows that they wait there, and enters them. */
async function pasteTwoLines(opened: OpenTarget): Promise<void> {
  const screen = () => client(opened).capture({}, never);
  await client(opened).paste(undefined, 'echo one-$((1+1))\necho two-$((2+2))', never);
  const waiting = await until('both lines are there', async () => {
    const shown = await screen();
    return /echo one[\s\S]*echo two/.test(shown) && shown;
  });
  expect(waiting).not.toContain('one-2');
  await client(opened).type(undefined, '\r', never);
  await until('they were run', async () => /one-2[\s\S]*two-4/.test(await screen()));
  await until('a command runs again', async () => (await opened.run('true')).kind === 'exited');
}

test('lines wait at the prompt of a shell that asked for marks', async () => {
  await pasteTwoLines(await tests.start());
});

test('also when somebody scrolls the pane back', async () => {
  const opened = await tests.start();
  opened.tmux('copy-mode', '-u', '-t', 'buddy-test:');
  await pasteTwoLines(opened);
});

test('a large text arrives whole and plain where nobody asked for marks', async () => {
  const opened = await tests.start();
  const lines = Array.from({ length: 900 }, (_, at) => `${at} żółć 👩‍💻 \\ "#{x}" $HOME ;`);
  const outcome = await opened.run('stty raw -echo; head -c 40500 >got; stty sane', { kind: 'none' });
  const text = lines.join('\n').padEnd(40_500, '.');
  const bytes = Buffer.from(text.replaceAll('\n', '\r'), 'utf8').subarray(0, 40_500);
  await until('the program reads', () => opened.tmux('list-panes', '-a', '-F', '#{pane_current_command}').stdout.trim() === 'head');
  await client(opened).paste(undefined, text, never);
  if (outcome.kind !== 'running') throw new Error(outcome.kind);
  expect(await outcome.background.ended).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(opened.home, 'got')).equals(bytes)).toBe(true);
});

test('no paste ends its own marks, presses keys or says nothing', async () => {
  const opened = await tests.start();
  const outcome = await opened.run(`stty raw -echo; printf '\\033[?2004h'; head -c 33 >got; stty sane`, { kind: 'none' });
  await until('the program reads', () => opened.tmux('list-panes', '-a', '-F', '#{pane_current_command}').stdout.trim() === 'head');
  await client(opened).paste(undefined, '\x03\x00', never);
  await client(opened).paste(undefined, 'x\x1b[201~\x03rm -rf /\r\n\u009b201~\x9dé', never);
  if (outcome.kind !== 'running') throw new Error(outcome.kind);
  await outcome.background.ended;
  expect(readFileSync(join(opened.home, 'got'), 'utf8')).toBe('\x1b[200~x[201~rm -rf /\r201~é\x1b[201~');
});

test('into a pane whose shell has ended it does nothing, and the server lives', async () => {
  const opened = await tests.start();
  await client(opened).type(undefined, 'exit\r', never);
  await until('it is dead', () => client(opened).panes()[0]?.state.kind === 'dead');
  await client(opened).paste(undefined, 'text', never);
  expect(opened.tmux('list-buffers').stdout).not.toContain('buddy-pasted');
  await expectAlive(opened);
});
