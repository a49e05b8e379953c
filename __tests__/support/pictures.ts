/** Pictures for tests, made of bytes. */

import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of that size; `pixel` gives the red, green and blue of each place. With `claims` the header tells another size than there is. */
export function png(
  width: number,
  height: number,
  pixel: (x: number, y: number) => readonly [number, number, number] = () => [200, 30, 30],
  claims: { readonly width: number; readonly height: number } = { width, height },
): Buffer {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (1 + 3 * width) + 1 + 3 * x);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claims.width, 0);
  header.writeUInt32BE(claims.height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Pixels that nothing can pack: a file of them is as large as they are. */
export function noise(x: number, y: number): readonly [number, number, number] {
  const mixed = (seed: number) => {
    const once = Math.imul(x * 73_856_093 + seed, 0x9e3779b1) ^ Math.imul(y * 19_349_663 + seed, 0x85ebca6b);
    return (Math.imul(once ^ (once >>> 15), 0xc2b2ae35) >>> 16) & 255;
  };
  return [mixed(1), mixed(2), mixed(3)];
}
