/** Changing a draft: typing, pastes, kills and yanks, undo, earlier prompts. Every function gives a new Editor. */

import { cleanInput, mostPastes, type Paste, pasteMark } from './clusters.js';
import { browsing, type Draft } from './history.js';
import { createEditor, draftOf, type EditKind, type Editor, expand, isEmpty } from './model.js';
import { lineEnd, lineStart, moveTo } from './motions.js';
import { between, type Cursor, type EditorText, emptyText, isBefore, leftOf, replace, rightOf } from './text.js';
import { freshVi } from './vi/model.js';
import { type WordKind, wordLeft, wordRight } from './words.js';

const UNDO_STEPS = 500;
const RING_ENTRIES = 60;
/** A paste above either is folded into one token: more would push everything else off the screen. */
export const foldedPaste = { lines: 10, characters: 1000 } as const;

/** What undo brings back. */
export function draftNow(editor: Editor): Draft {
  return { text: editor.text, pastes: editor.pastes };
}

/** A past with one more step. */
export function remembered(past: readonly Draft[], draft: Draft): readonly Draft[] {
  return [...past.slice(-UNDO_STEPS + 1), draft];
}

/** The draft with another text; undo brings this one back. */
export function edit(editor: Editor, text: EditorText, kind: EditKind): Editor {
  const grouped = kind === editor.last && (kind === 'type' || kind === 'erase');
  const past = grouped ? editor.past : remembered(editor.past, draftNow(editor));
  const history = { ...editor.history, at: null, draft: null };
  return { ...editor, text, past, undone: [], last: kind, goal: null, yanked: null, argument: null, mark: null, history };
}

/** Types `typed`. A blank ends an undo group. */
export function insert(editor: Editor, typed: string): Editor {
  const content = cleanInput(typed);
  if (content === '') return editor;
  const { cursor } = editor.text;
  return edit(editor, replace(editor.text, cursor, cursor, content), /^\S$/u.test(content) ? 'type' : 'other');
}

/** Puts a paste in: as text when it is small, as one token when it is big. Nothing in it is ever a key. */
export function insertPaste(editor: Editor, pasted: string): Editor {
  const content = cleanInput(pasted);
  if (content === '') return editor;
  const folded = fold(editor, content);
  const { cursor } = editor.text;
  return { ...edit(editor, replace(editor.text, cursor, cursor, folded.content), 'other'), pastes: folded.pastes };
}

/** What to write for `content`: itself, or the mark of a new paste when it is big. */
export function fold(editor: Editor, content: string): { readonly content: string; readonly pastes: readonly Paste[] } {
  const pastes = editor.pastes.length < mostPastes ? editor.pastes : stillThere(editor);
  const lines = countLines(content);
  const small = lines <= foldedPaste.lines && content.length <= foldedPaste.characters;
  if (small || pastes.length >= mostPastes) return { content, pastes };
  const size = lines > 1 ? `${grouped(lines)} lines` : `${grouped(content.length)} characters`;
  const index = Array.from({ length: mostPastes }, (_, at) => at).find((at) => !pastes.some((paste) => paste.mark === pasteMark(at))) ?? 0;
  const paste = { mark: pasteMark(index), text: content, label: `[paste #${index + 1} · ${size}]` };
  return { content: paste.mark, pastes: [...pastes, paste] };
}

/** Every mark is taken: those of pastes that the draft does not hold any more are free. */
function stillThere({ text, pastes }: Editor): readonly Paste[] {
  return pastes.filter((paste) => text.lines.some((line) => line.includes(paste.mark)));
}

function countLines(content: string): number {
  let lines = 1;
  for (let at = content.indexOf('\n'); at >= 0 && at < content.length - 1; at = content.indexOf('\n', at + 1)) lines++;
  return lines;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

function erase(editor: Editor, from: Cursor, to: Cursor): Editor {
  return isBefore(from, to) ? edit(editor, replace(editor.text, from, to, ''), 'erase') : editor;
}

/** Erases the cluster to the left, over line ends. */
export const eraseLeft = (editor: Editor): Editor => erase(editor, leftOf(editor.text, editor.text.cursor), editor.text.cursor);
/** Erases the cluster to the right, over line ends. */
export const eraseRight = (editor: Editor): Editor => erase(editor, editor.text.cursor, rightOf(editor.text, editor.text.cursor));

/** Cuts what stands between two places into the ring; cuts in a row become one entry, joined at that side. */
export function kill(editor: Editor, from: Cursor, to: Cursor, side: 'left' | 'right'): Editor {
  if (!isBefore(from, to)) return editor;
  const killed = expand(between(editor.text, from, to), editor.pastes);
  const [newest = '', ...older] = editor.ring;
  const joins = editor.last === 'kill' && editor.ring.length > 0;
  const entry = !joins ? killed : side === 'left' ? killed + newest : newest + killed;
  return {
    ...edit(editor, replace(editor.text, from, to, ''), 'kill'),
    ring: withEntry(joins ? older : editor.ring, entry),
  };
}

/** The ring with one more entry. */
export function withEntry(ring: readonly string[], entry: string): readonly string[] {
  return [entry, ...ring].slice(0, RING_ENTRIES);
}

/** Kills to the end of the line; at the end, the line end itself. */
export function killToLineEnd(editor: Editor): Editor {
  const { text } = editor;
  const end = lineEnd(text);
  return kill(editor, text.cursor, isBefore(text.cursor, end) ? end : rightOf(text, text.cursor), 'right');
}

/** Kills to the start of the line; at the start, the line end before it. */
export function killToLineStart(editor: Editor): Editor {
  const { text } = editor;
  return kill(editor, text.cursor.offset > 0 ? lineStart(text) : leftOf(text, text.cursor), text.cursor, 'left');
}

/** Kills the word to the left. */
export const killWordLeft = (editor: Editor, kind: WordKind): Editor =>
  kill(editor, wordLeft(editor.text, editor.text.cursor, kind), editor.text.cursor, 'left');
/** Kills the word to the right. */
export const killWordRight = (editor: Editor): Editor =>
  kill(editor, editor.text.cursor, wordRight(editor.text, editor.text.cursor), 'right');

/** Puts the newest killed text back. */
export function yank(editor: Editor): Editor {
  const [newest] = editor.ring;
  if (newest === undefined) return editor;
  const from = editor.text.cursor;
  const folded = fold(editor, newest);
  return { ...edit(editor, replace(editor.text, from, from, folded.content), 'yank'), pastes: folded.pastes, yanked: { from, entry: 0 } };
}

/** Right after a yank: the entry of the ring before it instead. */
export function yankPop(editor: Editor): Editor {
  if (editor.yanked === null) return editor;
  const entry = (editor.yanked.entry + 1) % editor.ring.length;
  const { from } = editor.yanked;
  const folded = fold(editor, editor.ring[entry] ?? '');
  const text = replace(editor.text, from, editor.text.cursor, folded.content);
  return { ...editor, text, pastes: folded.pastes, yanked: { from, entry } };
}

/** One step back. */
export function undo(editor: Editor): Editor {
  const then = editor.past[editor.past.length - 1];
  if (then === undefined) return editor;
  const undone = [...editor.undone, draftNow(editor)];
  return { ...editor, ...then, past: editor.past.slice(0, -1), undone, last: 'none', goal: null, yanked: null, argument: null, mark: null };
}

/** One step forth again. */
export function redo(editor: Editor): Editor {
  const then = editor.undone[editor.undone.length - 1];
  if (then === undefined) return editor;
  const past = [...editor.past, draftNow(editor)];
  return {
    ...editor,
    ...then,
    undone: editor.undone.slice(0, -1),
    past,
    last: 'none',
    goal: null,
    yanked: null,
    argument: null,
    mark: null,
  };
}

/** The draft taken away; undo brings it back. */
export function clear(editor: Editor): Editor {
  return isEmpty(editor) ? editor : edit(editor, emptyText, 'other');
}

/** The draft replaced by `content`; a big one is folded. Undo brings the old one back. */
export function setDraft(editor: Editor, content: string): Editor {
  const cleared = clear(editor);
  const filled = insertPaste(cleared, content);
  return filled === cleared ? cleared : { ...filled, past: isEmpty(editor) ? filled.past : cleared.past };
}

/** Remembers `content` as the newest prompt and starts anew; undo brings back what was sent. */
export function submitted(editor: Editor, content: string): Editor {
  const { entries } = editor.history;
  const history = content === '' || entries[entries.length - 1] === content ? entries : [...entries, content];
  const vi = editor.vi === null ? null : { ...editor.vi, mode: freshVi.mode, keys: [], anchor: null, open: null, column: null };
  return { ...createEditor(history), ring: editor.ring, stash: editor.stash, past: remembered(editor.past, draftNow(editor)), vi };
}

/** One prompt back (-1) or forth (1) in history; the draft waits at its end. Null when there is none. */
export function browse(editor: Editor, by: -1 | 1): Editor | null {
  const step = browsing(editor.history, by, { text: editor.text, pastes: editor.pastes });
  if (step === null) return null;
  if (step.draft !== null)
    return { ...moveTo(editor, step.draft.text.cursor), text: step.draft.text, pastes: step.draft.pastes, history: step.place };
  const shown = insertPaste(createEditor(), step.entry);
  return { ...moveTo(editor, shown.text.cursor), text: shown.text, pastes: shown.pastes, history: step.place };
}

/** Draft and given texts together, the texts first: queued prompts that came back. */
export function bringBack(editor: Editor, texts: readonly string[]): Editor {
  const draft = draftOf(editor);
  return setDraft(editor, [...texts, ...(draft === '' ? [] : [draft])].join('\n'));
}
