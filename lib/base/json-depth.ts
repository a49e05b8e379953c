/** JSON that is nested beyond reason: it is read without trouble, and whoever walks through it or writes it again falls over it. */

/** Nothing that a model or a server means is nested deeper. */
const DEEPEST = 200;

/** `JSON.parse` for text from elsewhere. Throws a SyntaxError for what is no JSON, and for what is nested deeper than anybody means. */
export function parseUntrustedJson(text: string): unknown {
  if (isNestedDeeper(text, DEEPEST)) throw new SyntaxError(`it is nested more than ${DEEPEST} levels deep`);
  return JSON.parse(text);
}

/** Counts brackets that stand in no string. */
function isNestedDeeper(text: string, most: number): boolean {
  // Each level has two brackets.
  if (text.length <= 2 * most) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (unit === 0x5c) at++;
      else if (unit === 0x22) isInString = false;
    } else if (unit === 0x22) isInString = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > most) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}
