/**
 * Long answers are cut into pieces as they stream, so that only the last few kilobytes are ever lexed and laid out again. Where a cut
 * falls depends on the text alone, never on how it came: an answer that streamed has the pieces of one that came at once.
 */

/** A piece ends at the first good place behind so many characters. */
const GOOD = 1024;
/** A piece that has found none by then (one long table, list or fence) ends at the next line. */
const LONG = 4096;

/** What a piece is in the middle of: its text means what it would behind these lines. */
export interface Within {
  /** The line that opened the fence, or the head of the table; '' for a list. */
  readonly opening: string;
  readonly kind: 'fence' | 'table' | 'list';
  /** Items of the list that came before. */
  readonly items: number;
}

/** How far a piece has been read, line by line. */
export interface Scan {
  /** Start of the first line that has not been read. */
  readonly at: number;
  /** The marks of an open code fence, '' outside. */
  readonly fence: string;
  readonly opening: string;
  readonly blank: boolean;
  readonly list: boolean;
  readonly items: number;
  /** The line before, where it may turn out to be the head of a table. */
  readonly before: string;
  /** Head and rule of the table that one is in, '' outside. */
  readonly table: string;
}

/** A scan at the very start. */
export const freshScan: Scan = Object.freeze({
  at: 0,
  fence: '',
  opening: '',
  blank: true,
  list: false,
  items: 0,
  before: '',
  table: '',
});

/** Where a piece ends, and what the next one begins within; `tight`: no blank line lies between. */
export interface Cut {
  readonly at: number;
  readonly within: Within | null;
  readonly tight: boolean;
  /** The scan of the rest. */
  readonly rest: Scan;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const TOP_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Reads `text` on from `scan`: the first cut, or how far it was read. */
export function scanAnswer(text: string, scan: Scan): Scan | Cut {
  let now = scan;
  for (;;) {
    const end = text.indexOf('\n', now.at);
    const length = (end < 0 ? text.length : end) - now.at;
    if (length >= LONG) return now.at > 0 ? cutAt(now, now.at, true) : cutAt(now, middle(text), true);
    // The last line may still grow: nothing is known about it.
    if (end < 0) return now;
    const line = text.slice(now.at, end);
    const cut = goodCut(now, line) ?? (now.at >= LONG ? forcedCut(now, line) : null);
    if (cut !== null) return cut;
    now = { ...afterLine(now, line), at: end + 1 };
  }
}

/** Behind a blank line, outside of fences, before a line that begins a block at the left edge. */
function goodCut(now: Scan, line: string): Cut | null {
  if (now.at < GOOD || !now.blank || now.fence !== '' || line === '' || /^[\s>]/.test(line)) return null;
  return now.list && TOP_ITEM.test(line) ? null : { at: now.at, within: null, tight: false, rest: freshScan };
}

/** Between two lines of a table or a fence, before an item of a list; far beyond that anywhere. */
function forcedCut(now: Scan, line: string): Cut | null {
  if (now.fence === '' && now.table === '' && now.list && !TOP_ITEM.test(line) && now.at < 2 * LONG) return null;
  return line === '' && now.fence === '' ? null : cutAt(now, now.at, !now.blank || now.fence !== '');
}

function cutAt(now: Scan, at: number, tight: boolean): Cut {
  return { at, within: withinOf(now), tight, rest: { ...now, at: 0, blank: false, before: '' } };
}

function withinOf(now: Scan): Within | null {
  if (now.fence !== '') return { kind: 'fence', opening: now.opening, items: 0 };
  if (now.table !== '') return { kind: 'table', opening: now.table, items: 0 };
  return now.list ? { kind: 'list', opening: '', items: now.items } : null;
}

function afterLine(now: Scan, line: string): Scan {
  const mark = FENCE.exec(line);
  const ticks = mark?.[1] ?? '';
  if (now.fence !== '') {
    const closes = ticks.startsWith(now.fence) && mark?.[2]?.trim() === '';
    return closes ? { ...now, fence: '', opening: '', blank: false, before: '' } : now;
  }
  if (ticks !== '' && !(ticks.startsWith('`') && (mark?.[2] ?? '').includes('`'))) {
    return { ...now, fence: ticks, opening: line.trim(), blank: false, before: '', table: '' };
  }
  if (line.trim() === '') return { ...now, blank: true, before: '', table: '' };
  const item = ITEM.test(line);
  // A line at the left edge behind a blank one ends a list, unless it is the next item.
  const list = item || (now.list && !(now.blank && /^\S/.test(line)));
  const opensTable = now.before.includes('|') && TABLE_RULE.test(line) && line.includes('-');
  return {
    ...now,
    blank: false,
    list,
    items: list ? (now.list ? now.items : 0) + (TOP_ITEM.test(line) ? 1 : 0) : 0,
    before: line,
    table: opensTable ? `${now.before}\n${line}` : now.table,
  };
}

/** In a line without an end: behind its last blank, and never between the halves of a character. */
function middle(text: string): number {
  const blank = text.lastIndexOf(' ', LONG - 1);
  if (blank > LONG / 2) return blank + 1;
  return /[\ud800-\udbff]/.test(text.charAt(LONG - 1)) ? LONG + 1 : LONG;
}
