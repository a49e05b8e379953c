/** Bytes that come in any pieces are cut into the same lines. */

import fc from 'fast-check';
import { type ByteLine, ByteLines } from '../../lib/base/byte-lines.js';

function cut(bytes: Uint8Array, sizes: readonly number[], most = 1000): readonly ByteLine[] {
  const lines = new ByteLines(most);
  const found: ByteLine[] = [];
  let at = 0;
  for (const size of sizes) {
    found.push(...lines.take(bytes.subarray(at, at + size)));
    at += size;
  }
  found.push(...lines.take(bytes.subarray(at)));
  const rest = lines.rest();
  return rest === null ? found : [...found, rest];
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('lines end with LF alone; what comes after the last one is a line too', () => {
  expect(cut(bytes('one\ntwo\u2028still two\r\n\nthree'), [])).toEqual([
    { text: 'one' },
    { text: 'two\u2028still two\r' },
    { text: '' },
    { text: 'three' },
  ]);
});

test('what is no UTF-8, and what is too long, is told of and nothing else is lost', () => {
  const broken = Uint8Array.from([...bytes('a\n'), 0xff, 0xfe, 0x0a, ...bytes(`${'x'.repeat(1001)}\n${'x'.repeat(1000)}\n\ufeffb`)]);
  const expected = [{ text: 'a' }, { problem: 'no UTF-8' }, { problem: 'too long' }, { text: 'x'.repeat(1000) }, { text: '\ufeffb' }];
  expect(cut(broken, [])).toEqual(expected);
  expect(
    cut(
      broken,
      Array.from({ length: broken.length }, () => 1),
    ),
  ).toEqual(expected);
});

test('however they are torn apart', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀', '\n', '\r'), maxLength: 60 }),
      fc.array(fc.nat(9)),
      (text, sizes) => {
        const whole = text.split('\n').map((line) => ({ text: line }));
        if (whole.at(-1)?.text === '') whole.pop();
        expect(cut(bytes(text), sizes)).toEqual(whole);
      },
    ),
  );
});
