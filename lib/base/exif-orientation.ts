/** How a photo is to be turned: the orientation in the EXIF of a JPEG (CIPA DC-008, tag 0x0112). */

const START_OF_SCAN = 0xda;
const APP1 = 0xe1;
const EXIF = 0x45786966;
const ORIENTATION = 0x0112;
const LITTLE_ENDIAN = 0x4949;

/** 1 as stored, 2 to 8 mirrored or turned; 1 when nothing is said, or nothing that can be read. */
export function exifOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 10 <= bytes.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === START_OF_SCAN) return 1;
    if (marker === APP1 && view.getUint32(at + 4) === EXIF) return inDirectory(view, at + 10);
  }
  return 1;
}

/** The first directory of a TIFF (6.0) that begins at `start`. */
function inDirectory(view: DataView, start: number): number {
  const has = (end: number) => end <= view.byteLength;
  if (!has(start + 8)) return 1;
  const little = view.getUint16(start) === LITTLE_ENDIAN;
  const directory = start + view.getUint32(start + 4, little);
  if (!has(directory + 2)) return 1;
  const count = view.getUint16(directory, little);
  for (let entry = 0; entry < count; entry++) {
    const tag = directory + 2 + 12 * entry;
    if (!has(tag + 12)) return 1;
    if (view.getUint16(tag, little) !== ORIENTATION) continue;
    const value = view.getUint16(tag + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
