/** The pane that person and agent share: what is typed, shown and told. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowText } from '../../lib/base/style.js';
import type { PaneState } from '../../lib/protocol/panes.js';
import type { TmuxClient } from '../../lib/targets/target.js';
import { until } from '../support/until.js';
import { expectAlive, never, type OpenTarget, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

function client(opened: OpenTarget): TmuxClient {
  if (opened.target.tmux === null) throw new Error('no tmux');
  return opened.target.tmux;
}

function states(opened: OpenTarget): readonly PaneState[] {
  return opened.events.flatMap((event) => (event.type === 'pane.state' ? [event.state] : []));
}

function untilState(opened: OpenTarget, kind: PaneState['kind']): Promise<unknown> {
  return until(`the pane is ${kind}`, () => client(opened).panes()[0]?.state.kind === kind);
}

/** The newest picture as text. */
function picture(opened: OpenTarget): string {
  const last = opened.events.flatMap((event) => (event.type === 'pane.screen' ? [event.screen] : [])).at(-1);
  return (last?.rows ?? []).map(rowText).join('\n').trimEnd();
}

test('the typed line is replaced by the command, the user prompt and history stay as they are', async () => {
  const home = tests.newHome();
  writeFileSync(join(home, '.bashrc'), 'PS1="two-line prompt\\n> "; PROMPT_COMMAND="true"; HISTFILE=$HOME/history\n');
  const opened = await tests.start({ home, mirror: true });
  await opened.run('echo one\necho two');
  const expected = 'two-line prompt\n❯ echo one …\none\ntwo\ntwo-line prompt\n>';
  await until(`the picture is ${expected}`, () => picture(opened) === expected);
  await client(opened).type(undefined, 'echo by hand\r', never);
  await until('the shell wrote it', () => picture(opened).includes('\nby hand\n'));
  await opened.run('history -a');
  expect(readFileSync(join(home, 'history'), 'utf8')).toBe('echo by hand\n');
});

test('what a person types is told as running, with its exit code, and does not disturb', async () => {
  const opened = await tests.start();
  await client(opened).type(undefined, 'until [ -e go ]; do sleep 0.02; done; (exit 9)\r', never);
  await untilState(opened, 'running');
  expect(await opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
  writeFileSync(join(opened.home, 'go'), '');
  await untilState(opened, 'idle');
  expect(opened.events.at(-1)).toMatchObject({ type: 'pane.state', state: { kind: 'idle' }, lastExit: 9 });
  await expectAlive(opened);
});

test('half a line at the prompt is not touched', async () => {
  const opened = await tests.start();
  await client(opened).type(undefined, 'half a', never);
  await until('it is there', async () => (await client(opened).capture({}, never)).includes('half a'));
  expect(await opened.run('echo no')).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('text stands at the prompt'),
    screen: expect.stringContaining('half a'),
  });
  await client(opened).type(undefined, '\x03', never);
  await until('a command runs again', async () => (await opened.run('echo yes')).kind === 'exited');
});

test('an unfinished command is told as continuation', async () => {
  const opened = await tests.start();
  await client(opened).type(undefined, "echo 'open\r", never);
  await untilState(opened, 'continuation');
  expect(await opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'continuation' } });
  await client(opened).type(undefined, '\x03', never);
  await untilState(opened, 'idle');
  await expectAlive(opened);
});

test('a program of the POSIX shell, which prints no start mark, is seen as running', async () => {
  const opened = await tests.start({ shell: 'dash' });
  await client(opened).type(undefined, 'sleep 600\r', never);
  await until('tmux sees it', () => opened.tmux('list-panes', '-a', '-F', '#{pane_current_command}').stdout.trim() === 'sleep');
  expect(await opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running', program: 'sleep' } });
  await client(opened).type(undefined, '\x03', never);
  await until('a command runs again', async () => (await opened.run('echo yes')).kind === 'exited');
});

test('a full-screen program and copy mode are told', async () => {
  const opened = await tests.start();
  const outcome = await opened.run("printf '\\033[?1049h'; until [ -e go ]; do sleep 0.02; done; printf '\\033[?1049l'", { kind: 'none' });
  await untilState(opened, 'fullscreen');
  writeFileSync(join(opened.home, 'go'), '');
  if (outcome.kind === 'running') expect(await outcome.background.ended).toMatchObject({ exitCode: 0 });
  opened.tmux('copy-mode', '-t', 'buddy-test:');
  await untilState(opened, 'copy-mode');
  await expectAlive(opened);
});

test('a prompt that hides what is typed is told as a password prompt', async () => {
  const opened = await tests.start();
  const outcome = await opened.run('read -r -s -p "secret? " answer; printf "got %s\\n" "$(printf %s "$answer" | wc -c)"', {
    kind: 'none',
  });
  await untilState(opened, 'password');
  await client(opened).type(undefined, 'abc\r', never);
  if (outcome.kind !== 'running') throw new Error(outcome.kind);
  expect((await outcome.background.ended).output.text).toMatch(/got 3\n$/);
  await untilState(opened, 'idle');
});

test('the states of a command are told in order', async () => {
  const opened = await tests.start();
  opened.events.splice(0);
  await opened.run('cd / && (exit 4)');
  expect(opened.events).toEqual([
    { type: 'pane.state', pane: '%0', state: { kind: 'running', program: 'cd', sinceMs: expect.any(Number) }, lastExit: null },
    { type: 'summary', summary: expect.objectContaining({ cwd: '/' }) },
    { type: 'pane.state', pane: '%0', state: { kind: 'idle' }, lastExit: 4 },
  ]);
  expect(states(opened)).toHaveLength(2);
});

test('capture gives the screen, or scrollback before it, with long lines whole', async () => {
  const opened = await tests.start();
  await opened.run(`seq 1 60; printf '${'w'.repeat(150)}\\n\\033[31mred\\033[0m\\n'`);
  const screen = await client(opened).capture({}, never);
  expect(screen).toContain(`60\n${'w'.repeat(150)}\nred`);
  expect(screen).not.toMatch(/^1$/m);
  expect(await client(opened).capture({ start: -100 }, never)).toMatch(/\n1\n2\n3\n/);
  expect(await client(opened).capture({ escapes: true }, never)).toContain('\x1b[31mred');
  await expect(client(opened).capture({ pane: '%99' }, never)).rejects.toMatchObject({ code: 'target.pane' });
});

test('keys are typed as they are, whatever they spell', async () => {
  const opened = await tests.start();
  const text = 'Enter C-c ; #{x} "q" $HOME \\ żółć';
  const outcome = await opened.run('IFS= read -r line; printf "%s" "$line" >typed', { kind: 'none' });
  await client(opened).type('%0', `${text}\r`, never);
  if (outcome.kind === 'running') await outcome.background.ended;
  expect(readFileSync(join(opened.home, 'typed'), 'utf8')).toBe(text);
});

test('resize reaches the program and the picture', async () => {
  const opened = await tests.start({ mirror: true });
  client(opened).resize(undefined, 60, 20);
  await until('the pane is told as resized', () => client(opened).panes()[0]?.cols === 60);
  await until('the program sees the size', async () => (await opened.run('stty size')).raw === '20 60\r\n');
  await until('the picture has the size', () =>
    opened.events.some((event) => event.type === 'pane.screen' && event.screen.cols === 60 && event.screen.rows.length === 20),
  );
});

test('the picture shows colours and wide characters, hides nothing, and answers no question of a program', async () => {
  const opened = await tests.start({ mirror: true });
  await opened.run(
    "printf 'a\\033[1;31mred\\033[0m\\033[8mhid\\033[0m 日本 e\\314\\201\\n\\033[c\\033[6n\\033]52;c;eHl6\\007'; sleep 0.05",
  );
  await until('it is drawn', () => picture(opened).includes('日本'));
  const screen = opened.events.flatMap((event) => (event.type === 'pane.screen' ? [event.screen] : [])).at(-1);
  const line = screen?.rows.find((row) => rowText(row).startsWith('ared'));
  expect(line?.segments).toEqual([
    { text: 'a', style: {} },
    { text: 'red', style: { fg: 1, bold: true } },
    { text: 'hid 日本 é'.normalize('NFD'), style: {} },
  ]);
});

test('the picture is what tmux shows, also where the emulator reads bytes in another way', async () => {
  const opened = await tests.start({ mirror: true });
  // HPR (ECMA-48 8.3.57): tmux does not know it.
  await opened.run("printf 'one\\033[5atwo\\n'");
  await until('the picture was put right', () => picture(opened).includes('\nonetwo\n'));
  expect(await client(opened).capture({}, never)).toContain('\nonetwo\n');
});

test.each([
  ['bash', {}],
  ['zsh', { shell: 'zsh' }],
  ['dash', { shell: 'dash' }],
])('no picture shows the line by which %s is told of a command', async (_, options) => {
  const opened = await tests.start({ mirror: true, ...options });
  for (let n = 0; n < 12; n++) {
    await opened.run(`echo seen ${n}`);
    await until(`it is drawn ${n}`, () => picture(opened).includes(`\nseen ${n}\n`));
  }
  const pictures = opened.events.flatMap((event) => (event.type === 'pane.screen' ? [event.screen.rows.map(rowText).join('\n')] : []));
  expect(pictures.filter((text) => text.includes('__bd'))).toEqual([]);
});
