/**
 * What servers refuse of a picture in a request: base64 that is none, a type that is not that of the bytes, one that is cut off, too many bytes
 * (Anthropic's page on vision: 5 MB of base64, 8000 pixels a side; OpenAI's: an address with the data in it).
 */

import { isBase64 } from '../../../lib/base/base64.js';
import { type Json, text } from './rules.js';

interface Limits {
  readonly characters: number;
  readonly pixels: number;
}

/** Anthropic's. */
export const ANTHROPIC: Limits = { characters: 5 * 1024 * 1024, pixels: 8000 };
/** OpenAI's, of the whole request. */
export const OPENAI: Limits = { characters: 50 * 1024 * 1024, pixels: 65_535 };

const SIGNATURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) && bytes.includes('IEND'),
  'image/jpeg': (bytes) => bytes.readUInt16BE(0) === 0xffd8 && bytes.includes(Buffer.from([0xff, 0xd9])),
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  'image/webp': (bytes) => /^RIFF[\s\S]{4}WEBP/.test(bytes.toString('latin1', 0, 12)),
};

/** What is wrong with a picture of that type, or null. */
export function imageFault(mediaType: unknown, data: unknown, where: string, limits: Limits): string | null {
  const is = SIGNATURES[text(mediaType)];
  if (is === undefined) return `${where}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
  if (!isBase64(text(data))) return `${where}: invalid base64 data`;
  if (text(data).length > limits.characters) return `${where}: image exceeds ${limits.characters} bytes maximum`;
  const bytes = Buffer.from(text(data), 'base64');
  if (!is(bytes)) return `${where}: the image appears not to be of the type ${text(mediaType)}, or could not be processed`;
  const isLarge = mediaType === 'image/png' && Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) > limits.pixels;
  return isLarge ? `${where}: at least one of the image dimensions exceed max allowed size: ${limits.pixels} pixels` : null;
}

/** The same of an address that holds the data. */
export function dataUrlFault(url: unknown, where: string): string | null {
  const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(text(url)) ?? [];
  if (type === undefined) return `Invalid '${where}': expected a base64-encoded data URL with an image MIME type`;
  return imageFault(type, data, where, OPENAI);
}

/** What is wrong with an image block of the messages API, or null. */
export function imageBlockFault(block: Json, where: string): string | null {
  const source = block['source'] as Json | undefined;
  if (source?.['type'] !== 'base64') return `${where}.image.source: Field required`;
  return imageFault(source['media_type'], source['data'], `${where}.image.source.base64`, ANTHROPIC);
}
