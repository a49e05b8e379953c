/** What the keys of the draft do. */

import { completions, isSlash } from '../completion.js';
import {
  browse,
  clear,
  eraseLeft,
  eraseRight,
  insert,
  killToLineEnd,
  killToLineStart,
  killWordLeft,
  killWordRight,
  redo,
  submitted,
  undo,
  yank,
  yankPop,
} from '../editor/editor.js';
import { draftOf, type Editor } from '../editor/model.js';
import { left, right, toLineEnd, toLineStart, toWordLeft, toWordRight, vertical } from '../editor/motions.js';
import { textOf } from '../editor/text.js';
import { type Effect, type Step, send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { editorWidth } from '../screen.js';
import { isBusy, type State } from '../state.js';

/** What a key does at a moment of the wall clock. */
export type Handler = (state: State, nowMs: number) => Step;

/** The state with another draft; the list of choices begins anew. */
export function withEditor(state: State, editor: Editor): State {
  return editor === state.editor ? state : { ...state, editor, completion: { ...state.completion, selected: 0 } };
}

function editing(change: (editor: Editor) => Editor): Handler {
  return (state) => step(withEditor(state, change(state.editor)));
}

function sent(state: State, text: string, ...effects: readonly Effect[]): Step {
  const next: State = {
    ...withEditor(state, submitted(state.editor, text)),
    reading: { kind: 'follow' },
    completion: { selected: 0, dismissed: null },
  };
  return step(next, ...effects, { type: 'remember', text });
}

function submit(state: State): Step {
  const text = draftOf(state.editor).trimEnd();
  if (text.trim() === '') return step(state);
  if (isSlash(text)) return sent(state, text, { type: 'slash', line: text });
  return sent(state, text, send({ type: isBusy(state) ? 'prompt.steer' : 'prompt.submit', text }));
}

function queue(state: State): Step {
  const text = draftOf(state.editor).trimEnd();
  return text.trim() === '' ? step(state) : sent(state, text, send({ type: 'prompt.submit', text }));
}

function rowUp(state: State): Step {
  const { editor } = state;
  return step(withEditor(state, vertical(editor, -1, editorWidth(state.size)) ?? browse(editor, -1) ?? editor));
}

function rowDown(state: State): Step {
  const { editor } = state;
  return step(withEditor(state, vertical(editor, 1, editorWidth(state.size)) ?? browse(editor, 1) ?? editor));
}

function choose(by: number): Handler {
  return (state) => {
    const count = completions(state).length;
    const selected = (state.completion.selected + by + count) % Math.max(1, count);
    return step({ ...state, completion: { ...state.completion, selected } });
  };
}

function accepted(state: State): State {
  const choice = completions(state)[state.completion.selected];
  if (choice === undefined) return state;
  return withEditor(state, { ...clear(state.editor), text: textOf(choice.line) });
}

function runChoice(state: State): Step {
  const choice = completions(state)[state.completion.selected];
  const next = accepted(state);
  return choice?.whole === false ? step(next) : submit(next);
}

/** The ids this file answers for. */
export type EditorAction = Extract<ActionId, `draft.${string}` | `completion.${string}` | 'queue.recall'>;

/** What each of them does. */
export const editorHandlers: Readonly<Record<EditorAction, Handler>> = {
  'draft.submit': submit,
  'draft.newline': editing((editor) => insert(editor, '\n')),
  'draft.queue': queue,
  'queue.recall': (state) => step(state, send({ type: 'queue.recall' })),
  'draft.up': rowUp,
  'draft.down': rowDown,
  'draft.left': editing(left),
  'draft.right': editing(right),
  'draft.wordLeft': editing(toWordLeft),
  'draft.wordRight': editing(toWordRight),
  'draft.lineStart': editing(toLineStart),
  'draft.lineEnd': editing(toLineEnd),
  'draft.eraseLeft': editing(eraseLeft),
  'draft.eraseRight': editing(eraseRight),
  'draft.killLineEnd': editing(killToLineEnd),
  'draft.killLineStart': editing(killToLineStart),
  'draft.killBlankWord': editing((editor) => killWordLeft(editor, 'blank-delimited')),
  'draft.killWordLeft': editing((editor) => killWordLeft(editor, 'word')),
  'draft.killWordRight': editing(killWordRight),
  'draft.yank': editing(yank),
  'draft.yankPop': editing(yankPop),
  'draft.undo': editing(undo),
  'draft.redo': editing(redo),
  'draft.external': (state) => step(state, { type: 'editor.external', text: draftOf(state.editor) }),
  'completion.next': choose(1),
  'completion.previous': choose(-1),
  'completion.accept': (state) => step(accepted(state)),
  'completion.run': runChoice,
  'completion.dismiss': (state) => step({ ...state, completion: { selected: 0, dismissed: draftOf(state.editor) } }),
};
