/** HTML's character references in prose, as CommonMark decodes them: the few names that people and models write, and all numbers. */

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  larr: '←',
  rarr: '→',
  times: '×',
  deg: '°',
  copy: '©',
  reg: '®',
  euro: '€',
  check: '✓',
};

/** `text` with its references decoded; unknown ones stay as they are. The result is as untrusted as `text`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:([a-z]{2,8})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
  });
}
