/** Pictures by their first bytes. */

import { imageHeader } from '../../lib/base/image-header.js';

const bytes = (hex: string, length = 0) => Buffer.concat([Buffer.from(hex.replace(/\s/g, ''), 'hex'), Buffer.alloc(length)]);
const latin = (text: string) => Buffer.from(text, 'latin1').toString('hex');

test.each([
  ['PNG', 'image/png', bytes('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0'), 640, 480],
  ['GIF', 'image/gif', bytes(`${latin('GIF89a')} 8002 e001`), 640, 480],
  ['GIF', 'image/gif', bytes(`${latin('GIF87a')} 0100 0200`), 1, 2],
  ['JPEG', 'image/jpeg', bytes('ffd8 ffe0 0010 4a46494600 0101 0000 0100 0100 00 ffff c2 0011 08 01e0 0280 03'), 640, 480],
  ['WebP', 'image/webp', bytes(`${latin('RIFF')} 00000000 ${latin('WEBPVP8X')} 0a000000 00000000 7f0200 df0100`), 640, 480],
  ['WebP', 'image/webp', bytes(`${latin('RIFF')} 00000000 ${latin('WEBPVP8 ')} 00000000 000000 9d012a 8002 e001`), 640, 480],
  ['WebP', 'image/webp', bytes(`${latin('RIFF')} 00000000 ${latin('WEBPVP8L')} 00000000 2f 7fc27700`, 8), 640, 480],
])('%s as %s', (kind, mediaType, content, width, height) => {
  expect(imageHeader(content)).toEqual({ kind, mediaType, size: { width, height } });
});

test('cut off at any byte, and of any bytes behind, it only says less', () => {
  const jpeg = bytes('ffd8 ffe0 0010 4a46494600 0101 0000 0100 0100 00 ffc0 0011 08 01e0 0280 03');
  for (let length = 0; length < jpeg.length; length++)
    expect(imageHeader(jpeg.subarray(0, length))?.size ?? null).toEqual(length >= 29 ? { width: 640, height: 480 } : null);
  for (const start of ['89504e470d0a1a0a', 'ffd8ff', latin('GIF89a'), `${latin('RIFF')}00000000${latin('WEBP')}`]) {
    for (const filler of [0, 0xff, 0xd8, 0xc0])
      expect(() => imageHeader(Buffer.concat([bytes(start), Buffer.alloc(1000, filler)]))).not.toThrow();
  }
});

test('what is none', () => {
  for (const content of ['', 'GIF', 'GIF88a....', 'RIFF....WAVE', 'PNG', '<svg/>', '\u0089PNG'])
    expect(imageHeader(Buffer.from(content))).toBeNull();
});
