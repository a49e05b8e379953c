/** Columns of text for people: words to the left, numbers to the right. Pure. */

import { visibleLine } from '../base/visible.js';
import { cellWidth, padEnd, truncate } from '../base/width.js';

/** One column. */
export interface Column {
  readonly head: string;
  /** Numbers stand at the right. */
  readonly right?: boolean;
  /** Cells that it takes at most. */
  readonly most?: number;
}

/** The head and a line for each row, without blanks at their ends. Untrusted text is made visible. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [columns.map(({ head }) => head), ...rows].map((row) =>
    columns.map(({ most }, at) => {
      const text = visibleLine(row[at] ?? '');
      return most === undefined ? text : truncate(text, most);
    }),
  );
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => cellWidth(row[at] ?? ''))));
  return cells.map((row) =>
    row
      .map((text, at) => {
        const wide = widths[at] ?? 0;
        return columns[at]?.right === true ? ' '.repeat(wide - cellWidth(text)) + text : padEnd(text, wide);
      })
      .join('  ')
      .trimEnd(),
  );
}
