/** Whole drafts: put aside, taken from earlier prompts, and pastes written out in them. */

import type { Paste } from './clusters.js';
import { isMark } from './clusters.js';
import { clear, draftNow, edit, fold } from './editor.js';
import type { Draft } from './history.js';
import { type Editor, isEmpty } from './model.js';
import { type Cursor, leftOf, lineAt, replace, rightOf } from './text.js';

/** What is longer is not written out: whoever changes it is better off in an editor, and each key looks at all of its line. */
const mostWrittenOut = { characters: 50_000, line: 2000 } as const;

/** Puts the draft aside, or brings back the one that was; when there are two they change places. */
export function stashed(editor: Editor): Editor {
  const kept: Draft | null = isEmpty(editor) ? null : draftNow(editor);
  if (kept === null && editor.stash === null) return editor;
  const cleared = clear(editor);
  const { stash } = editor;
  if (stash === null) return { ...cleared, stash: kept };
  return { ...edit(cleared, stash.text, 'other'), pastes: stash.pastes, past: cleared.past, stash: kept };
}

/** The last word of an earlier prompt, as Alt+. brings it; again: that of the prompt before. */
export function lastArgument(editor: Editor): Editor {
  const { entries } = editor.history;
  const entry = (editor.argument?.entry ?? entries.length) - 1;
  const content = entries[entry];
  if (content === undefined) return editor;
  const word = /(\S+)\s*$/.exec(content)?.[1] ?? '';
  const from = editor.argument?.from ?? editor.text.cursor;
  const folded = fold(editor, word);
  const put = edit(editor, replace(editor.text, from, editor.text.cursor, folded.content), 'other');
  // Going on replaces what the key before put in: one step back takes it all away.
  const past = editor.argument === null ? put.past : editor.past;
  return { ...put, past, pastes: folded.pastes, argument: { from, entry } };
}

/** The folded paste at the cursor, or before it; null when there is none. */
export function pasteAt({ text, pastes }: Editor): { readonly paste: Paste; readonly from: Cursor; readonly to: Cursor } | null {
  const { cursor } = text;
  const places: readonly (readonly [Cursor, Cursor])[] = [
    [cursor, rightOf(text, cursor)],
    [leftOf(text, cursor), cursor],
  ];
  for (const [from, to] of places) {
    const cluster = from.line === to.line ? lineAt(text, from.line).slice(from.offset, to.offset) : '';
    const paste = isMark(cluster) ? pastes.find((known) => known.mark === cluster) : undefined;
    if (paste !== undefined) return { paste, from, to };
  }
  return null;
}

/** The folded paste at the cursor as text that can be edited; or why not. */
export function writtenOut(editor: Editor): Editor | string {
  const found = pasteAt(editor);
  if (found === null) return 'There is no folded paste at the cursor.';
  const { text } = found.paste;
  const isLong = text.length > mostWrittenOut.characters || text.split('\n').some((line) => line.length > mostWrittenOut.line);
  if (isLong) return 'That paste is too long to be shown here; Ctrl+G edits the draft in $EDITOR.';
  return edit(editor, replace(editor.text, found.from, found.to, text), 'other');
}
