/** Where the motions of vi lead, and what an operator takes with them. */

import { cellWidth } from '../../../base/width.js';
import { after, before, clusters, type Paste, shown } from '../clusters.js';
import { type Cursor, type EditorText, isBefore, lineAt } from '../text.js';
import { matching } from './brackets.js';
import type { Find } from './model.js';
import type { WordClass } from './walker.js';
import { wordBack, wordEnd, wordEndBack, wordForward } from './words.js';

/** How much an operator takes: up to the place, up to and with it, or the whole lines. */
export type Span = 'exclusive' | 'inclusive' | 'linewise';

/** Where a motion led. */
export interface Moved {
  readonly at: Cursor;
  readonly span: Span;
  /** The column that j and k keep to from now on, in cells; left out: the one of the new place. */
  readonly column?: number;
}

/** All that a motion looks at. */
export interface MotionContext {
  readonly text: EditorText;
  readonly pastes: readonly Paste[];
  readonly count: number | null;
  readonly arg: string;
  /** The operator that waits for it, or ''. */
  readonly operator: string;
  readonly visual: boolean;
  readonly find: Find | null;
  readonly column: number | null;
}

type Motion = (context: MotionContext) => Moved | null;

/** The first place of a line that is no blank; its last character when there is none. */
export function firstNonBlank(content: string): number {
  const blanks = /^[ \t]*/.exec(content)?.[0].length ?? 0;
  return blanks < content.length ? blanks : lastOffset(content);
}

/** Where the last character of a line begins; 0 in an empty one. */
export function lastOffset(content: string): number {
  return content === '' ? 0 : before(content, content.length);
}

function goTo(text: EditorText, line: number): Moved {
  return { at: { line, offset: firstNonBlank(lineAt(text, line)) }, span: 'linewise' };
}

const leftward: Motion = ({ text, count, operator }) => {
  const { line } = text.cursor;
  let { offset } = text.cursor;
  if (offset === 0 && operator === '') return null;
  for (let left = count ?? 1; left > 0 && offset > 0; left--) offset = before(lineAt(text, line), offset);
  return { at: { line, offset }, span: 'exclusive' };
};

const rightward: Motion = ({ text, count, operator, visual }) => {
  const { line } = text.cursor;
  const content = lineAt(text, line);
  const last = operator !== '' || visual ? content.length : lastOffset(content);
  let { offset } = text.cursor;
  if (offset >= last && operator === '') return null;
  for (let left = count ?? 1; left > 0 && offset < last; left--) offset = after(content, offset);
  return { at: { line, offset }, span: 'exclusive' };
};

/** The cells before a place in its line. */
export function columnOf(text: EditorText, { line, offset }: Cursor, pastes: readonly Paste[]): number {
  return clusters(lineAt(text, line).slice(0, offset)).reduce((sum, cluster) => sum + cellWidth(shown(cluster, pastes)), 0);
}

function atColumn(content: string, column: number, past: boolean, pastes: readonly Paste[]): number {
  const last = past ? content.length : lastOffset(content);
  let cells = 0;
  let offset = 0;
  for (const cluster of column === Number.POSITIVE_INFINITY ? [] : clusters(content)) {
    cells += cellWidth(shown(cluster, pastes));
    if (cells > column) return Math.min(offset, last);
    offset += cluster.length;
  }
  return last;
}

function byLines(sign: 1 | -1): Motion {
  return ({ text, count, column, pastes, visual }) => {
    const from = text.cursor.line;
    const line = Math.max(0, Math.min(text.lines.length - 1, from + sign * (count ?? 1)));
    if (line === from) return null;
    const goal = column ?? columnOf(text, text.cursor, pastes);
    return {
      at: { line, offset: atColumn(lineAt(text, line), goal, visual, pastes) },
      span: 'linewise',
      column: goal,
    };
  };
}

const lineEnd: Motion = ({ text, count, visual }) => {
  const line = text.cursor.line + (count ?? 1) - 1;
  if (line > text.cursor.line && text.cursor.line === text.lines.length - 1) return null;
  const last = Math.min(line, text.lines.length - 1);
  const content = lineAt(text, last);
  const offset = visual ? content.length : lastOffset(content);
  return { at: { line: last, offset }, span: 'inclusive', column: Number.POSITIVE_INFINITY };
};

const lastNonBlank: Motion = ({ text, count }) => {
  const wanted = text.cursor.line + (count ?? 1) - 1;
  if (wanted > text.cursor.line && text.cursor.line === text.lines.length - 1) return null;
  const line = Math.min(wanted, text.lines.length - 1);
  const content = lineAt(text, line).replace(/[ \t]+$/, '');
  return { at: { line, offset: lastOffset(content) }, span: 'inclusive' };
};

function word(classes: WordClass): Motion {
  return ({ text, count, operator, visual }) => {
    const from = text.cursor;
    const start = { text, at: from, count: count ?? 1, classes };
    const here = lineAt(text, from.line).charAt(from.offset);
    // On a word "cw" means "ce": what stands behind the word stays.
    if (operator === 'c' && here !== '' && here !== ' ' && here !== '\t')
      return onCharacter(text, wordEnd(start, true).at, 'inclusive', visual);
    const { at, whole } = wordForward(start, operator !== '');
    if (!whole && operator === '' && at.line === from.line && at.offset === from.offset) return null;
    return isBefore(from, at) ? onCharacter(text, at, 'exclusive', visual) : { at, span: 'exclusive' };
  };
}

/** A motion forth does not stay behind the last character of a line; what it stands on then is taken too. */
function onCharacter(text: EditorText, at: Cursor, span: Span, visual: boolean): Moved {
  const content = lineAt(text, at.line);
  if (visual || at.offset === 0 || at.offset < content.length) return { at, span };
  return { at: { line: at.line, offset: lastOffset(content) }, span: 'inclusive' };
}

function end(classes: WordClass): Motion {
  return ({ text, count, visual, operator }) => {
    const { at, whole } = wordEnd({ text, at: text.cursor, count: count ?? 1, classes }, false);
    if (!whole && operator === '' && at.line === text.cursor.line && at.offset === text.cursor.offset) return null;
    return onCharacter(text, at, 'inclusive', visual);
  };
}

function back(classes: WordClass): Motion {
  return ({ text, count, operator }) => {
    const { at, whole } = wordBack({ text, at: text.cursor, count: count ?? 1, classes });
    return whole || (operator === '' && isBefore(at, text.cursor)) ? { at, span: 'exclusive' } : null;
  };
}

function endBack(classes: WordClass): Motion {
  return ({ text, count, operator }) => {
    const { at, whole } = wordEndBack({ text, at: text.cursor, count: count ?? 1, classes });
    return whole || (operator === '' && isBefore(at, text.cursor)) ? { at, span: 'inclusive' } : null;
  };
}

function paragraph(sign: 1 | -1): Motion {
  return ({ text, count }) => {
    let line = text.cursor.line;
    for (let left = count ?? 1; left > 0; left--) {
      let written = false;
      for (let first = true; ; first = false) {
        if (lineAt(text, line) !== '') written = true;
        if (!first && written && lineAt(text, line) === '') break;
        if (line + sign < 0 || line + sign >= text.lines.length) {
          if (left > 1) return null;
          break;
        }
        line += sign;
      }
    }
    if (sign === -1 || line < text.lines.length - 1) return { at: { line, offset: 0 }, span: 'exclusive' };
    const content = lineAt(text, line);
    if (content === '') return { at: { line, offset: 0 }, span: 'exclusive' };
    return { at: { line, offset: lastOffset(content) }, span: 'inclusive' };
  };
}

function found(text: EditorText, find: Find, count: number, again: boolean): Moved | null {
  const { line } = text.cursor;
  const content = lineAt(text, line);
  const forth = find.key === 'f' || find.key === 't';
  const till = find.key === 't' || find.key === 'T';
  let at = text.cursor.offset;
  for (let left = count, first = true; left > 0; first = false) {
    at = forth ? (at < content.length ? after(content, at) : -1) : at > 0 ? before(content, at) : -1;
    if (at < 0 || at >= content.length) return null;
    if (content.slice(at, after(content, at)) !== find.cluster) continue;
    // "t" again stands right before what it found: it goes on to the next one.
    if (again && till && first && count === 1) continue;
    left--;
  }
  const offset = !till ? at : forth ? before(content, at) : after(content, at);
  return { at: { line, offset }, span: forth ? 'inclusive' : 'exclusive' };
}

function findMotion(key: Find['key']): Motion {
  return ({ text, count, arg }) => found(text, { key, cluster: arg }, count ?? 1, false);
}

/** The search that a motion begins, whether it finds something or not; null for every other motion. */
export function findOf(key: string, arg: string): Find | null {
  return key === 'f' || key === 'F' || key === 't' || key === 'T' ? { key, cluster: arg } : null;
}

const opposite: Readonly<Record<Find['key'], Find['key']>> = { f: 'F', F: 'f', t: 'T', T: 't' };

function findAgain(reversed: boolean): Motion {
  return ({ text, count, find }) => {
    if (find === null) return null;
    return found(text, reversed ? { ...find, key: opposite[find.key] } : find, count ?? 1, true);
  };
}

const line: Motion = ({ text, count }) => goTo(text, Math.min((count ?? text.lines.length) - 1, text.lines.length - 1));
const firstLine: Motion = ({ text, count }) => goTo(text, Math.min((count ?? 1) - 1, text.lines.length - 1));

const bracket: Motion = ({ text, count }) => {
  if (count !== null) return null;
  const at = matching(text, text.cursor);
  return at === null ? null : { at, span: 'inclusive' };
};

/** Every motion by its key; keys of two letters are typed one after the other. */
export const motions: Readonly<Record<string, Motion>> = {
  h: leftward,
  l: rightward,
  j: byLines(1),
  k: byLines(-1),
  '0': ({ text }) => ({ at: { line: text.cursor.line, offset: 0 }, span: 'exclusive' }),
  '^': ({ text }) => ({ at: { line: text.cursor.line, offset: firstNonBlank(lineAt(text, text.cursor.line)) }, span: 'exclusive' }),
  $: lineEnd,
  g_: lastNonBlank,
  w: word('word'),
  W: word('blank'),
  e: end('word'),
  E: end('blank'),
  b: back('word'),
  B: back('blank'),
  ge: endBack('word'),
  gE: endBack('blank'),
  f: findMotion('f'),
  F: findMotion('F'),
  t: findMotion('t'),
  T: findMotion('T'),
  ';': findAgain(false),
  ',': findAgain(true),
  gg: firstLine,
  G: line,
  '{': paragraph(-1),
  '}': paragraph(1),
  '%': bracket,
};
