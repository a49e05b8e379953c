/** The region between the mark and the cursor, as emacs has it. */

import { kill, withEntry } from './editor.js';
import { type Editor, expand } from './model.js';
import { moveTo } from './motions.js';
import { between, type Cursor, isBefore } from './text.js';

/** The mark at the cursor. */
export function setMark(editor: Editor): Editor {
  return { ...editor, mark: editor.text.cursor, last: 'none' };
}

/** The two ends of the region, the upper one first; null without a mark. */
export function regionOf({ mark, text }: Editor): { readonly from: Cursor; readonly to: Cursor } | null {
  if (mark === null) return null;
  return isBefore(text.cursor, mark) ? { from: text.cursor, to: mark } : { from: mark, to: text.cursor };
}

/** Cuts the region into the ring. */
export function killRegion(editor: Editor): Editor {
  const region = regionOf(editor);
  return region === null ? editor : { ...kill({ ...editor, last: 'none' }, region.from, region.to, 'right'), mark: null };
}

/** Copies the region into the ring. */
export function copyRegion(editor: Editor): Editor {
  const region = regionOf(editor);
  if (region === null || !isBefore(region.from, region.to)) return { ...editor, mark: null };
  const text = expand(between(editor.text, region.from, region.to), editor.pastes);
  return { ...editor, ring: withEntry(editor.ring, text), mark: null, last: 'none' };
}

/** The cursor to the mark, and the mark to where the cursor was. */
export function exchangeMark(editor: Editor): Editor {
  return editor.mark === null ? editor : { ...moveTo(editor, editor.mark), mark: editor.text.cursor };
}
