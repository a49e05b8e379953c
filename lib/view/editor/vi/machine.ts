/** Keys of vi: which mode they meet, and what becomes of them. */

import { before, clusters } from '../clusters.js';
import { edit, insert, undo } from '../editor.js';
import type { Editor } from '../model.js';
import { type EditorText, lineAt } from '../text.js';
import { typedOver, typedSince } from './changes.js';
import { closed, moved, normal, settled, visual, withVi } from './commands.js';
import { parse } from './grammar.js';
import { type Change, type Command, isVisual, type Vi } from './model.js';
import { findOf, motions } from './motions.js';

/** What came of a key. */
export interface ViStep {
  readonly editor: Editor;
  /** j or k had no further row to go to: -1 is up, 1 is down. */
  readonly beyond: -1 | 0 | 1;
}

/** Do keys that type something mean commands now? */
export function isCommanding(editor: Editor): boolean {
  return editor.vi !== null && (editor.vi.mode === 'normal' || isVisual(editor.vi));
}

/** Is a command begun, or a selection made? */
export function isBegun(editor: Editor): boolean {
  return editor.vi !== null && (editor.vi.keys.length > 0 || isVisual(editor.vi));
}

/** A key in normal or a visual mode. */
export function viKey(editor: Editor, key: string): ViStep {
  const { vi } = editor;
  if (vi === null) return { editor, beyond: 0 };
  const keys = [...vi.keys, key];
  const parsed = parse(keys, isVisual(vi));
  const fresh = withVi(editor, { keys: parsed.kind === 'more' ? keys : [] });
  if (parsed.kind !== 'whole') return { editor: fresh, beyond: 0 };
  return run(fresh, parsed.command);
}

function run(editor: Editor, command: Command): ViStep {
  const { vi } = editor;
  if (vi === null) return { editor, beyond: 0 };
  const { key, arg } = command.target?.kind === 'motion' ? command.target : command;
  const find = findOf(key, arg);
  if (find !== null && find !== vi.find && !(find.key === vi.find?.key && find.cluster === vi.find.cluster))
    return run(withVi(editor, { find }), command);
  if (command.key in motions) {
    const to = moved(editor, command, vi);
    if (to !== null) return { editor: settled({ ...to, last: 'none', goal: null, yanked: null }), beyond: 0 };
    const beyond = isVisual(vi) ? 0 : command.key === 'k' ? -1 : command.key === 'j' ? 1 : 0;
    return { editor, beyond };
  }
  if (command.key === '.') return { editor: again(editor, vi.change, command.count), beyond: 0 };
  const after = isVisual(vi) ? visual(editor, command, vi) : normal(editor, command, vi);
  return { editor: settled(withVi(after, { column: null })), beyond: 0 };
}

/** `.`: the last change once more, with another count when one is given. */
function again(editor: Editor, change: Change | null, count: number | null): Editor {
  const { vi } = editor;
  if (change === null || vi === null) return editor;
  const command: Command = { ...change.command, count: count ?? change.command.count };
  const begun = change.extent === null ? normal(editor, command, vi) : visual(editor, command, vi, change.extent);
  const typed = begun.vi?.mode === 'insert' || begun.vi?.mode === 'replace' ? leave(typeInto(begun, change.typed)) : begun;
  return settled(withVi(typed, { column: null, change: { ...change, command } }));
}

/** Typed text in insert mode, or over what is there in replace mode. */
export function typeInto(editor: Editor, text: string): Editor {
  if (editor.vi?.mode !== 'replace') return insert(editor, text);
  let now = editor;
  for (const cluster of clustersOf(text)) now = edit(now, typedOver(now.text, cluster), 'other');
  return now;
}

function clustersOf(text: string): readonly string[] {
  return text.split(/(\n)/).flatMap((part) => (part === '\n' ? [part] : clusters(part)));
}

/** Backspace in replace mode brings back what stood there, as far as it was typed over. */
export function takeBack(editor: Editor): Editor {
  const { vi } = editor;
  if (vi?.mode !== 'replace' || vi.open === null || editor.past.length <= vi.open.past.length) return editor;
  return undo(editor);
}

/** Esc: typing ends, a selection ends, a command that was begun is dropped. */
export function leave(editor: Editor): Editor {
  const { vi } = editor;
  if (vi === null) return editor;
  if (vi.mode === 'normal' || isVisual(vi)) return settled(withVi(editor, { mode: 'normal', keys: [], anchor: null }));
  const typed = vi.open === null ? '' : typedSince(vi.open.start, editor.text);
  const whole = repeated(editor, vi, typed);
  const { line, offset } = whole.text.cursor;
  const cursor = { line, offset: offset > 0 ? before(lineAt(whole.text, line), offset) : 0 };
  const change: Change | null = vi.open === null ? vi.change : { command: vi.open.command, typed, extent: vi.open.extent };
  const left = { ...closed(whole, vi), text: { ...whole.text, cursor } };
  return settled(withVi({ ...left, last: 'none' }, { mode: 'normal', keys: [], anchor: null, open: null, change, column: null }));
}

/** With a count, what was typed stands there so many times. */
function repeated(editor: Editor, { open }: Vi, typed: string): Editor {
  const more = (open?.command.count ?? 1) - 1;
  const key = open?.command.key ?? '';
  if (more <= 0 || typed === '' || !['i', 'a', 'I', 'A', 'o', 'O', 'R'].includes(key) || open?.extent !== null) return editor;
  if (key === 'o' || key === 'O') return { ...editor, text: linesBelow(editor.text, typed, more) };
  return typeInto(editor, typed.repeat(more));
}

function linesBelow(text: EditorText, typed: string, more: number): EditorText {
  const added = Array.from({ length: more }, () => typed.split('\n')).flat();
  const line = text.cursor.line + 1;
  const last = line + added.length - 1;
  return {
    lines: [...text.lines.slice(0, line), ...added, ...text.lines.slice(line)],
    cursor: { line: last, offset: added[added.length - 1]?.length ?? 0 },
  };
}
