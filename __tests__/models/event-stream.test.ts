/** Server-sent events, cut anywhere and ended in every way. */

import fc from 'fast-check';
import { EventStreamDecoder, type ServerEvent } from '../../lib/models/event-stream.js';

function decode(bytes: Uint8Array, cuts: readonly number[] = []): readonly ServerEvent[] {
  const decoder = new EventStreamDecoder();
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const events: ServerEvent[] = [];
  let from = 0;
  for (const to of [...at, bytes.length]) {
    events.push(...decoder.push(bytes.subarray(from, to)));
    from = to;
  }
  return [...events, ...decoder.end()];
}

const data = (text: string, cuts?: readonly number[]) => decode(Buffer.from(text, 'utf8'), cuts).map((event) => event.data);

test.each([
  ['data: a\n\ndata: b\n\n', ['a', 'b']],
  ['data:a\n\ndata:  b\n\n', ['a', ' b']],
  ['\ufeffdata: a\r\n\r\ndata: b\r\r', ['a', 'b']],
  ['data: a\ndata: b\ndata\n\n', ['a\nb\n']],
  [': comment\nid: 1\nretry: 2\nfoo: bar\ndata: a\n\n', ['a']],
  ['data: no end', ['no end']],
  ['data: no end\n', ['no end']],
  ['data:\n\ndata: \n\n\n\n', []],
  ['data: 你😀\n\n', ['你😀']],
  ['data: {"a":"b: c"}\n\n', ['{"a":"b: c"}']],
])('%j', (text, wanted) => {
  expect(data(text)).toEqual(wanted);
});

test('names of events, and errors in a field of their own', () => {
  expect(decode(Buffer.from('event: x\ndata: 1\n\ndata: 2\n\nerror: {"code":500}\n\n'))).toEqual([
    { name: 'x', data: '1' },
    { name: '', data: '2' },
    { name: 'error', data: '{"code":500}' },
  ]);
});

test('wherever it is cut, the events are the same', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    fc.constantFrom('data:x', 'event: y', ': c', 'id: 7', '', 'data', 'foo'),
  );
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const stream = fc.array(fc.tuple(line, end), { maxLength: 20 }).map((lines) => lines.map(([text, ending]) => text + ending).join(''));
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400), { maxLength: 30 }), (text, cuts) => {
      const bytes = Buffer.from(text, 'utf8');
      expect(decode(bytes, cuts)).toEqual(decode(bytes));
      expect(decode(bytes, [...bytes.keys()])).toEqual(decode(bytes));
    }),
    { numRuns: 300 },
  );
});

test('a line of many small pieces is put together in one go; one without end is refused', () => {
  const most = 8 * 1024 * 1024;
  const decoder = new EventStreamDecoder(most);
  const piece = Buffer.from('x'.repeat(64));
  decoder.push(Buffer.from('data: '));
  for (let count = 0; count < 100_000; count++) decoder.push(piece);
  expect(decoder.push(Buffer.from('\n\n'))[0]?.data).toHaveLength(6_400_000);
  decoder.push(Buffer.from('data: '));
  const large = Buffer.alloc(1024 * 1024, 'x');
  expect(() => {
    for (let size = 0; size <= most; size += large.length) decoder.push(large);
  }).toThrow('an event is too long');
});
