/** Words that are searched for in lines: where they are, and how they are marked. */

import type { Segment } from '../../base/style.js';
import type { Visible } from '../../base/visible.js';
import type { Theme } from '../theme.js';
import { inLine, type Line, lineKey } from './lines.js';

/** What is searched for in a block, and which match (its key) is the one in front; -1: none in this block. */
export interface Mark {
  readonly pattern: RegExp;
  readonly current: number;
}

/** The pattern of a query, smart about case: a capital letter in it counts. Null for an empty one. */
export function patternOf(query: string): RegExp | null {
  if (query === '') return null;
  const literal = query.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(literal, /\p{Lu}/u.test(query) ? 'gu' : 'giu');
}

/** The keys of all matches in lines: `line * LINE + character`, as rows have them. At most `most`. */
export function matchKeys(lines: readonly Line[], pattern: RegExp, most: number): readonly number[] {
  const keys: number[] = [];
  for (const [index, line] of lines.entries()) {
    for (const match of textOf(line).matchAll(pattern)) {
      if (keys.length >= most) return keys;
      keys.push(lineKey(index, match.index));
    }
  }
  return keys;
}

/** The lines with their matches marked. */
export function markedLines(lines: readonly Line[], mark: Mark, theme: Theme): readonly Line[] {
  return lines.map((line, index) => {
    const text = textOf(line);
    const found = [...text.matchAll(mark.pattern)].map((match) => [match.index, match.index + match[0].length] as const);
    if (found.length === 0) return line;
    const isCurrent = (start: number): boolean => mark.current >= 0 && inLine(mark.current, index) === start;
    const segments: Segment[] = [];
    let at = 0;
    for (const part of line.segments) {
      const end = at + part.text.length;
      let from = at;
      for (const [start, stop] of found) {
        if (stop <= at || start >= end) continue;
        const [a, b] = [Math.max(start, at), Math.min(stop, end)];
        push(segments, part.text.slice(from - at, a - at), part.style);
        push(segments, part.text.slice(a - at, b - at), isCurrent(start) ? theme.styles.search_current : theme.styles.search_match);
        from = b;
      }
      push(segments, part.text.slice(from - at), part.style);
      at = end;
    }
    return { ...line, segments };
  });
}

function push(segments: Segment[], text: string, style: Segment['style']): void {
  if (text !== '') segments.push({ text: text as Visible, style });
}

function textOf(line: Line): string {
  return line.segments.map((part) => part.text).join('');
}
