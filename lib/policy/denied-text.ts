/** An entry of the denylist looked for as text. */

/** The entry stands in the text, upper and lower case and blanks alike. One that ends in `/` means only the root folder itself. */
export function isInText(entry: string, text: string): boolean {
  const wanted = flat(entry);
  if (wanted === '') return false;
  const flatText = flat(text);
  for (let at = flatText.indexOf(wanted); at >= 0; at = flatText.indexOf(wanted, at + 1)) {
    if (!wanted.endsWith('/')) return true;
    const next = flatText[at + wanted.length];
    if (next === undefined || /[\s;&|)'"`*\\]/.test(next)) return true;
  }
  return false;
}

function flat(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}
