/** What a picture is, by its first bytes and never by its name: PNG (RFC 2083), JPEG (ITU T.81), GIF (89a), WebP (RFC 9649). */

/** The kinds of picture that models take. */
export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface ImageHeader {
  readonly mediaType: ImageMediaType;
  /** As people say it: `PNG`. */
  readonly kind: string;
  /** In pixels; null: not to be seen in the bytes that were given. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** What the picture is that begins with `bytes`; null when they begin none of those kinds. Some kilobytes are enough, but for a JPEG with long notes in it. */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) => view.toString('latin1', from, to);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return { mediaType: 'image/png', kind: 'PNG', size: pngSize(view) };
  if (text(0, 3) === '\xff\xd8\xff') return { mediaType: 'image/jpeg', kind: 'JPEG', size: jpegSize(view) };
  if (/^GIF8[79]a$/.test(text(0, 6))) return { mediaType: 'image/gif', kind: 'GIF', size: gifSize(view) };
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return { mediaType: 'image/webp', kind: 'WebP', size: webpSize(view) };
  return null;
}

type Size = ImageHeader['size'];

function pngSize(view: Buffer): Size {
  if (view.length < 24 || view.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
}

function gifSize(view: Buffer): Size {
  return view.length < 10 ? null : { width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
}

/** A start of frame is 0xC0 … 0xCF, but for the tables that are among them (DHT, JPG, DAC). */
function jpegSize(view: Buffer): Size {
  for (let at = 2; at + 9 <= view.length; ) {
    if (view[at] !== 0xff) return null;
    const marker = view[at + 1] ?? 0;
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
    else if (marker === 0xd9 || marker === 0xda) return null;
    else at += 2 + (marker >= 0xd0 && marker <= 0xd8 ? 0 : Math.max(2, view.readUInt16BE(at + 2)));
  }
  return null;
}

function webpSize(view: Buffer): Size {
  if (view.length < 30) return null;
  const chunk = view.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8 ') return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return null;
  const bits = view.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
