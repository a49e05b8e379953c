/** A draft as a value: its text, its past, what was cut, what was sent before. */

import type { Paste } from './clusters.js';
import type { Draft, HistoryPlace } from './history.js';
import { type Cursor, type EditorText, emptyText, joined } from './text.js';
import { freshVi, type Vi } from './vi/model.js';

/** What the last edit was: edits of one kind in a row are undone together, kills in a row are one entry of the ring. */
export type EditKind = 'type' | 'erase' | 'kill' | 'yank' | 'other' | 'none';

/** A draft and what is remembered with it. */
export interface Editor {
  readonly text: EditorText;
  readonly pastes: readonly Paste[];
  readonly undone: readonly Draft[];
  readonly past: readonly Draft[];
  readonly last: EditKind;
  /** Killed texts, newest first. */
  readonly ring: readonly string[];
  /** Where the last yank began, and which entry of the ring it took. */
  readonly yanked: { readonly from: Cursor; readonly entry: number } | null;
  /** The column that moving up and down keeps to, in cells. */
  readonly goal: number | null;
  readonly history: HistoryPlace;
  /** The end of the region that the cursor is not at, as Ctrl+Space set it; null: no region. */
  readonly mark: Cursor | null;
  /** A draft put aside. */
  readonly stash: Draft | null;
  /** Right after the last argument of an earlier prompt was put in: from where, and of which entry. */
  readonly argument: { readonly from: Cursor; readonly entry: number } | null;
  /** The state of vi keys; null: emacs keys. */
  readonly vi: Vi | null;
}

/** Whose keys the draft has. */
export type EditorMode = 'emacs' | 'vi';

/** An empty editor with earlier prompts, oldest first. */
export function createEditor(history: readonly string[] = [], mode: EditorMode = 'emacs'): Editor {
  return {
    text: emptyText,
    pastes: [],
    undone: [],
    past: [],
    last: 'none',
    ring: [],
    yanked: null,
    goal: null,
    history: { entries: history, at: null, draft: null },
    mark: null,
    stash: null,
    argument: null,
    vi: mode === 'vi' ? freshVi : null,
  };
}

/** True when nothing is written. */
export function isEmpty(editor: Editor): boolean {
  return editor.text.lines.length === 1 && editor.text.lines[0] === '';
}

/** The draft as it will be sent, with folded pastes written out. */
export function draftOf(editor: Editor): string {
  return expand(joined(editor.text), editor.pastes);
}

/** `content` with the marks of folded pastes written out. */
export function expand(content: string, pastes: readonly Paste[]): string {
  return pastes.length === 0
    ? content
    : content.replace(/[\ufdd0-\ufdef]/g, (mark) => pastes.find((paste) => paste.mark === mark)?.text ?? '');
}
