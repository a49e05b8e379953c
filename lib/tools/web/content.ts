/** What kind of thing came over the network, and its text. */

/** `html` is to be made readable, `text` is shown as it is, of `binary` only type and size are told. */
export type ContentKind = 'html' | 'text' | 'binary';

/** `text/html; charset=x` without what follows, in small letters. */
export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

const TEXTUAL =
  /^(text\/|application\/(json|ld\+json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-sh|x-ndjson|jsonl|sql|graphql|rtf|x-www-form-urlencoded|x-httpd-php|x-tex|x-perl|x-python)$|.+\+(json|xml|yaml)$|message\/|image\/svg\+xml$)/;
/** Said when a server does not know, or does not care. */
const UNSURE: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown']);

/** By the type alone; null when only a look at the bytes can tell. */
export function kindByType(contentType: string): ContentKind | null {
  const type = mediaType(contentType);
  if (UNSURE.has(type)) return null;
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  return TEXTUAL.test(type) ? 'text' : 'binary';
}

/** By type and bytes: what holds NUL is no text, whatever is said of it (UTF-16 with its mark excepted). */
export function kindOf(contentType: string, bytes: Uint8Array): ContentKind {
  const declared = kindByType(contentType);
  if (declared === 'binary') return 'binary';
  if (bytes.subarray(0, 8000).includes(0) && !/^utf-16/.test(markedCharset(bytes) ?? '')) return 'binary';
  if (declared !== null) return declared;
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  return /^\s*(<!--[\s\S]*?-->\s*)?<(!doctype\s+html|html|head|body)\b/i.test(start) ? 'html' : 'text';
}

function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : null;
}

/** Charset by mark, header, and what the document says of itself in its first 1024 bytes (WHATWG HTML, 13.2.3); null: nobody says. */
function declaredCharset(contentType: string, bytes: Uint8Array, kind: ContentKind): string | null {
  const marked = markedCharset(bytes);
  if (marked !== null) return marked;
  const header = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  if (header !== undefined) return header;
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1];
  if (xml !== undefined) return xml;
  return (kind === 'html' ? /<meta[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1] : undefined) ?? null;
}

/** Text, and the charset that it was read in. */
export interface Decoded {
  readonly text: string;
  readonly charset: string;
}

/** What cannot be read in the declared charset becomes U+FFFD. When not `isWhole`, the end may be half a character. */
export function decode(contentType: string, bytes: Uint8Array, kind: ContentKind, isWhole: boolean): Decoded {
  const declared = declaredCharset(contentType, bytes, kind);
  if (declared !== null) {
    try {
      const decoder = new TextDecoder(declared);
      return { text: decoder.decode(bytes), charset: decoder.encoding };
    } catch {
      // A charset that nobody knows is as good as none.
    }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole }), charset: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' };
  }
}
