/** read_file: lines in pieces, lines that are too long, pictures by what they are, binary files. */

import { defaultDenylist } from '../../lib/policy/shell-command.js';
import { readFileTool } from '../../lib/tools/read-file.js';
import type { ToolContext, ToolResult } from '../../lib/tools/tool.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget } from '../support/fake-target.js';
import { judge } from '../support/judging.js';

function reading(content: Uint8Array | string, args: object = {}): Promise<ToolResult> {
  const fake = fakeTarget();
  fake.files.set('/f', Buffer.from(content));
  const context: ToolContext = {
    ...{ signal: new AbortController().signal, clock: new FakeClock(), target: fake.target, denylist: defaultDenylist, judge },
    caution: 'policy',
    report: () => undefined,
    background: () => '7',
  };
  return readFileTool.run(readFileTool.parse({ path: '/f', why: 'w', ...args }), context);
}
const told = async (content: Uint8Array | string, args: object = {}) => (await reading(content, args)).result as Record<string, unknown>;

const numbers = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}\n`).join('');

test('a short file is told whole, one without an end of line too', async () => {
  expect(await told('a\nb')).toEqual({ path: '/f', size: 3, content: 'a\nb' });
  expect(await told('')).toEqual({ path: '/f', size: 0, content: '' });
  expect(await told('\n\n')).toEqual({ path: '/f', size: 2, content: '\n\n' });
});

test('a long one comes in pieces of 2000 lines, and the note names the next', async () => {
  const first = await told(numbers);
  expect(first).toMatchObject({ truncated: true, note: expect.stringMatching(/read on with offset 2001\.$/) });
  expect((first['content'] as string).endsWith('line 2000\n')).toBe(true);
  const second = await told(numbers, { offset: 2001 });
  expect(second).not.toHaveProperty('note');
  expect(`${first['content']}${second['content']}`).toBe(numbers);
  expect(await told(numbers, { offset: 10, limit: 2 })).toMatchObject({
    content: 'line 10\nline 11\n',
    note: expect.stringContaining('offset 12'),
  });
});

test('read to the end by what the notes say, all of it has come, whatever the lines are', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `${'é€😀'.repeat(at * 7)}\n`).join('');
  let all = '';
  let offset = 1;
  for (let calls = 0; calls < 50; calls++) {
    const { content, note } = await told(lines, { offset });
    all += content as string;
    if (note === undefined) break;
    offset = Number(/offset (\d+)\.$/.exec(note as string)?.[1]);
  }
  expect(all).toBe(lines);
});

test('a line that is longer than a piece is read on in by bytes, between characters', async () => {
  const long = `first\n${'€'.repeat(40_000)}\nlast\n`;
  expect(await told(long)).toMatchObject({ content: 'first\n', note: expect.stringMatching(/offset 2\.$/) });
  let line = '';
  let byteOffset = 0;
  for (let calls = 0; calls < 10; calls++) {
    const { content, note = '' } = await told(long, { offset: 2, byte_offset: byteOffset, limit: 1 });
    line += content as string;
    const next = /byte_offset (\d+)/.exec(note as string)?.[1];
    if (next === undefined) break;
    byteOffset = Number(next);
  }
  expect(line).toBe(`${'€'.repeat(40_000)}\n`);
});

test('past the end it says how many lines there are: calls of old conversations counted bytes', async () => {
  expect(await told('a\nb\n', { offset: 8000 })).toMatchObject({
    content: '',
    note: 'The file has 2 lines; offset counts lines, byte_offset bytes.',
  });
  expect((await reading('a\n', { offset: 3 })).isError).toBe(false);
});

test('binary files are a sentence', async () => {
  expect(await told(Uint8Array.from([1, 0, 2]))).toMatchObject({ binary: true, size: 3 });
});

test('a picture is known by its bytes, whatever its name; what only has the name is none', async () => {
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from([0, 0, 2, 128, 0, 0, 1, 224, 8, 6, 0, 0, 0]),
    Buffer.alloc(70_000),
  ]);
  const result = await reading(png);
  expect(result.images).toEqual([{ mediaType: 'image/png', data: png.toString('base64'), name: '/f' }]);
  expect(result.text).toBe('PNG picture, 70.0 kB (70029 bytes), 640 × 480 pixels.');
  expect(result.summary).toBe('PNG · 640 × 480');
  expect((await reading('not a picture')).images).toBeUndefined();
  const huge = await reading(Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024)]));
  expect([huge.images, huge.text.includes('too large to be shown')]).toEqual([undefined, true]);
});
