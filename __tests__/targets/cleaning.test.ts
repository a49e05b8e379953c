/** Terminal bytes as the text that a model reads. */

import { ByteLog } from '../../lib/targets/output/byte-log.js';
import { lastLineOf, OutputCleaner } from '../../lib/targets/output/cleaning.js';
import { loadEmulator } from '../../lib/targets/terminal-emulator.js';

const cleaner = new OutputCleaner(loadEmulator);

async function clean(raw: string | Buffer, cols = 80, limit?: number) {
  const log = new ByteLog(limit);
  log.append(Buffer.from(raw));
  return cleaner.clean(log, cols);
}

test.each([
  ['line ends', 'a\r\nb\r\n', 'a\nb\n'],
  ['doubled carriage returns', 'a\r\r\nb\r\n', 'a\nb\n'],
  ['tabs', 'a\tb\r\n', 'a\tb\n'],
  ['colours', '\x1b[1;31mred\x1b[0m\r\n', 'red\n'],
  ['true colour with colons', '\x1b[38:2::1:2:3mx\x1b[m', 'x'],
  ['hidden text', '\x1b[8mhidden\x1b[0m', 'hidden'],
  ['links and titles', '\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\\x1b]2;t\x07', 'link'],
  ['progress', '1%\r50%\r100%\r\ndone\r\n', '100%\ndone\n'],
  ['a spinner', '|\b/\b-\bok\r\n', 'ok\n'],
  ['rows drawn again', 'a\r\nb\r\n\x1b[2A\x1b[Kx\r\n\x1b[Ky\r\n', 'x\ny\n'],
  ['clear', 'before\r\n\x1b[H\x1b[2J\x1b[3Jafter\r\n', 'before\nafter\n'],
  ['reset', 'before\x1bcafter\r\n', 'before\nafter\n'],
  ['the alternate screen', 'a\r\n\x1b[?1049hvim\x1b[?1049lb\r\n', 'a\nb\n'],
  ['long lines that wrap', `${'x'.repeat(200)}\by\r\n`, `${'x'.repeat(199)}y\n`],
  ['wide characters', '日本\b\b語\r\n', '日語\n'],
  ['nothing', '', ''],
  ['bells', 'a\x07b', 'ab'],
  ['our own trace', '+++ echo real\r\nreal\r\n++ __bd_rc=0\r\n', '+++ echo real\nreal\n'],
  [
    'our own trace in zsh',
    '+(eval):1> __bd_st 4\r\n+__bd_st:0> return 4\r\n+(eval):1> echo x\r\nx\r\n+(eval):12> __bd_rc=0 \r\n',
    '+(eval):1> echo x\nx\n',
  ],
])('%s', async (_, raw, expected) => {
  const { text, truncated } = await clean(raw);
  expect(text).toBe(expected);
  expect(truncated).toBe(false);
});

test.each(['\x1b]0;title', '\x1bP$q', '\x1b[1;', '\x9d0;title', '\x0e\x1b)0', '\x1b[?1049h'])(
  'what %j began does not reach into the next output',
  async (raw) => {
    await clean(`a\bb${raw}`);
    expect((await clean('first\r\nsecond\bD\r\n')).text).toBe('first\nseconD\n');
  },
);

test('binary output is named with its size', async () => {
  expect(await clean(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]))).toMatchObject({
    text: '[binary output, 8 bytes, not shown]',
    totalBytes: 8,
  });
  expect((await clean(Buffer.from(Array.from({ length: 400 }, (_, at) => 0x80 + (at % 0x70))))).text).toMatch(
    /^\[binary output, 400 bytes/,
  );
});

test('a long output keeps beginning and end and says its size', async () => {
  const raw = Array.from({ length: 20_000 }, (_, at) => `line ${at}\r\n`).join('');
  const output = await clean(raw, 80, 50_000);
  expect(output).toMatchObject({ truncated: true, totalLines: 20_000, totalBytes: raw.length - 20_000 });
  expect(output.text.startsWith('line 0\nline 1\n')).toBe(true);
  expect(output.text.endsWith('line 19998\nline 19999\n')).toBe(true);
  expect(output.text.length).toBeLessThan(34_000);
  expect(output.text).toContain(`the whole output is ${output.totalBytes} bytes in 20000 lines`);
  for (const line of output.text.split('\n')) expect(line).toMatch(/^(line \d+|\[… cut here.*|)$/);
});

test('an output with a gap says so', async () => {
  const log = new ByteLog();
  log.append(Buffer.from('a\r\n'));
  log.gap();
  expect(await cleaner.clean(log, 80)).toMatchObject({
    text: 'a\n\n[… some of the output is missing: it came faster than it could be read …]',
    truncated: true,
  });
});

test('cleaning several outputs at once mixes nothing', async () => {
  const outputs = await Promise.all(['a', 'b', 'c'].map((letter) => clean(`x\r${letter.repeat(3)}\r\n`)));
  expect(outputs.map(({ text }) => text)).toEqual(['aaa\n', 'bbb\n', 'ccc\n']);
});

describe('the byte log', () => {
  test('counts what the program printed, wherever the chunks are cut', () => {
    const log = new ByteLog();
    for (const chunk of ['a\r', '\nb', '\r\n', 'c\rd']) log.append(Buffer.from(chunk));
    expect([log.totalBytes, log.totalLines]).toEqual(['a\nb\nc\rd'.length, 3]);
    expect(log.kept()).toEqual({ head: Buffer.from('a\r\nb\r\nc\rd'), tail: null });
  });

  test('keeps both ends of an endless output in bounded memory', () => {
    const log = new ByteLog(100);
    for (let at = 0; at < 1000; at++) log.append(Buffer.from(`${String(at).padStart(4, '0')}\n`));
    const { head, tail } = log.kept();
    expect(head.toString().startsWith('0000\n0001\n')).toBe(true);
    expect(tail?.toString().endsWith('0998\n0999\n')).toBe(true);
    expect([head.length, tail?.length]).toEqual([100, 100]);
    expect(log.totalBytes).toBe(5000);
  });

  test('loses nothing while it is shorter than both ends', () => {
    const log = new ByteLog(100);
    const text = 'x'.repeat(99) + 'y'.repeat(80);
    for (const character of text) log.append(Buffer.from(character));
    expect(log.kept()).toEqual({ head: Buffer.from(text), tail: null });
    expect(log.end(5).toString()).toBe('yyyyy');
  });
});

test('the last line of an output, for a list of tasks', () => {
  expect(lastLineOf(Buffer.from('one\r\n\x1b[32mtwo\x1b[0m\r\n\r\n'))).toBe('two');
  expect(lastLineOf(Buffer.from('10%\r55%\x1b[K'))).toBe('55%');
  expect(lastLineOf(Buffer.from(''))).toBe('');
});
