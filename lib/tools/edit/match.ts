/** Where in a file an edit belongs: exactly as it is written first, and only where that is nowhere, by ever more that is overlooked. */

import { asItIs, characters, type FoldedText, foldText, lineAt } from './folded-text.js';
import { type Block, blocksIn } from './indentation.js';
import { linesOf, rewritten } from './kept-text.js';
import { readingsOf, type Wanted } from './readings.js';
import type { Edit } from './shapes.js';

/** What was overlooked to find it. */
export type How = 'exact' | 'line ends' | 'characters' | 'indentation';

/** A stretch of the file, and what is to stand there. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The places of an edit; several only when it did not say which. */
export interface Located {
  readonly how: How;
  readonly places: readonly Place[];
  /** There are more, which nobody has counted. */
  readonly isMore: boolean;
}

/** A file, folded when that is first needed. */
export interface Source {
  readonly text: string;
  lines(): FoldedText;
  characters(): FoldedText;
}

/**
 * So many places are enough to say that there are too many; where all are meant, such changes are for other programs. A place that only looks
 * alike takes longer: a hundred times, in a long file.
 */
const MOST = 1000;
const MOST_EVERYWHERE = 200_000;
const MOST_ALIKE = 20_000;

/** Makes one of a text. */
export function sourceOf(text: string): Source {
  let lines: FoldedText | null = null;
  let folded: FoldedText | null = null;
  return {
    text,
    lines: () => (lines ??= foldText(text, asItIs)),
    characters: () => (folded ??= foldText(text, characters)),
  };
}

/** Null when it is nowhere. */
export function locate(source: Source, { oldText, newText, replaceAll }: Edit): Located | null {
  const { given, bare, loose } = readingsOf(oldText, newText);
  const ways: readonly (readonly [How, readonly Wanted[], (wanted: Wanted, most: number) => readonly Place[]])[] = [
    ['exact', given, (wanted, most) => exactPlaces(source, wanted, most, replaceAll)],
    ['line ends', bare, (wanted, most) => foldedPlaces(source, source.lines(), wanted, most)],
    ['characters', loose, (wanted, most) => foldedPlaces(source, source.characters(), folded(wanted), most, wanted)],
    ['indentation', loose, (wanted, most) => indentedPlaces(source, wanted, most)],
  ];
  for (const [how, all, find] of ways)
    for (const wanted of all) {
      const most = !replaceAll ? MOST : how === 'exact' ? MOST_EVERYWHERE : MOST_ALIKE;
      const places = find(wanted, most);
      if (places.length > 0) return { how, places: replaceAll ? apart(places) : places, isMore: places.length >= most };
    }
  return null;
}

/** Where `needle` stands, overlapping ones too: which of them is meant is not clear either. */
function* offsetsOf(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) yield at;
}

function exactPlaces(source: Source, { old, fresh }: Wanted, most: number, isEverywhere: boolean): readonly Place[] {
  const { text } = source;
  const places: Place[] = [];
  let end = 0;
  for (const from of offsetsOf(text, old)) {
    // Half of a line end is not what was meant.
    if (old.startsWith('\n') && text[from - 1] === '\r') continue;
    if (isEverywhere && from < end) continue;
    end = from + old.length;
    places.push({ from, to: end, text: old.includes('\r') ? fresh : withLineEnds(fresh, source, from) });
    if (places.length >= most) break;
  }
  return places;
}

/** With the line ends of the place it goes to. */
function withLineEnds(fresh: string, source: Source, from: number): string {
  const lineEnd = fresh.includes('\n') ? lineEndAt(source, from) : null;
  return lineEnd === null ? fresh : linesOf(fresh).join(lineEnd);
}

/** How the line ends in which that place begins; the one before, when it is the last one. Null: there is no line end in the file. */
function lineEndAt(source: Source, from: number): string | null {
  const { lines } = source.lines();
  const at = Math.min(lineAt(lines, from, 'from'), lines.length - 2);
  const [line, next] = [lines[at], lines[at + 1]];
  return line === undefined || next === undefined ? null : source.text.slice(line.to, next.from);
}

/** `wanted` as it is looked for in the folded text; `asked` is what it was before, with which its new text is compared. */
function foldedPlaces(source: Source, file: FoldedText, wanted: Wanted, most: number, asked: Wanted = wanted): readonly Place[] {
  const { old } = wanted;
  if (old.replaceAll('\n', '') === '') return [];
  // A text that does not end its last line is searched as if it did.
  const isOpen = !file.text.endsWith('\n') && old.endsWith('\n');
  const places: Place[] = [];
  for (const at of offsetsOf(isOpen ? `${file.text}\n` : file.text, old)) {
    const isLast = at + old.length > file.text.length;
    const end = isLast ? file.text.length : at + old.length;
    if (!fits(file, at, end, wanted)) continue;
    const origin = file.origin(at, end);
    if (origin === null) continue;
    places.push(isLast ? put(source, origin.from, source.text.length, withoutLast(asked)) : put(source, origin.from, origin.to, asked));
    if (places.length >= most) break;
  }
  return places;
}

/** That stretch, and what is to stand there. */
function put(source: Source, from: number, to: number, { old, fresh }: Wanted, indented?: (line: string) => string): Place {
  return { from, to, text: rewritten(source.text.slice(from, to), old, fresh, lineEndAt(source, from) ?? '\n', indented) };
}

/** Does that stretch of the folded text begin and end where it has to? */
function fits({ text, lines }: FoldedText, from: number, to: number, { startsLine, endsLine, line }: Wanted): boolean {
  if (startsLine === true && from > 0 && text[from - 1] !== '\n') return false;
  if (endsLine === true && to < text.length && text[to] !== '\n' && text[to - 1] !== '\n') return false;
  return line === undefined || lines[line - 1]?.at === from;
}

/** As it stands in a folded text. Where blanks at its end are left out, nothing else may follow. */
function folded(wanted: Wanted): Wanted {
  const old = wanted.old.split('\n').map((line) => characters(line).text);
  return { ...wanted, old: old.join('\n'), endsLine: wanted.endsLine === true || /[^\S\n]$/.test(wanted.old) };
}

/** Both without the line end at their end. */
function withoutLast({ old, fresh, ...rest }: Wanted): Wanted {
  return { ...rest, old: old.replace(/\r?\n$/, ''), fresh: fresh.replace(/\r?\n$/, '') };
}

function indentedPlaces(source: Source, wanted: Wanted, most: number): readonly Place[] {
  const lines = folded(withoutLast(wanted)).old.split('\n');
  const places: Place[] = [];
  for (const block of blocksIn(source.characters(), lines, linesOf(wanted.fresh))) {
    if (wanted.line !== undefined && block.first !== wanted.line - 1) continue;
    places.push(placeOf(source, block, wanted));
    if (places.length >= most) break;
  }
  return places;
}

/** The lines of the block, with their last line end when the model gave one. */
function placeOf(source: Source, { first, last, indented }: Block, wanted: Wanted): Place {
  const { text } = source;
  const { lines } = source.characters();
  const mark = first === 0 && text.startsWith('\ufeff') ? 1 : 0;
  const from = (lines[first]?.from ?? 0) + mark;
  const next = lines[last + 1];
  if (wanted.old.endsWith('\n') && next !== undefined) return put(source, from, next.from, wanted, indented);
  return put(source, from, lines[last]?.to ?? text.length, wanted.old.endsWith('\n') ? withoutLast(wanted) : wanted, indented);
}

/** Those that do not overlap one before. */
function apart(places: readonly Place[]): readonly Place[] {
  const kept: Place[] = [];
  for (const place of places) if (place.from >= (kept.at(-1)?.to ?? 0)) kept.push(place);
  return kept;
}

/** The line of an offset, counted from 1. */
export function lineOf(source: Source, offset: number): number {
  return lineAt(source.lines().lines, offset, 'from') + 1;
}
