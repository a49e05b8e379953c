/** Much at once: a megabyte pasted, twenty thousand lines streamed. The keys stay alive, and what is read stays where it is. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatPiece, ChatRequest } from '../support/chat-server.js';
import { type Running, withProgram } from './program.js';

const size = { cols: 160, rows: 45 };

/** A line of the big paste; with its end 64 bytes. */
const pasteLine = (n: number) => `${String(n).padStart(6, '0')} ${'x'.repeat(56)}`;
const megabyte = Array.from({ length: 16_384 }, (_, n) => pasteLine(n)).join('\n');

function* echo({ prompt }: ChatRequest): Iterable<ChatPiece> {
  yield { content: `That were ${prompt.length} characters.` };
}

test('a megabyte pasted is one token; nothing is submitted; the draft can be edited and sent whole', () =>
  withProgram(echo, size, async (program) => {
    program.send(`before \x1b[200~${megabyte.replaceAll('\n', '\r')}\x1b[201~`);
    await program.until(/> before .*16 384 lines/);
    program.send(' after');
    await program.until(/> before .*16 384 lines.* after/);
    expect(program.server.seen).toEqual([]);
    // One key erases all of it, another brings it back.
    program.send('\x1b[D'.repeat(6));
    program.send('\x7f');
    await program.until(/> before {2}after/);
    program.send('\x1f');
    await program.until(/> before .*16 384 lines.* after/);
    expect(program.server.seen).toEqual([]);
    program.send('\r');
    await program.until(/That were (\d+) characters/);
    expect(program.server.seen.map(({ prompt }) => prompt)).toEqual([`before ${megabyte} after`]);
  }));

test.each([
  ['small', 'one\ntwo\nthree'],
  ['large', megabyte.slice(0, 3000)],
])('a %s paste whose end never comes is taken when nothing more follows; then keys are keys again', (_, text) =>
  withProgram(echo, size, async (program) => {
    program.send(`\x1b[200~${text}`);
    await program.until(/> (?:one\n {2}two\n {2}three|.*lines)/);
    expect(program.server.seen).toEqual([]);
    program.send('!');
    await program.until(/^(?:>.*lines.*| {2}three)!$/m);
    program.send('\r');
    await program.until(/That were \d+ characters/);
    expect(program.server.seen.map(({ prompt }) => prompt)).toEqual([`${text}!`]);
  }),
);

/** A gate that is passed once it is opened. */
function gate() {
  let open = () => undefined as unknown;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => void open(), opened };
}

/** The rows inside the conversation's border, without its right side: there the thumb tells how far on one is, and more was said. */
const rows = ({ terminal }: Running) =>
  terminal
    .lines()
    .slice(2, size.rows - 3)
    .map((line) => line.slice(0, 87));

test('a long answer, thousands of deltas: keys are echoed, scrolling works, the place that is read stays', () => {
  const [half, end] = [gate(), gate()];
  const deltas = 5000;
  let sent = 0;
  const lines = (n: number) => [0, 1, 2, 3].map((i) => `line ${4 * n + i} of *many*${i === 3 ? '\n' : ''}\n`).join('');
  async function* reply(): AsyncIterable<ChatPiece> {
    for (let n = 0; n < deltas; n += 1) {
      if (n === deltas / 2) await half.opened;
      yield { content: lines(n) };
      sent += 1;
    }
    await end.opened;
    yield { content: 'the end' };
  }
  return withProgram(reply, size, async (program) => {
    program.line('tell me much');
    await program.until(/line 9999 of/);
    // In the middle of it: keys are echoed, and pages are turned.
    program.send('a draft meanwhile');
    await program.until(/> a draft meanwhile/);
    for (let page = 0; page < 3; page += 1) {
      const last = rows(program).join('\n');
      program.send('\x1b[5~');
      await program.shows('the page before', () => rows(program).join('\n') !== last || null);
    }
    const read = rows(program);
    expect(read.join('\n')).not.toContain('line 9999');
    half.open();
    await program.shows('the other half is there', () => sent === deltas || null);
    program.send(', still');
    await program.until(/> a draft meanwhile, still/);
    expect(rows(program)).toEqual(read);
    end.open();
    await program.until(/✓ #1 prompt tell me much/);
    expect(rows(program)).toEqual(read);
    // And afterwards: to the end, to the start, a page down, and the draft is still there.
    program.send('\x1b[1;5F');
    await program.until(/line 19999 of many[\s\S]*the end/);
    program.send('\x1b[1;5H');
    await program.until(/│● tell me much[\s\S]*line 0 of/);
    program.send('\x1b[6~');
    await program.until(/line 60 of/);
    program.send(' and after');
    await program.until(/> a draft meanwhile, still and after/);
  });
});

test('a command that prints 200 000 lines: keys are echoed while it runs, and all of it has come', () => {
  const claim = { risk: 'low', mutation: false, privesc: false, why: 'To see much.' };
  const command = 'seq 1 200000; until [ -e go ]; do sleep 0.1; done';
  function* reply({ results }: ChatRequest): Iterable<ChatPiece> {
    yield results.length > 0 ? { content: 'That is all.' } : { calls: [{ name: 'run_shell', arguments: { command, ...claim } }] };
  }
  return withProgram(reply, size, async (program) => {
    await program.approveAll();
    program.line('count');
    program.send('a draft meanwhile');
    await program.until(/> a draft meanwhile/);
    await program.until(/││200000 /);
    program.send(', still');
    await program.until(/> a draft meanwhile, still/);
    writeFileSync(join(program.home.folder, 'go'), '');
    await program.until(/That is all\./);
    const result = program.server.seen.at(-1)?.results[0]?.content ?? '';
    expect(JSON.parse(result)).toMatchObject({ result: { exit_code: 0, truncated: true, output_lines: 200_000, output_bytes: 1_288_895 } });
    await program.until(/exit 0 · .*200 ?000 lines/);
  });
});
