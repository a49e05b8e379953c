/** The search in a long list of paths. What fitted a shorter query is all that can fit a longer one. */

import { fuzzyMatch } from '../base/fuzzy.js';

/** Paths that are weighed against each other; of more the nearest ones, and those whose name holds the query as it is. */
const MOST_WEIGHED = 500;

/** A path that fits, and which of its characters were found. */
export interface FoundPath {
  readonly path: string;
  readonly marks: readonly number[];
}

/** One list of paths. It remembers its last answer, to find the next one faster; the answers are the same without that. */
export class FileSearch {
  readonly #paths: readonly string[];
  readonly #lower: readonly string[];
  #last: { readonly query: string; readonly fits: readonly number[] };

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#lower = paths.map((path) => path.toLowerCase());
    this.#last = { query: '', fits: paths.map((_, at) => at) };
  }

  /** The best `most`, best first. */
  best(query: string, most: number): readonly FoundPath[] {
    const letters = query.toLowerCase();
    if (letters === '') return this.#paths.slice(0, most).map((path) => ({ path, marks: [] }));
    const before = letters.startsWith(this.#last.query) ? this.#last.fits : this.#paths.map((_, at) => at);
    const fits = before.filter((at) => holds(this.#lower[at] ?? '', letters));
    this.#last = { query: letters, fits };
    const found = this.#weighed(fits, letters).flatMap((at) => {
      const path = this.#paths[at] ?? '';
      const match = fuzzyMatch(query, path);
      return match === null ? [] : [{ path, marks: match.at, score: match.score + inName(path, match.at) }];
    });
    return found.sort((a, b) => b.score - a.score).slice(0, most);
  }

  #weighed(fits: readonly number[], letters: string): readonly number[] {
    if (fits.length <= MOST_WEIGHED) return fits;
    const named = fits.filter((at) => nameOf(this.#lower[at] ?? '').includes(letters)).slice(0, MOST_WEIGHED);
    return [...new Set([...fits.slice(0, MOST_WEIGHED), ...named])];
  }
}

/** Do the letters stand there in order? */
function holds(path: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = path.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1);
}

/** People think of the name of a file before the folders that it is in. */
function inName(path: string, at: readonly number[]): number {
  const start = path.length - nameOf(path).length;
  return at.filter((place) => place >= start).length;
}
