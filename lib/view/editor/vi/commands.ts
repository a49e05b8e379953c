/** What each command of normal and visual mode does to the draft. */

import { draftNow, edit, fold, redo, remembered, undo, withEntry } from '../editor.js';
import { type Editor, expand } from '../model.js';
import { type Cursor, type EditorText, lineAt } from '../text.js';
import {
  ahead,
  firstDifference,
  joinedLines,
  type LetterCase,
  onCharacter,
  opened,
  overwritten,
  put,
  recased,
  replacedBy,
  taken,
  without,
} from './changes.js';
import type { Command, Extent, Target, Vi } from './model.js';
import { firstNonBlank, lastOffset, motions } from './motions.js';
import { objectAt } from './objects.js';
import { deleted, extentOf, type Region, regionLike, regionOf, selection } from './region.js';

/** The editor with another state of vi keys. */
export function withVi(editor: Editor, change: Partial<Vi>): Editor {
  return editor.vi === null ? editor : { ...editor, vi: { ...editor.vi, ...change } };
}

const cases: Readonly<Record<string, LetterCase>> = { '~': 'swap', 'g~': 'swap', u: 'lower', gu: 'lower', U: 'upper', gU: 'upper' };

/** Commands that are short for others. */
const short: Readonly<Record<string, { readonly key: string; readonly target: Target }>> = {
  x: { key: 'd', target: { kind: 'motion', key: 'l', arg: '' } },
  X: { key: 'd', target: { kind: 'motion', key: 'h', arg: '' } },
  s: { key: 'c', target: { kind: 'motion', key: 'l', arg: '' } },
  D: { key: 'd', target: { kind: 'motion', key: '$', arg: '' } },
  C: { key: 'c', target: { kind: 'motion', key: '$', arg: '' } },
  S: { key: 'c', target: { kind: 'lines' } },
  Y: { key: 'y', target: { kind: 'lines' } },
};

/** Moves; null: there is no such place. */
export function moved(editor: Editor, command: Command, vi: Vi): Editor | null {
  const visual = vi.anchor !== null;
  const { text, pastes } = editor;
  const to = motions[command.key]?.({ ...command, text, pastes, operator: '', visual, find: vi.find, column: vi.column }) ?? null;
  if (to === null) return null;
  return withVi({ ...editor, text: { ...text, cursor: to.at } }, { column: to.column ?? null });
}

/** A command of normal mode that is no motion; the very same editor when it cannot be done. */
export function normal(editor: Editor, given: Command, vi: Vi): Editor {
  const command: Command = { ...given, ...short[given.key] };
  const count = command.count ?? 1;
  const { text } = editor;
  const { line, offset } = text.cursor;
  const content = lineAt(text, line);
  const at = (place: Cursor): EditorText => ({ ...text, cursor: place });
  switch (command.key) {
    case 'i':
      return begin(editor, text, given);
    case 'a':
      return begin(editor, ahead(text, 1) === null ? text : at(ahead(text, 1)?.to ?? text.cursor), given);
    case 'I':
      return begin(editor, at({ line, offset: /^[ \t]*/.exec(content)?.[0].length ?? 0 }), given);
    case 'A':
      return begin(editor, at({ line, offset: content.length }), given);
    case 'o':
    case 'O':
      return begin(editor, newLine(text, command.key === 'o' ? line + 1 : line), given);
    case 'R':
      return begin(editor, text, given, 'replace');
    case 'v':
    case 'V':
      return withVi(editor, { mode: command.key === 'v' ? 'visual' : 'visual-line', anchor: text.cursor });
    case 'p':
    case 'P':
      return putRegister(editor, given, vi);
    case 'J':
    case 'gJ': {
      const whole = joinedLines(text, line, count, command.key === 'J');
      return whole === null ? editor : done(editor, whole, given);
    }
    case '~': {
      const region = ahead(text, Math.min(count, countTo(text)));
      if (region === null || region.to.offset === offset) return editor;
      const after = recased(text, region, 'swap');
      return done(editor, { ...after, cursor: { line, offset: Math.min(region.to.offset, lineAt(after, line).length) } }, given);
    }
    case 'r': {
      const region = ahead(text, count);
      if (region === null) return editor;
      const after = overwritten(text, region, command.arg);
      const last = lastOffset(lineAt(after, line).slice(0, offset + command.arg.length * count));
      return done(editor, { ...after, cursor: { line, offset: last } }, given);
    }
    case 'u':
    case 'C-r':
      return backOrForth(editor, command.key === 'u' ? undo : redo, count);
    default:
      return operatorOn(editor, command, given, vi);
  }
}

/** Clusters from the cursor to the end of its line. */
function countTo(text: EditorText): number {
  let count = 0;
  while (ahead(text, count + 1) !== null) count++;
  return count;
}

function newLine(text: EditorText, line: number): EditorText {
  return { lines: [...text.lines.slice(0, line), '', ...text.lines.slice(line)], cursor: { line, offset: 0 } };
}

function operatorOn(editor: Editor, command: Command, given: Command, vi: Vi): Editor {
  const region = targetRegion(editor, command, vi);
  if (region === null) return editor;
  return operate(editor, command.key, region, given, null);
}

function targetRegion(editor: Editor, command: Command, vi: Vi): Region | null {
  const { text, pastes } = editor;
  const { target, count } = command;
  if (target === null) return null;
  if (target.kind === 'lines') {
    const last = text.cursor.line + (count ?? 1) - 1;
    if (last > text.cursor.line && text.cursor.line === text.lines.length - 1) return null;
    const { line, offset } = text.cursor;
    // In one line it begins at the indent at the latest: that is where the cursor is left.
    const from = command.key === 'y' || last > line ? offset : Math.min(offset, firstNonBlank(lineAt(text, line)));
    return { from: { line, offset: from }, to: { line: Math.min(last, text.lines.length - 1), offset: 0 }, linewise: true };
  }
  if (target.kind === 'object') {
    const piece = objectAt(text, target.key, count ?? 1, null);
    return piece === null ? null : regionOf(text, piece.from, piece.to, piece.span);
  }
  const context = { text, pastes, count, arg: target.arg, operator: command.key, visual: false, find: vi.find, column: vi.column };
  const to = motions[target.key]?.(context) ?? null;
  if (to === null) return null;
  const region = regionOf(text, text.cursor, to.at, to.span);
  return command.key === 'd' ? deleted(text, region) : region;
}

/** The operator done. `extent`: it came from a selection of that size. */
function operate(editor: Editor, key: string, region: Region, given: Command, extent: Extent | null): Editor {
  const { text } = editor;
  const start: EditorText = { ...text, cursor: region.from };
  const from: Editor = { ...editor, text: start };
  if (key === 'y') return { ...keep(editor, region), text: start };
  const letters = cases[key];
  if (letters !== undefined) return done(from, recased(text, region, letters), given, extent);
  // Nothing is written: there is not even a line to delete.
  const nothing = text.lines.length === 1 && text.lines[0] === '';
  const { line, offset } = region.to;
  const empty = nothing || (!region.linewise && region.from.line === line && region.from.offset === offset);
  if (key === 'c')
    return begin(empty && region.inclusive !== true ? from : keep(from, region), opened(text, region), given, 'insert', extent);
  return empty ? withVi(from, { mode: 'normal', anchor: null }) : done(keep(from, region), without(text, region), given, extent);
}

/** What the region holds goes into the register and into the ring. */
function keep(editor: Editor, region: Region): Editor {
  const found = taken(editor.text, region);
  const text = expand(found.text, editor.pastes);
  const entry = found.linewise ? `${text}\n` : text;
  return { ...withVi(editor, { register: { ...found, text } }), ring: entry === '' ? editor.ring : withEntry(editor.ring, entry) };
}

function putRegister(editor: Editor, given: Command, vi: Vi): Editor {
  const folded = fold(editor, vi.register.text);
  if (vi.register.text === '' && !vi.register.linewise) return editor;
  const filled = put(editor.text, { ...vi.register, text: folded.content }, given.count ?? 1, given.key === 'P');
  return { ...done(editor, filled, given), pastes: folded.pastes };
}

function backOrForth(editor: Editor, step: (editor: Editor) => Editor, count: number): Editor {
  let now = editor;
  for (let left = count; left > 0; left--) {
    const then = step(now);
    if (then === now) break;
    now = withPlace(then, now.text);
  }
  return now;
}

/** After undo the cursor stands where the change began, or at the start of the first changed line. */
function withPlace(editor: Editor, old: EditorText): Editor {
  const { text } = editor;
  let line = firstDifference(old, text);
  if (text.cursor.line + 1 === line) line = text.cursor.line;
  line = Math.min(line, text.lines.length - 1);
  const offset = text.cursor.line === line ? text.cursor.offset : firstNonBlank(lineAt(text, line));
  return { ...editor, text: { ...text, cursor: { line, offset } } };
}

/** The change is made and remembered for undo and `.`. */
function done(editor: Editor, text: EditorText, command: Command, extent: Extent | null = null): Editor {
  return withVi(edit(editor, text, 'other'), { mode: 'normal', anchor: null, change: { command, typed: '', extent } });
}

/** Typing begins; Esc ends it. */
function begin(
  editor: Editor,
  text: EditorText,
  command: Command,
  mode: 'insert' | 'replace' = 'insert',
  extent: Extent | null = null,
): Editor {
  const open = { before: draftNow(editor), past: editor.past, start: text, command, extent };
  return withVi({ ...editor, text, last: 'none', goal: null, yanked: null }, { mode, anchor: null, open });
}

/** An undone or abandoned piece of typing as one step of the past. */
export function closed(editor: Editor, vi: Vi): Editor {
  const { open } = vi;
  if (open === null) return editor;
  const same = editor.text.lines.join('\n') === open.before.text.lines.join('\n');
  return { ...editor, past: same ? open.past : remembered(open.past, open.before), undone: same ? editor.undone : [], last: 'none' };
}

/** A command of a visual mode that is no motion. `again`: the extent that `.` repeats, from the cursor on. */
export function visual(editor: Editor, command: Command, vi: Vi, again: Extent | null = null): Editor {
  const { text } = editor;
  const region = again === null ? selection(text, vi) : regionLike(text, again);
  const extent = again ?? extentOf(text, vi);
  const above = again === null && text.cursor.line < (vi.anchor?.line ?? 0);
  const start: Cursor = above ? region.from : { line: region.from.line, offset: 0 };
  const lines: Region = { from: start, to: { line: lastLine(region, text, vi, again), offset: 0 }, linewise: true };
  const count = command.count ?? 1;
  switch (command.key) {
    case 'o':
    case 'O':
      return vi.anchor === null ? editor : withVi({ ...editor, text: { ...text, cursor: vi.anchor } }, { anchor: text.cursor });
    case 'v':
    case 'V': {
      const mode = command.key === 'v' ? 'visual' : 'visual-line';
      return vi.mode === mode ? withVi(editor, { mode: 'normal', anchor: null }) : withVi(editor, { mode });
    }
    case 'd':
    case 'x':
      return operate(editor, 'd', region, command, extent);
    case 'X':
    case 'D':
      return operate(editor, 'd', lines, command, { ...extent, linewise: true });
    case 'c':
    case 's':
      return operate(editor, 'c', region, command, extent);
    case 'C':
    case 'S':
    case 'R':
      return operate(editor, 'c', lines, command, { ...extent, linewise: true });
    case 'y':
    case 'Y':
      return withVi(operate(editor, 'y', command.key === 'y' ? region : lines, command, extent), { mode: 'normal', anchor: null });
    case 'J':
    case 'gJ': {
      const from = region.from.line;
      const whole = joinedLines(text, from, lines.to.line - from + 1, command.key === 'J');
      const begun = { ...editor, text: { ...text, cursor: region.from } };
      return whole === null ? withVi(begun, { mode: 'normal', anchor: null }) : done(begun, whole, command, extent);
    }
    case 'r':
      return done({ ...editor, text: { ...text, cursor: region.from } }, overwritten(text, region, command.arg), command, extent);
    case 'p':
    case 'P': {
      const folded = fold(editor, vi.register.text);
      const filled = replacedBy(text, region, { ...vi.register, text: folded.content }, count);
      const kept = command.key === 'p' ? keep(editor, region) : editor;
      return { ...done({ ...kept, text: { ...text, cursor: region.from } }, filled, command, extent), pastes: folded.pastes };
    }
    default:
      if (cases[command.key] !== undefined) return operate(editor, command.key, region, command, extent);
      return /^[ia]/.test(command.key) ? selectObject(editor, command, vi) : editor;
  }
}

/** The last line of a selection, or of as much again. */
function lastLine({ from }: Region, text: EditorText, vi: Vi, again: Extent | null): number {
  const last = again === null ? Math.max(text.cursor.line, vi.anchor?.line ?? 0) : from.line + again.lines - 1;
  return Math.min(last, text.lines.length - 1);
}

function selectObject(editor: Editor, command: Command, vi: Vi): Editor {
  const { text } = editor;
  const { anchor } = vi;
  const grows = anchor !== null && (anchor.line !== text.cursor.line || anchor.offset !== text.cursor.offset);
  const piece = objectAt(text, command.key, command.count ?? 1, grows ? { anchor, cursor: text.cursor } : null);
  if (piece === null) return editor;
  const to = piece.span === 'inclusive' ? piece.to : endBefore(text, piece.from, piece.to);
  if (to === null) return editor;
  return withVi({ ...editor, text: { ...text, cursor: to } }, { anchor: piece.from, mode: 'visual' });
}

function endBefore(text: EditorText, from: Cursor, to: Cursor): Cursor | null {
  if (from.line === to.line && from.offset === to.offset) return null;
  if (to.offset > 0) return { line: to.line, offset: lastOffset(lineAt(text, to.line).slice(0, to.offset)) };
  return { line: to.line - 1, offset: lineAt(text, to.line - 1).length };
}

/** The cursor where normal mode may have it. */
export function settled(editor: Editor): Editor {
  if (editor.vi === null || editor.vi.mode !== 'normal') return editor;
  const text = onCharacter(editor.text);
  return text === editor.text ? editor : { ...editor, text };
}
