/** Bytes and the events that they are, told together: the same events as without the bytes. */

import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { InputEvent } from '../../lib/protocol/input.js';
import { createInputDecoder, SEQUENCE_TIMEOUT_MS } from '../../lib/tui/input-decoder.js';
import { createSpellingDecoder } from '../../lib/tui/spelling.js';
import { FakeClock } from '../support/fake-clock.js';

const named = (event: InputEvent): string => (event.type === 'key' ? event.key : event.type);

/** What is told of reads, each with the time after it. */
async function spelled(...reads: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  const clock = new FakeClock();
  const told: (readonly [string, string])[] = [];
  const decoder = createSpellingDecoder(clock, ({ bytes, events }) =>
    told.push([Buffer.from(bytes).toString('latin1'), events.map(named).join(' ')]),
  );
  for (const read of reads) {
    decoder.feed(Buffer.from(read));
    await clock.advance(SEQUENCE_TIMEOUT_MS);
  }
  return told;
}

test.each([
  ['a key', ['\x10'], [['\x10', 'C-p']]],
  ['a lone Escape, by time', ['\x1b'], [['\x1b', 'escape']]],
  ['a sequence', ['\x1b[1;5A'], [['\x1b[1;5A', 'C-up']]],
  [
    'two in one read',
    ['\x1b[Aq'],
    [
      ['\x1b[A', 'up'],
      ['q', 'q'],
    ],
  ],
  [
    'one in two reads',
    ['\x1b[', 'A'],
    [
      ['\x1b[', 'M-['],
      ['A', 'A'],
    ],
  ],
  ['a key that goes up', ['\x1b[97;1:3u'], [['\x1b[97;1:3u', '']]],
  ['a cluster of several code points', ['👍🏽'], [[Buffer.from('👍🏽').toString('latin1'), '👍🏽']]],
  ['a paste', ['\x1b[200~ab\x1b[201~'], [['\x1b[200~ab\x1b[201~', 'paste']]],
  [
    'a key before a paste',
    ['x\x1b[200~ab\x1b[201~'],
    [
      ['x', 'x'],
      ['\x1b[200~ab\x1b[201~', 'paste'],
    ],
  ],
  [
    'a mouse wheel, twice',
    ['\x1b[<64;1;1M\x1b[<64;1;1M'],
    [
      ['\x1b[<64;1;1M', 'mouse'],
      ['\x1b[<64;1;1M', 'mouse'],
    ],
  ],
])('%s', async (_name, reads, expected) => {
  expect(await spelled(...reads)).toEqual(expected);
});

test('every byte is told once and in order, and the events are those of the decoder itself', async () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\x1b',
    '\x1b[A',
    '\x1bOP',
    '\x1b[200~',
    '\x1b[201~',
    '\x1b[27;2;13~',
    '日',
    '\r',
    '\x1b]11;x\x07',
    '[',
    '<',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(piece, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), async (reads) => {
      const clock = new FakeClock();
      let bytes = '';
      let events = '';
      let plain = '';
      const typed = (event: InputEvent) => (event.type === 'key' ? `${event.key};` : `${JSON.stringify(event)};`);
      const spelling = createSpellingDecoder(clock, (told) => {
        bytes += Buffer.from(told.bytes).toString('utf8');
        events += told.events.map(typed).join('');
      });
      const decoder = createInputDecoder(clock, (event) => {
        plain += typed(event);
      });
      for (const read of reads) {
        spelling.feed(Buffer.from(read.join('')));
        decoder.feed(Buffer.from(read.join('')));
        await clock.advance(10_000);
      }
      expect(bytes).toBe(reads.flat().join(''));
      expect(events).toBe(plain);
    }),
    { numRuns: 200, seed: 2026 },
  );
});
