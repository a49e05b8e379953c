/** The orientation in a JPEG, and what is no such thing. */

import { exifOrientation } from '../../lib/base/exif-orientation.js';

/** The beginning of a photo with that orientation, in either order of bytes. */
function photo(orientation: number, little: boolean, directory = 8): Buffer {
  const tiff = Buffer.alloc(26);
  const put16 = (value: number, at: number) => (little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at));
  const put32 = (value: number, at: number) => (little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at));
  tiff.write(little ? 'II' : 'MM', 0, 'latin1');
  put16(42, 2);
  put32(directory, 4);
  put16(1, 8);
  put16(0x0112, 10);
  put16(3, 12);
  put32(1, 14);
  put16(orientation, 18);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  // JFIF stands before it.
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xe1]), length, exif, Buffer.from([0xff, 0xda, 0, 2])]);
}

test.each([
  [6, true],
  [8, false],
  [1, true],
])('%i, little end first: %s', (orientation, little) => {
  expect(exifOrientation(photo(orientation, little))).toBe(orientation);
});

test('what cannot be read is as stored', () => {
  const sound = photo(6, true);
  expect(exifOrientation(photo(9, true))).toBe(1);
  expect(exifOrientation(photo(6, true, 0xffffffff))).toBe(1);
  for (let length = 0; length < sound.length; length++) expect([1, 6]).toContain(exifOrientation(sound.subarray(0, length)));
  expect(exifOrientation(Buffer.from('no photo at all, only some words'))).toBe(1);
});
