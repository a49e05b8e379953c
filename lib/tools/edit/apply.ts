/** All edits of a call in one text: each located in the text as it is, none overlapping another, applied together or not at all. */

import { BuddyError } from '../../base/errors.js';
import { type How, type Located, lineOf, locate, type Place, type Source, sourceOf } from './match.js';
import { nearestLines } from './nearest-lines.js';
import type { Edit } from './shapes.js';

/** What becomes of the text. */
export interface Edited {
  readonly content: string;
  /** How many stretches of it were replaced. */
  readonly places: number;
  /** Of the old text and of the new one, counted from 1. */
  readonly firstChangedLine: number;
  /** What the model should know: sentences. */
  readonly notes: readonly string[];
}

/** What an error may tell of the file. */
export interface Telling {
  /** How it is named in sentences. */
  readonly path: string;
  /** False: nobody was asked whether it may be read. Then no error says which of the texts stand in it, nor how often: texts could be guessed. */
  readonly mayShow: boolean;
}

/** So many faults are told at once, and so many lines counted up. */
const MOST_FAULTS = 4;
const MOST_LINES = 10;

/** How a place was found that is not written as the model wrote it. */
const overlooked: Readonly<Record<How, string | null>> = {
  exact: null,
  'line ends': null,
  characters:
    'was found although blanks, quotes, dashes or composed characters in it differ from the file; what you did not change stays as the file has it',
  indentation: 'was found with another indentation, and newText was indented like the file',
};

/** Applies `edits` to `text`. Throws `tool.edit` with all that is wrong, when anything is, or that something is, when no more may be told. */
export function applyEdits(text: string, edits: readonly Edit[], telling: Telling): Edited {
  try {
    return applied(text, edits, telling);
  } catch (thrown) {
    if (telling.mayShow || !(thrown instanceof BuddyError)) throw thrown;
    const why = 'not every text stands there once, or something would not change. Only the user can allow more to be told of it';
    throw new BuddyError('tool.edit', `${telling.path} cannot be edited so: ${why}`, { hint: 'Read the file: the user is asked then' });
  }
}

function applied(text: string, edits: readonly Edit[], telling: Telling): Edited {
  const { path } = telling;
  if (text === '' || text === '\ufeff')
    throw new BuddyError('tool.edit', `${path} is empty: there is nothing to replace`, { hint: 'write_file gives it a content' });
  const source = sourceOf(text);
  const name = (at: number) => (edits.length === 1 ? '"oldText"' : `"edits[${at}].oldText"`);
  const { found, faults } = locateAll(source, edits, name, telling);
  if (faults.length > 0) {
    const none = edits.length === faults.length ? '' : '\nThe other edits were not made either.';
    throw new BuddyError('tool.edit', `${faults.join('\n')}${none}`);
  }
  const places = found
    .flatMap(({ at, located }) => located.places.map((place) => ({ ...place, at })))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  for (const [i, place] of places.entries()) {
    const before = places[i - 1];
    if (before === undefined || place.from >= before.to) continue;
    const line = lineOf(source, place.from);
    throw new BuddyError('tool.edit', `${name(before.at)} and ${name(place.at)} overlap at line ${line} of ${path}`, {
      hint: 'Make one edit of both',
    });
  }
  const idle = found.find(({ located }) => located.places.every((place) => text.slice(place.from, place.to) === place.text));
  if (idle !== undefined)
    throw new BuddyError(
      'tool.edit',
      `${name(idle.at)} would change nothing: ${path} has that text already, and line ends and blanks stay as they are`,
    );
  const content = joined(text, places);
  if (content === text) throw new BuddyError('tool.edit', `all edits together would change nothing in ${path}`);
  return {
    content,
    places: places.length,
    firstChangedLine: firstChange(source, content, places),
    notes: found.flatMap(({ at, located }) => {
      const note = overlooked[located.how];
      return note === null ? [] : [`${name(at)} ${note}`];
    }),
  };
}

/** An edit and where it belongs. */
interface Found {
  /** Which of them it is. */
  readonly at: number;
  readonly located: Located;
}

/** All of them, or why some cannot be: after so many nobody looks further. */
function locateAll(
  source: Source,
  edits: readonly Edit[],
  name: (at: number) => string,
  telling: Telling,
): { readonly found: readonly Found[]; readonly faults: readonly string[] } {
  const found: Found[] = [];
  const faults: string[] = [];
  for (const [at, edit] of edits.entries()) {
    const located = locate(source, edit);
    if (located === null) faults.push(missing(source, edit, name(at), telling));
    else if (located.isMore && edit.replaceAll)
      faults.push(`${name(at)} occurs more than ${located.places.length - 1} times in ${telling.path}: use a command such as sed.`);
    else if (located.places.length > 1 && !edit.replaceAll) faults.push(several(source, located, name(at), telling.path));
    else found.push({ at, located });
    if (faults.length >= MOST_FAULTS) break;
  }
  return { found, faults };
}

function joined(text: string, places: readonly Place[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place.from), place.text);
    from = place.to;
  }
  return [...parts, text.slice(from)].join('');
}

/** The line of the first character that becomes another: what stands behind a place may go on as it does. */
function firstChange(source: Source, content: string, [first]: readonly Place[]): number {
  let at = first?.from ?? 0;
  while (at < source.text.length && source.text[at] === content[at]) at++;
  return lineOf(source, at);
}

function several(source: Source, { places, isMore }: Located, name: string, path: string): string {
  const lines = [...new Set(places.map(({ from }) => lineOf(source, from)))];
  const shown = lines.slice(0, MOST_LINES).join(', ');
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > MOST_LINES || isMore ? ' and more' : ''}`;
  const times = `${isMore ? 'at least ' : ''}${places.length} times`;
  return `${name} occurs ${times} in ${path}, at ${where}: give more of the lines around the one that is meant, or "replaceAll": true for every one.`;
}

function missing(source: Source, edit: Edit, name: string, { path }: Telling): string {
  const hints = [already(source, edit), escaped(source, edit)].filter((hint) => hint !== null);
  return [`${name} does not occur in ${path}.`, ...hints, nearestLines(source, edit.oldText)].join(' ');
}

/** A second try of an edit that was made. */
function already(source: Source, { newText }: Edit): string | null {
  if (newText.trim().length < 3) return null;
  const there = locate(source, { oldText: newText, newText: '', replaceAll: false });
  if (there?.how !== 'exact' || there.places.length > 1) return null;
  return `But "newText" stands there already, at line ${lineOf(source, there.places[0]?.from ?? 0)}: was this edit made before?`;
}

/** Written as in JSON a second time. */
function escaped(source: Source, { oldText }: Edit): string | null {
  if (!/\\[nt"]/.test(oldText)) return null;
  const plain = oldText.replace(/\\([nt"])/g, (_, of: string) => ({ n: '\n', t: '\t' })[of] ?? of);
  return locate(source, { oldText: plain, newText: '', replaceAll: false }) === null
    ? null
    : 'It is escaped twice: write line ends, tabs and quotes as such, not with a backslash.';
}
