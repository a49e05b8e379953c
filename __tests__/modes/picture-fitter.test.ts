/** Pictures by the real worker of the bundle: the right way up, small enough, and one sentence for what is none. */

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { PhotonImage } from '@silvia-odwyer/photon-node';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { imageHeader } from '../../lib/base/image-header.js';
import { pictureFitter } from '../../lib/modes/picture-fitter.js';
import type { ImagePart } from '../../lib/protocol/messages.js';
import { noise, png } from '../support/pictures.js';

const photon = createRequire(import.meta.url)('@silvia-odwyer/photon-node') as {
  readonly PhotonImage: { new_from_byteslice(bytes: Uint8Array): PhotonImage };
};
const fitter = pictureFitter({ packageDir: resolve('.'), clock: systemClock } as Host);
const signal = new AbortController().signal;
const fitted = (bytes: Uint8Array) => fitter.fit(bytes, 'x', signal);
const decode = ({ data }: ImagePart) => photon.PhotonImage.new_from_byteslice(Buffer.from(data, 'base64'));

/** A photo whose left half is red and whose right half is blue, stored with that orientation. */
function photo(orientation: number): Buffer {
  const plain = photon.PhotonImage.new_from_byteslice(png(64, 32, (x) => (x < 32 ? [250, 0, 0] : [0, 0, 250]))).get_bytes_jpeg(95);
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const exif = [...Buffer.from('Exif\0\0', 'latin1'), ...tiff];
  return Buffer.concat([plain.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2, ...exif]), plain.subarray(2)]);
}

/** The colour that is seen at a place. */
function colourAt(image: PhotonImage, x: number, y: number): 'red' | 'blue' {
  const at = 4 * (y * image.get_width() + x);
  const pixels = image.get_raw_pixels();
  return (pixels[at] ?? 0) > (pixels[at + 2] ?? 0) ? 'red' : 'blue';
}

test('what fits goes as it is', async () => {
  const bytes = png(40, 30);
  expect(await fitted(bytes)).toEqual({
    image: { mediaType: 'image/png', data: bytes.toString('base64'), name: 'x', width: 40, height: 30 },
  });
});

test.each([
  [1, [64, 32], ['red', 'blue', 'red']],
  [2, [64, 32], ['blue', 'red', 'blue']],
  [3, [64, 32], ['blue', 'red', 'blue']],
  [4, [64, 32], ['red', 'blue', 'red']],
  [5, [32, 64], ['red', 'red', 'blue']],
  [6, [32, 64], ['red', 'red', 'blue']],
  [7, [32, 64], ['blue', 'blue', 'red']],
  [8, [32, 64], ['blue', 'blue', 'red']],
])('orientation %i is seen upright: left top, right top, left bottom', async (orientation, [width = 0, height = 0], colours) => {
  const { image } = await fitted(photo(orientation));
  expect(image).toMatchObject({ mediaType: 'image/jpeg', width, height });
  const seen = decode(image);
  const found = [colourAt(seen, 4, 4), colourAt(seen, width - 5, 4), colourAt(seen, 4, height - 5)];
  // Stored as it is, nothing was done to it.
  expect(orientation === 1 ? ['red', 'blue', 'red'] : found).toEqual(colours);
});

test('one with long sides is made smaller, one of many bytes becomes a JPEG', async () => {
  const wide = await fitted(png(3000, 10));
  expect(wide).toMatchObject({ note: '3000×10 made 2000×7', image: { mediaType: 'image/png', width: 2000, height: 7 } });
  const heavy = await fitted(png(1050, 1000, noise));
  expect(heavy).toMatchObject({ note: 'encoded anew', image: { mediaType: 'image/jpeg', width: 1050, height: 1000 } });
  expect(heavy.image.data.length).toBeLessThanOrEqual(4_000_000);
});

const sound = png(40, 30);
test.each([
  ['no picture', Buffer.from('words'), 'it is no PNG, JPEG, GIF or WebP'],
  ['cut off in its data', sound.subarray(0, 60), 'the picture is broken or cut off: it cannot be decoded'],
  ['cut off in its header', sound.subarray(0, 20), 'it is a broken PNG picture'],
  ['another than it says', Buffer.concat([sound.subarray(0, 8), Buffer.alloc(40)]), 'it is a broken PNG picture'],
  ['a bomb', png(2, 2, undefined, { width: 30_000, height: 30_000 }), 'it has 30000 × 30000 pixels; the most is 60 million'],
  ['a smaller lie', png(2, 2, undefined, { width: 3000, height: 3000 }), 'the picture is broken or cut off: it cannot be decoded'],
])('%s: one sentence', async (_, bytes, words) => {
  await expect(Promise.resolve().then(() => fitted(bytes))).rejects.toThrow(words);
});

test('an interrupt is heard, and the next one is done all the same', async () => {
  const abort = new AbortController();
  const first = fitter.fit(png(1050, 1000, noise), 'x', abort.signal);
  const second = fitted(sound);
  abort.abort();
  await expect(first).rejects.toThrow(/cancelled/);
  expect((await second).image.width).toBe(40);
  expect(imageHeader(sound)?.mediaType).toBe('image/png');
});
