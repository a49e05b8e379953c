/** Output of every kind is complete, and the model's text is what a person would see. */

import { until } from '../../../support/until.js';
import { never } from '../../../targets/local-target.js';
import { type ByShell, gives, type Scenario } from '../cell.js';

const MEBIBYTE = 1024 * 1024;

/** Expects counts of an output that is too long to keep. */
function counts(
  name: string,
  command: string | ByShell<string>,
  totalBytes: number,
  totalLines: number,
  first: string,
  last: string,
  patience: number,
): Scenario {
  return {
    name,
    patience,
    async play(cell) {
      const wanted = typeof command === 'string' ? command : cell.of(command);
      const outcome = await cell.opened.target.run(
        { command: wanted, wait: { kind: 'exit' } },
        { signal: never, onChunk: () => undefined },
      );
      if (outcome.kind !== 'exited') throw new Error(outcome.kind);
      const { text, ...rest } = outcome.output;
      expect({ exitCode: outcome.exitCode, ...rest }).toMatchObject({ exitCode: 0, totalBytes, totalLines, truncated: true });
      expect(text.slice(0, first.length)).toBe(first);
      expect(text.slice(-last.length)).toBe(last);
      expect(text).toContain(`the whole output is ${totalBytes} bytes in ${totalLines} lines`);
    },
  };
}

export const output: readonly Scenario[] = [
  counts('200 000 lines', 'seq 1 200000', 1_288_895, 200_000, '1\n2\n3\n', '199999\n200000\n', 20_000),
  counts('a line of 5 MB', "head -c 5000000 /dev/zero | tr '\\0' x", 5_000_000, 1, 'xxxxxxxx', 'xxxxxxxx', 60_000),
  counts(
    '50 MiB of short lines',
    // The programs inside of busybox write each line by itself: that takes four times as long and shows nothing more.
    { ash: '/usr/bin/yes | /usr/bin/head -c 52428800', other: 'yes | head -c 52428800' },
    50 * MEBIBYTE,
    25 * MEBIBYTE,
    'y\ny\n',
    'y\ny\n',
    400_000,
  ),
  gives('binary', 'head -c 3000 /proc/self/exe', 0, '[binary output, 3000 bytes, not shown]'),
  {
    name: 'a whole program',
    async play(cell) {
      await cell.gives('cat /usr/bin/env', 0, /^\[binary output, \d+ bytes, not shown\]$/);
      await cell.gives('echo to be seen', 0, 'to be seen\n');
      await cell.untilScreen(/^to be seen$/m);
    },
  },
  {
    name: 'a control string left open',
    async play(cell) {
      for (const letter of ['P', ']2;', '_', 'k', '^']) {
        await cell.gives(`printf 'a\\033${letter}b'`, 0, /^a/);
        await cell.gives(`echo seen '${letter}'`, 0, `seen ${letter}\n`);
        await cell.untilScreen(new RegExp(`^seen \\${letter}$`, 'm'));
      }
      // The same by a person.
      await cell.byHand("printf 'a\\033Pb'", 0);
      await cell.byHand('echo seen ag""ain', 0);
      await cell.untilScreen(/^seen again$/m);
    },
  },
  gives('no line end', 'printf abc', 0, 'abc'),
  gives('a progress display', "printf '10%%\\r50%%\\r100%%\\n'", 0, '100%\n'),
  gives('a spinner', "printf '|\\b/\\b-\\bok\\n'", 0, 'ok\n'),
  gives('rows that are rewritten', "printf 'one\\ntwo\\n\\033[2A\\033[2KONE\\n\\n'", 0, 'ONE\ntwo\n'),
  gives('colours', "printf '\\033[38;2;1;2;3mred\\033[0m plain\\n'", 0, 'red plain\n'),
  gives('the colours of ls', 'mkdir -p d/sub; command ls --color=always d; rm -r d', 0, 'sub\n'),
  gives('concealed text', "printf '\\033[8mhidden\\033[0m\\n'", 0, 'hidden\n'),
  gives('a title and a link', "printf '\\033]0;title\\007\\033]8;;http://x\\007link\\033]8;;\\007\\n'", 0, 'link\n'),
  gives('clear in the middle', 'echo before; clear; echo after', 0, 'before\nafter\n'),
  gives('a reset in the middle', "echo before; printf '\\033c'; echo after", 0, 'before\nafter\n'),
  gives('the scrollback erased', "echo before; printf '\\033[H\\033[2J\\033[3J'; echo after", 0, 'before\nafter\n'),
  gives('the scrollback cleared by tmux', 'echo before; tmux clear-history; echo after', 0, 'before\nafter\n'),
  gives('the alternate screen', "echo a; printf '\\033[?1049hX\\033[?1049l'; echo b", 0, 'a\nb\n'),
  {
    name: 'line drawing left on',
    async play(cell) {
      await cell.gives("printf 'a\\033(0q\\n'", 0, 'a─\n');
      await cell.gives('echo quit', 0, 'quit\n');
      await cell.untilScreen(/^quit$/m);
      await cell.gives("printf '\\033(B'", 0, '');
    },
  },
  gives('a wide line', `echo ${'w'.repeat(350)}`, 0, `${'w'.repeat(350)}\n`),
  gives('standard error', 'sh -c "echo oops >&2; exit 3"', 3, 'oops\n'),
  {
    name: 'questions to the terminal',
    async play(cell) {
      await cell.gives("printf 'a\\033[c\\033[6n\\033[>cb\\n'; sh -c 'exit 3'", 3, /^a.*b/);
      await cell.untilState('idle');
      // Nobody has read the answers: they stand at the prompt, and nobody has typed them.
      await cell.gives(`echo ${cell.of({ fish: '$status', other: '$?' })}`, 0, '3\n');
      await cell.gives('echo next', 0, 'next\n');
    },
  },
  {
    name: 'git log without a pager',
    async play(cell) {
      const make =
        'git init -q repo && cd repo && for i in $(seq 45); do git -c user.name=a -c user.email=b commit -q --allow-empty -m "c$i"; done';
      await cell.gives(`sh -c '${make}'`, 0, /^/);
      const subjects = Array.from({ length: 45 }, (_, at) => `c${45 - at}\n`).join('');
      await cell.gives('git -C repo log --format=%s', 0, subjects);
      await cell.gives('rm -rf repo', 0, '');
    },
  },
  {
    name: 'late output of a background job',
    async play(cell) {
      await cell.gives("sh -c 'sleep 0.3; echo LA''TE' & echo started", 0, /started\n$/);
      await cell.untilScreen('LATE');
      await cell.gives('echo next', 0, 'next\n');
    },
  },
  {
    name: 'job notices',
    async play(cell) {
      await cell.gives('sleep 0.05 & echo started', 0, /started\n$/);
      await cell.gives('sleep 0.3', 0, /^(?:.*sleep.*\n)?$/);
      await cell.gives('echo next', 0, 'next\n');
    },
  },
  {
    name: 'a daemon that keeps the terminal',
    async play(cell) {
      await cell.gives("sh -c 'sleep 600 & echo $! >daemon'", 0, '');
      await cell.gives('kill (cat daemon)'.replace('(', cell.shell === 'fish' ? '(' : '$('), 0, '');
    },
  },
  {
    name: 'a resize in the middle',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'echo one; until [ -e go ]; do sleep 0.02; done; echo two; stty size'`);
      await until('it has begun', () => begun.lastLine() === 'one');
      cell.tmux.resize(undefined, 60, 20);
      await until('the pane has the size', () => cell.tmux.panes()[0]?.cols === 60);
      await cell.opened.target.writeFile('go', Buffer.from(''), never);
      await cell.ends(begun, 0, 'one\ntwo\n20 60\n');
      cell.tmux.resize(undefined, 100, 30);
      await until('the pane has its size again', () => cell.tmux.panes()[0]?.cols === 100);
      await cell.gives('rm go', 0, '');
    },
  },
];
