/** Leaving out text that scrolls off changes nothing of what an emulator shows and how it goes on. */

import fc from 'fast-check';
import { loadEmulator, writeAll } from '../../lib/targets/terminal-emulator.js';
import { withoutScrolledOff } from '../../lib/targets/tmux/scrolled-off.js';
import { emulatedCells } from './captured-cells.js';

const rows = 6;

/** What an emulator shows after `before` and `bytes`, and after more text. */
async function shown(before: string, bytes: Buffer): Promise<unknown> {
  const terminal = (await loadEmulator()).create(20, rows, 0);
  await writeAll(terminal, before);
  await writeAll(terminal, bytes);
  const { cursorX, cursorY } = terminal.buffer.active;
  const first = [emulatedCells(terminal), cursorX, cursorY];
  await writeAll(terminal, '!\x1b8?');
  return [...first, emulatedCells(terminal)];
}

const line = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', 'w'.repeat(50), '日本語'.repeat(9), 'tab\tand\rback', 'é👩‍💻ż') },
);
const before = fc.constantFrom(
  '',
  'abc',
  '\x1b[3;4H',
  '\x1b[6;20Hx',
  '\x1b[44;31m',
  '\x1b[?1049h\x1b[2;2H',
  '\x1b[4h',
  '\x1b[?7l',
  '\x1b(0',
  '\x1b[31',
  '\x1b]0;a',
);

test('whatever stood there before, and however long the lines are', async () => {
  let shortened = 0;
  await fc.assert(
    fc.asyncProperty(before, fc.array(line, { minLength: 1, maxLength: 30 }), fc.string({ maxLength: 5 }), async (start, lines, end) => {
      const text = `${lines.join('\r\n')}\r\n`;
      const bytes = Buffer.from(text.repeat(Math.ceil(9000 / text.length)) + end, 'utf8');
      const result = withoutScrolledOff(bytes, rows);
      if (result.bytes.length < bytes.length) shortened++;
      expect(await shown(start, result.bytes)).toEqual(await shown(start, bytes));
    }),
    { numRuns: 60 },
  );
  expect(shortened).toBeGreaterThan(40);
});

test.each([
  ['an escape sequence', '\x1b[m'],
  ['a backspace', '\b'],
  ['a line feed alone', '\n\n'],
  ['a C1 control', '\u009b5A'],
])('not over %s', (_name, other) => {
  const bytes = Buffer.from(`${'y\r\n'.repeat(4000)}${other}${'y\r\n'.repeat(4000)}`);
  expect(withoutScrolledOff(bytes, rows).bytes).toBe(bytes);
});

test('short text, and text of few lines, stays as it is', () => {
  for (const text of ['y\r\n'.repeat(1000), `${'x'.repeat(10_000)}\r\n`.repeat(rows)]) {
    const bytes = Buffer.from(text);
    expect(withoutScrolledOff(bytes, rows).bytes).toBe(bytes);
  }
});
