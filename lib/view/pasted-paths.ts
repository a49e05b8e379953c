/** A paste that is nothing but paths of pictures, as a terminal gives what was dropped on it: each becomes a mention. Pure. */

import { mentionOf } from '../protocol/mentions.js';

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;
/** In quotes, or with a backslash before what a shell would read. */
const WORD = /'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s\\'"])+)/g;
/** A longer paste is a text. */
const LONGEST = 8000;

/** `@/path/x.png ` for each, or null when it is something else. */
export function pictureMentions(pasted: string): string | null {
  const text = pasted.trim();
  if (text === '' || text.length > LONGEST) return null;
  const found = [...text.matchAll(WORD)];
  // Anything between the words but blanks is no list of paths.
  if (text.replace(WORD, '').trim() !== '') return null;
  const mentions = found.map(([, single, double, plain]) => mentionOfPath(single ?? double ?? plain?.replace(/\\(.)/g, '$1') ?? ''));
  return mentions.every((mention) => mention !== null) ? `${mentions.join(' ')} ` : null;
}

function mentionOfPath(word: string): string | null {
  const path = pathOf(word);
  return path !== null && PICTURE.test(path) && /^(?:\/|~\/)/.test(path) ? mentionOf(path) : null;
}

/** The path in a `file://` address, of this machine. */
function pathOf(word: string): string | null {
  const [, path] = /^file:\/\/(?:localhost)?(\/.*)$/.exec(word) ?? [];
  if (path === undefined) return word;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
