/** How deep JSON is nested: what is parsed without recursion is still walked with it, and a stack has an end. */

/** Deeper than anything that means something. */
const DEEPEST = 200;

/** Is that JSON nested so deep that nothing should be made of it? Brackets in its texts do not count. */
export function isTooDeep(json: string): boolean {
  if (json.length <= DEEPEST) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === '[' || character === '{') {
      if (++depth > DEEPEST) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}

/** Where the text ends that begins with the quote at `from`. */
function endOfText(json: string, from: number): number {
  let at = json.indexOf('"', from + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
