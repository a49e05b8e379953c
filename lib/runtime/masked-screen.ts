/** A picture of a pane without the secrets on it, as it may be written down: each of their characters becomes a star, nothing moves. */

import { type Row, rowText } from '../base/style.js';
import { visibleLine } from '../base/visible.js';
import type { Secrets, Span } from '../policy/redaction.js';
import type { PaneScreen } from '../protocol/panes.js';

/** The same picture when there is none on it. A secret that a program or the terminal wrapped is found too. */
export function maskedScreen(screen: PaneScreen, find: Secrets['find']): PaneScreen {
  const texts = screen.rows.map(rowText);
  const spans = find(texts.join(''));
  if (spans.length === 0) return screen;
  let at = 0;
  const rows = screen.rows.map((row, index) => {
    const start = at;
    at += texts[index]?.length ?? 0;
    return spans.some((span) => span.start < at && span.end > start) ? starred(row, start, spans) : row;
  });
  return { ...screen, rows };
}

/** `start` is where the row begins in the text that the spans are of. */
function starred(row: Row, start: number, spans: readonly Span[]): Row {
  let at = start;
  const segments = row.segments.map((segment) => {
    const characters = segment.text.split('').map((unit) => {
      const isSecret = spans.some((span) => span.start <= at && at < span.end);
      at++;
      return isSecret ? '*' : unit;
    });
    return { ...segment, text: visibleLine(characters.join(''), 'exact') };
  });
  return { ...row, segments };
}
