/** Names of files are bytes: kept as latin1 (one character a byte), shown as text. */

import { visible } from '../../base/visible.js';

/** As a path of the system, for a model and for people: UTF-8; what is none, line ends and what cannot be seen are spelled out (`\xE9`, `␊`, `<U+200B>`). */
export function shownName(bytes: string): string {
  if (/^[\x20-\x7e]*$/.test(bytes)) return bytes;
  const text = textOf(bytes).replace(/\n/g, '\u240a').replace(/\t/g, '\u2409').replace(/\r/g, '\u240d');
  return visible(text, 'exact');
}

/** The text that those bytes are in UTF-8; each byte that is none as `\xE9`. */
export function textOf(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes.replace(WHOLE_OR_NOT, (found) => {
      const decoded = Buffer.from(found, 'latin1').toString('utf8');
      return decoded.includes('\ufffd') ? found.replace(/./gs, spelled) : decoded;
    });
  }
}

/** What could be a character of several bytes, or a byte that is none. */
const WHOLE_OR_NOT = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;

function spelled(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The bytes of a text, as such a name. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
