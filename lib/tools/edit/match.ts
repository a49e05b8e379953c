/** Where in a file an edit belongs: exactly as it is written first, and only where that is nowhere, by ever more that is overlooked. */

import { withNamesUndone } from '../../base/visible.js';
import { asItIs, characters, type FoldedText, foldText, lineAt } from './folded-text.js';
import { type Block, blocksIn } from './indentation.js';
import { linesOf, rewritten } from './kept-text.js';
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

/** So many places are enough to say that there are too many; where all are meant, such changes are for other programs. */
const MOST = 1000;
const MOST_EVERYWHERE = 200_000;

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

/** What is looked for, and what is put there. */
interface Wanted {
  readonly old: string;
  readonly fresh: string;
  /** It must begin where a line begins, or end where one ends. */
  readonly startsLine?: boolean;
  readonly endsLine?: boolean;
  /** The line that it must begin in, counted from 1. */
  readonly line?: number;
}

/** Null when it is nowhere. */
export function locate(source: Source, { oldText, newText, replaceAll }: Edit): Located | null {
  const most = replaceAll ? MOST_EVERYWHERE : MOST;
  const given: Wanted = { old: oldText, fresh: newText };
  const named = withoutNames(given);
  const bare = [...named, given].map((wanted) => ({ old: linesOf(wanted.old).join('\n'), fresh: wanted.fresh }));
  const loose = [...bare, ...bare.flatMap(withoutEdges), ...bare.flatMap(withoutNumbers)].filter(({ old }) => old.trim() !== '');
  const ways: readonly (readonly [How, readonly Wanted[], (wanted: Wanted) => readonly Place[]])[] = [
    ['exact', [given, ...named], (wanted) => exactPlaces(source, wanted, most, replaceAll)],
    ['line ends', bare, (wanted) => foldedPlaces(source, source.lines(), wanted, most)],
    ['characters', loose, (wanted) => foldedPlaces(source, source.characters(), folded(wanted), most, wanted)],
    ['indentation', loose, (wanted) => indentedPlaces(source, wanted)],
  ];
  for (const [how, all, find] of ways)
    for (const wanted of all) {
      const places = find(wanted);
      if (places.length > 0) return { how, places: replaceAll ? apart(places) : places, isMore: places.length >= most };
    }
  return null;
}

/** What cannot be seen was told to the model by name. */
function withoutNames({ old, fresh }: Wanted): readonly Wanted[] {
  const undone = withNamesUndone(old);
  return undone === old ? [] : [{ old: undone, fresh: withNamesUndone(fresh) }];
}

/** Without the line ends that both texts have around them: what is left has to be whole lines all the same. */
function withoutEdges({ old, fresh }: Wanted): readonly Wanted[] {
  const lines = linesOf(fresh).join('\n');
  const before = Math.min(endsBefore(old), endsBefore(lines));
  const after = Math.min(endsAfter(old.slice(before)), endsAfter(lines.slice(before)));
  const inner = (text: string) => text.slice(before, text.length - after);
  return before + after === 0 ? [] : [{ old: inner(old), fresh: inner(lines), startsLine: before > 0, endsLine: after > 0 }];
}

function endsBefore(text: string): number {
  return /^\n*/.exec(text)?.[0].length ?? 0;
}

function endsAfter(text: string): number {
  let count = 0;
  while (text[text.length - 1 - count] === '\n') count++;
  return count;
}

/** As grep and other tools number lines. */
const NUMBERED = /^ *(\d{1,9})(?:→|\t|: ?| ?\| ?)/;

/** Without numbers of lines, where they count on; it must begin with the line that they say. */
function withoutNumbers({ old, fresh }: Wanted): readonly Wanted[] {
  const lines = old.replace(/\n$/, '').split('\n');
  const numbers = lines.map((line) => NUMBERED.exec(line)?.[1]);
  const first = Number(numbers[0]);
  if (numbers.some((number, at) => number === undefined || Number(number) !== first + at)) return [];
  const bare = (text: string) => text.replace(new RegExp(NUMBERED, 'gm'), '');
  const isNumbered = fresh.split('\n').every((line) => line === '' || NUMBERED.test(line));
  return [{ old: bare(old), fresh: isNumbered ? bare(fresh) : fresh, line: first, startsLine: true, endsLine: true }];
}

/** Where `needle` stands, overlapping ones too: which of them is meant is not clear either. */
function* offsetsOf(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) yield at;
}

function exactPlaces({ text }: Source, { old, fresh }: Wanted, most: number, isEverywhere: boolean): readonly Place[] {
  const places: Place[] = [];
  let end = 0;
  for (const from of offsetsOf(text, old)) {
    // Half of a line end is not what was meant.
    if (old.startsWith('\n') && text[from - 1] === '\r') continue;
    if (isEverywhere && from < end) continue;
    end = from + old.length;
    places.push({ from, to: end, text: old.includes('\r') ? fresh : withLineEnds(fresh, text, from, end) });
    if (places.length >= most) break;
  }
  return places;
}

/** With the line ends of the place it goes to. */
function withLineEnds(fresh: string, text: string, from: number, to: number): string {
  if (!fresh.includes('\n')) return fresh;
  const lineEnd = lineEndAt(text, from, to);
  return lineEnd === null ? fresh : linesOf(fresh).join(lineEnd);
}

/** The line end of that place: its own first, else of the line that it ends in, else of the one before. Null: there is none in the file. */
function lineEndAt(text: string, from: number, to: number): string | null {
  const inside = text.indexOf('\n', from);
  const at = inside >= 0 ? inside : text.lastIndexOf('\n', to);
  if (at < 0) return null;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** `wanted` as it is looked for in the folded text; `asked` is what it was before, with which its new text is compared. */
function foldedPlaces({ text }: Source, source: FoldedText, wanted: Wanted, most: number, asked: Wanted = wanted): readonly Place[] {
  const { old } = wanted;
  if (old.replaceAll('\n', '') === '') return [];
  // A text that does not end its last line is searched as if it did.
  const isOpen = !source.text.endsWith('\n') && old.endsWith('\n');
  const places: Place[] = [];
  for (const at of offsetsOf(isOpen ? `${source.text}\n` : source.text, old)) {
    const isLast = at + old.length > source.text.length;
    const end = isLast ? source.text.length : at + old.length;
    if (!fits(source, at, end, wanted)) continue;
    const origin = source.origin(at, end);
    if (origin === null) continue;
    const { from, to } = isLast ? { from: origin.from, to: text.length } : origin;
    const [before, after] = isLast ? [withoutLast(asked.old), withoutLast(asked.fresh)] : [asked.old, asked.fresh];
    places.push({ from, to, text: rewritten(text.slice(from, to), before, after, lineEndAt(text, from, to) ?? '\n') });
    if (places.length >= most) break;
  }
  return places;
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

/** Without the line end at its end. */
function withoutLast(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function indentedPlaces({ text, ...source }: Source, { old, fresh, line }: Wanted): readonly Place[] {
  const isWhole = old.endsWith('\n');
  const lines = folded({ old: withoutLast(old), fresh }).old.split('\n');
  const file = source.characters();
  const blocks = blocksIn(file, lines, linesOf(fresh)).filter(({ first }) => line === undefined || first === line - 1);
  return blocks.map((block) => placeOf(text, file, block, isWhole, { old, fresh }));
}

/** The lines of the block, with their last line end when the model gave one. */
function placeOf(text: string, file: FoldedText, { first, last, indented }: Block, isWhole: boolean, { old, fresh }: Wanted): Place {
  const mark = first === 0 && text.startsWith('\ufeff') ? 1 : 0;
  const from = (file.lines[first]?.from ?? 0) + mark;
  const next = file.lines[last + 1];
  const hasEnd = isWhole && next !== undefined;
  const to = hasEnd ? next.from : (file.lines[last]?.to ?? text.length);
  const [before, after] = isWhole && !hasEnd ? [withoutLast(old), withoutLast(fresh)] : [old, fresh];
  return { from, to, text: rewritten(text.slice(from, to), before, after, lineEndAt(text, from, to) ?? '\n', indented) };
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
