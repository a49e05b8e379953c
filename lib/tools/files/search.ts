/** Many files searched: a share of them at a time, until there are matches enough. */

import { posix } from 'node:path';
import { pausing } from '../../base/unhurried.js';
import type { Looked } from '../../targets/target.js';
import type { ToolContext } from '../tool.js';
import { MOST_LIST_BYTES } from './entry-list.js';
import { type Folder, unreadNote } from './folder.js';
import type { Entry } from './listing-script.js';
import { shownName, textOf } from './names.js';
import { doubtsOf } from './reading.js';
import { type FoundFile, type FoundLine, matchingNames, type Search, SearchScripts } from './search-script.js';

/** Files in the first share; each further one has four times as many, up to the most. */
const FIRST_SHARE = 1000;
const LARGEST_SHARE = 16_000;
/** Characters of a line that are shown. */
const MOST_OF_LINE = 500;
/** Files of which the lines are asked for at once. */
const FILES_AT_ONCE = 100;

export interface Found {
  /** `path:12: text` for a match, `path-11- text` beside one, `--` where lines are left out. */
  readonly lines: string;
  readonly matched: number;
  readonly files: number;
  readonly notes: readonly string[];
}

/** At most `limit` matches in those files, in their order. Throws `tool.arguments` for a pattern that cannot be searched for. */
export async function found(
  folder: Folder,
  entries: readonly Entry[],
  search: Search,
  limit: number,
  { target, signal, judge, clock }: Pick<ToolContext, 'target' | 'signal' | 'judge' | 'clock'>,
): Promise<Found> {
  const scripts = new SearchScripts(search, folder.ripgrep, folder.path);
  const lines = new ResultLines(limit, search.context);
  const pause = pausing(clock, signal);
  const notes = new Set<string>();
  const hear = (looked: Looked): Looked => {
    for (const note of unreadNote(looked.stderr)) notes.add(note);
    if (looked.cut === 'time') notes.add('It took too long: not all files were searched. Take a folder below, or a glob.');
    return looked;
  };
  for (let at = 0, share = FIRST_SHARE; at < entries.length && !lines.isFull; at += share, share = Math.min(LARGEST_SHARE, share * 4)) {
    const names = entries.slice(at, at + share).map(({ path }) => path);
    const matching = matchingNames(names, hear(await target.look(scripts.which(names), signal)));
    for (let from = 0, most = 0; from < matching.length && !lines.isFull; from += most) {
      most = Math.min(FILES_AT_ONCE, limit - lines.matched + 1);
      // One more than is wanted tells whether there are more.
      const some = matching.slice(from, from + most);
      for (const file of scripts.found(hear(await target.look(scripts.lines(some, limit - lines.matched + 1), signal)))) {
        await pause();
        if (!isInPlace(file, folder)) continue;
        // Of the only file a person was asked. That another one which is asked about holds the pattern is not told: it could be guessed.
        const isOpen = !folder.isFolder || doubtsOf(posix.join(textOf(folder.real), textOf(file.path)), judge).length === 0;
        if (isOpen) lines.add(file);
      }
    }
  }
  // Before the limit was reached, the text of them was too much: a larger one would change nothing.
  const instead = lines.matched < limit ? 'a glob or a folder below; a larger limit shows no more' : 'a larger limit';
  const full = lines.isFull
    ? [`There are more matches than the ${lines.matched} that are shown; take a narrower pattern, or ${instead}.`]
    : [];
  return {
    lines: lines.text,
    matched: lines.matched,
    files: lines.files,
    notes: [...full, ...(lines.matched === 0 ? ['Nothing was found.'] : []), ...notes],
  };
}

/** A folder on the way may have become a link since the files were listed. */
function isInPlace({ path, folder: there }: FoundFile, { real }: Folder): boolean {
  return there === posix.join(real, posix.dirname(path));
}

/** Gathers lines until there are enough. */
class ResultLines {
  readonly #limit: number;
  readonly #context: number;
  /** Of lines around a match that is not shown any more some may be left. */
  readonly #lines: string[] = [];
  #bytes = 0;
  #full = false;
  matched = 0;
  files = 0;

  constructor(limit: number, context: number) {
    this.#limit = limit;
    this.#context = context;
  }

  /** Something was left out. */
  get isFull(): boolean {
    return this.#full;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  add({ path, lines }: FoundFile): void {
    if (this.#context > 0 && this.#lines.length > 0) this.#lines.push('--');
    let isNew = true;
    for (const line of lines) {
      // grep parts matches that are apart also where nothing stands around them, ripgrep does not.
      if (line === null && this.#context === 0) continue;
      if (line?.isMatch === true) {
        this.#full ||= this.matched >= this.#limit || this.#bytes > MOST_LIST_BYTES;
        if (this.#full) break;
        this.matched++;
        if (isNew) this.files++;
        isNew = false;
      }
      const text = line === null ? '--' : shownLine(path, line);
      this.#bytes += Buffer.byteLength(text) + 1;
      this.#lines.push(text);
    }
    while (this.#lines.at(-1) === '--') this.#lines.pop();
  }
}

function shownLine(path: string, { number, isMatch, text }: FoundLine): string {
  const mark = isMatch ? ':' : '-';
  const shown = text.length > MOST_OF_LINE ? `${text.slice(0, MOST_OF_LINE).replace(/[\ud800-\udbff]$/, '')}… [cut]` : text;
  return `${shownName(path)}${mark}${number}${mark} ${shown}`;
}
