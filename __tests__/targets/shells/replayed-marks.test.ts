/** Marks that a shell printed once and that come again, from a log that somebody shows: they say nothing. */

import { CommandRun } from '../../../lib/targets/command-run.js';
import { ShellPane } from '../../../lib/targets/tmux/shell-pane.js';

const mark = (text: string) => `\x1b]133;${text}\x07`;
const key = 'buddy=N';
const prompt = (n: number, cwd = '/home') => [mark(`A;0;${key};n=${n};cwd=${cwd}`), '$ ', mark(`B;${key};n=${n}`)].join('');

/** A pane at its third prompt: one command of ours has ended with 3, one of a person with 9 in /old. */
function history(): string {
  const ours = [mark(`C;${key};n=1`), mark(`C;${key};id=aa`), 'out', mark(`D;3;${key};id=aa;cwd=/old`), mark(`D;3;${key};n=1;id=aa`)];
  return [prompt(1), ...ours, prompt(2, '/old'), 'ls', mark(`C;${key};n=2`), mark(`D;9;${key};n=2;id=`), prompt(3)].join('');
}

function opened(): { readonly pane: ShellPane; readonly folders: string[]; feed(text: string): void } {
  const folders: string[] = [];
  const ignore = () => undefined;
  const pane = new ShellPane('N', true, { changed: ignore, typed: ignore, entered: ignore, cwd: (path) => folders.push(path) });
  const feed = (text: string) => pane.feed(Buffer.from(text));
  const first = new CommandRun('x', 'aa', 0, ignore);
  feed(prompt(1));
  pane.typing(first);
  feed(history().slice(prompt(1).length));
  expect([pane.phase, pane.lastExit, first.end]).toEqual(['prompt', 9, { kind: 'exited', exitCode: 3 }]);
  folders.splice(0);
  return { pane, folders, feed };
}

test('during a command of ours', () => {
  const { pane, folders, feed } = opened();
  const run = new CommandRun('cat log', 'bb', 0, () => undefined);
  pane.typing(run);
  feed(mark(`C;${key};n=3`) + mark(`C;${key};id=bb`) + history() + prompt(3));
  expect([pane.phase, run.end, pane.lastExit, folders]).toEqual(['running', null, 9, []]);
  feed(mark(`D;7;${key};id=bb;cwd=/new`));
  expect([run.end, pane.lastExit, folders]).toEqual([{ kind: 'exited', exitCode: 7 }, 7, ['/new']]);
  feed(prompt(4));
  expect(pane.phase).toBe('prompt');
});

test('during a command of a person', () => {
  const { pane, folders, feed } = opened();
  feed(mark(`C;${key};n=3`) + history() + prompt(3));
  expect([pane.phase, pane.lastExit, folders]).toEqual(['running', 9, []]);
  feed(mark(`D;8;${key};n=3;id=`) + prompt(4));
  expect([pane.phase, pane.lastExit]).toEqual(['prompt', 8]);
});

test('printed by something in the background while the shell is at its prompt', () => {
  const { pane, feed } = opened();
  feed(history());
  expect([pane.phase, pane.lastExit]).toEqual(['prompt', 9]);
});

test('a prompt that comes back with the id of the command that runs ends it: its hook was taken away', () => {
  const { pane, feed } = opened();
  const run = new CommandRun('sleep 9', 'cc', 0, () => undefined);
  pane.typing(run);
  feed([mark(`C;${key};id=cc`), '^C', mark(`A;130;${key};n=4;id=cc`), '$ ', mark(`B;${key};n=4`)].join(''));
  expect([pane.phase, run.end]).toEqual(['prompt', { kind: 'exited', exitCode: 130 }]);
});

test('a prompt after a line of a person is one, though no hook told how the line ended', () => {
  const { pane, feed } = opened();
  feed(['ls', mark(`C;${key};n=3`), 'out', mark(`A;6;${key};n=4`), '$ ', mark(`B;${key};n=4`)].join(''));
  expect([pane.phase, pane.lastExit]).toEqual(['prompt', 6]);
});

test.each([
  ['1;2c', '\x1b[c', ''],
  ['\x077R\x071;2c', '\x1b[6n\x1b[c', ''],
  ['^[[5;7R^[[?1;2c', '\x1b[6n\x1b[0c', ''],
  ['1;2c', 'plain', '1;2c'],
  ['1;2cls', '\x1b[c', '1;2cls'],
  ['ls', '\x1b[c', 'ls'],
])('%j at the prompt after a command that printed %j: half typed is %j', (text, printed, half) => {
  const { pane, feed } = opened();
  pane.typing(new CommandRun('x', 'ee', 0, () => undefined));
  feed([mark(`C;${key};id=ee`), printed, mark(`D;0;${key};id=ee`), prompt(4), text].join(''));
  expect(pane.halfTyped()).toBe(half);
});

test.each([
  ['echo \r\x1b[29C"half\r\n\x1b[K\x1b[A\r\n\x1b[24C\x1b[A\x1b[34mecho \x1b[33m"half\r\r\n\x1b[24C\x1b[30m', 'a line of two rows', true],
  ['LATE\r\n', 'output of a background job', false],
  ['LATE\r\n\r\x1b[24C', 'the same, and fish goes back to its place', false],
])('%j is %s', (text, _what, half) => {
  const { pane, feed } = opened();
  feed(`${prompt(4)}${text}`);
  expect(pane.halfTyped() !== '').toBe(half);
});

test('a right prompt is no text that somebody typed', () => {
  const { pane, feed } = opened();
  feed(`${prompt(4)}\x1b[50C${mark(`P;k=r;${key};n=4`)}[git: main]${mark(`P;k=e;${key};n=4`)}\x1b[61D`);
  expect(pane.halfTyped()).toBe('');
  feed('half');
  expect(pane.halfTyped()).toBe('half');
});

test.each([
  ['half', true],
  ['\x1b[1m\x1b[7m#\x1b[27m\x1b[0m      \r \r', false],
  ['\u23ce      \r\u23ce \r\x1b[K', false],
  ['[1]+  Done    sleep 1\r\n', false],
  ['', false],
])('between a command and its prompt, %j is typed text: %s', (text, typed) => {
  const { pane, feed } = opened();
  pane.typing(new CommandRun('x', 'dd', 0, () => undefined));
  feed([mark(`C;${key};id=dd`), mark(`D;0;${key};id=dd`), text, prompt(4)].join(''));
  expect([pane.phase, pane.awaitsEcho]).toEqual(['prompt', typed]);
  feed('half');
  expect([pane.awaitsEcho, pane.halfTyped()]).toEqual([false, 'half']);
});

test('what was typed before the prompt came counts as typed, in a shell without a line editor', () => {
  const lines: string[] = [];
  const ignore = () => undefined;
  const told = (echo: { readonly bytes: Buffer; readonly from: number }) => lines.push(echo.bytes.toString('utf8', echo.from));
  const pane = new ShellPane('N', false, { changed: ignore, typed: told, entered: ignore, cwd: ignore });
  const feed = (text: string) => pane.feed(Buffer.from(text));
  const run = new CommandRun('x', 'aa', 0, ignore);
  const posixPrompt = (n: number, id: string, code: number) =>
    [mark(`D;${code};${key};n=${n};id=${id}`), mark(`A;z=0;${key};n=${n};cwd=/`), '$ ', mark(`B;${key};n=${n}`)].join('');
  feed(posixPrompt(1, '0', 0));
  pane.typing(run);
  feed([mark(`C;${key};id=aa`), mark(`D;0;${key};id=aa;cwd=/`), 'half', posixPrompt(2, 'aa', 0)].join(''));
  expect([pane.phase, pane.halfTyped()]).toEqual(['prompt', 'half']);
  feed(` a line\r\n${posixPrompt(3, '0', 127)}`);
  expect([lines, pane.lastExit, pane.halfTyped()]).toEqual([['half a line\r'], 127, '']);
});
