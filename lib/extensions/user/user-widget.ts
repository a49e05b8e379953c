/** What an extension wants on the screen, checked and cut. */

import type { ExtensionWidget } from '../../protocol/extensions.js';

/** So much of it is kept. */
const MOST_LINES = 20;
const LONGEST_LINE = 400;

/** The widget; null: it is taken away. Throws an Error for what is none. */
export function shownWidget(id: string, extension: string, value: unknown): ExtensionWidget | null {
  if (value === null || value === undefined) return null;
  const { title, lines, place = 'above-editor' } = (typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;
  if (typeof title !== 'string' || !Array.isArray(lines) || !lines.every((line) => typeof line === 'string'))
    throw new Error('a widget needs "title" and "lines", a list of texts');
  if (place !== 'side' && place !== 'above-editor') throw new Error('"place" of a widget must be "side" or "above-editor"');
  return {
    ...{ id, extension, place },
    title: title.slice(0, LONGEST_LINE),
    lines: lines.slice(0, MOST_LINES).map((line: string) => line.slice(0, LONGEST_LINE)),
  };
}
