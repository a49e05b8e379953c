/** What the keys of the draft do. */

import type { RuntimeCommand } from '../../protocol/commands.js';
import { completions, isSlash } from '../completion.js';
import { lastArgument, stashed, writtenOut } from '../editor/drafts.js';
import {
  browse,
  edit,
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
import { left, right, toEnd, toLineEnd, toLineStart, toStart, toWordLeft, toWordRight, vertical } from '../editor/motions.js';
import { copyRegion, exchangeMark, killRegion, setMark } from '../editor/region.js';
import { joined, replace } from '../editor/text.js';
import { settled } from '../editor/vi/commands.js';
import { isCommanding, leave, takeBack, viKey } from '../editor/vi/machine.js';
import { changeCase, eraseBlanks, transposeClusters, transposeWords } from '../editor/word-changes.js';
import { type Effect, type Step, send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { draftRows, editorWidth } from '../screen.js';
import { isBusy, type State } from '../state.js';
import { withToast } from '../toasts.js';

/** What a key does at a moment of the wall clock; the key itself matters where a row stands for many. */
export type Handler = (state: State, nowMs: number, key: string) => Step;

/** The state with another draft; the list of choices begins anew. */
export function withEditor(state: State, changed: Editor): State {
  const editor = settled(changed);
  return editor === state.editor ? state : { ...state, editor, completion: { ...state.completion, selected: 0 } };
}

/** The prefix that stands for "the next key is meant as a character". */
const QUOTE = 'C-v';

/** Is the next key meant as a character? */
export function isQuoting(state: State): boolean {
  return state.prefix === QUOTE;
}

const characters: Readonly<Record<string, string>> = { tab: '\t', enter: '\n', space: ' ', escape: '\x1b', backspace: '\x7f' };

/** The key as the character that it sends; keys that send none are dropped. */
export function literal(state: State, key: string, text: string): State {
  const control = /^C-([a-z@[\]^_\\])$/.exec(key)?.[1];
  const character = characters[key] ?? (control === undefined ? text : String.fromCharCode(control.charCodeAt(0) & 0x1f));
  const typed = { ...state, prefix: '' };
  return character === '' ? typed : withEditor(typed, insert(state.editor, character));
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
  const own = ownCommand(text);
  if (own !== null) return sent(state, text, send(own));
  if (isSlash(text)) return sent(state, text, { type: 'slash', line: text });
  return sent(state, text, send({ type: isBusy(state) ? 'prompt.steer' : 'prompt.submit', text, ...ownWords(state) }));
}

/** What was pasted and folded away is not the person's own words: no `@` in it brings anything along. */
function ownWords({ editor }: State): { readonly mentions?: string } {
  const words = joined(editor.text);
  const pasted = editor.pastes.filter(({ mark, text }) => words.includes(mark) && text.includes('@'));
  return pasted.length === 0 ? {} : { mentions: words.replace(/[\ufdd0-\ufdef]/g, ' ') };
}

/** `!ls` runs in the pane and the model is told; `!!ls` is nobody's business. Null: it is no such line. */
function ownCommand(text: string): Extract<RuntimeCommand, { type: 'command.run' }> | null {
  const [, marks = '', command = ''] = /^(!!?)\s*(\S.*)$/s.exec(text) ?? [];
  return command === '' ? null : { type: 'command.run', text: command, tell: marks === '!' };
}

function queue(state: State): Step {
  const text = draftOf(state.editor).trimEnd();
  return text.trim() === '' ? step(state) : sent(state, text, send({ type: 'prompt.submit', text, ...ownWords(state) }));
}

function rowUp(state: State): Step {
  const { editor } = state;
  return step(withEditor(state, vertical(editor, -1, draftRows(state), editorWidth(state.size)) ?? browse(editor, -1) ?? editor));
}

function rowDown(state: State): Step {
  const { editor } = state;
  return step(withEditor(state, vertical(editor, 1, draftRows(state), editorWidth(state.size)) ?? browse(editor, 1) ?? editor));
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
  const { text } = state.editor;
  return withEditor(state, edit(state.editor, replace(text, choice.from, choice.to, choice.text), 'other'));
}

/** Commands of vi that go by the keys themselves. */
function vi(state: State, key: string): Step {
  const { editor, beyond } = viKey(state.editor, key);
  const walked = beyond === 0 ? editor : (browse(editor, beyond) ?? editor);
  return step(withEditor(state, walked));
}

function writeOut(state: State, nowMs: number): Step {
  const written = writtenOut(state.editor);
  return step(typeof written === 'string' ? withToast(state, written, 'info', nowMs) : withEditor(state, written));
}

function stash(state: State, nowMs: number): Step {
  const editor = stashed(state.editor);
  if (editor === state.editor) return step(withToast(state, 'Nothing is written, and nothing was put aside.', 'info', nowMs));
  return step(withEditor(state, editor));
}

function runChoice(state: State): Step {
  const choice = completions(state)[state.completion.selected];
  const next = accepted(state);
  return choice?.whole === false ? step(next) : submit(next);
}

/** The ids this file answers for. */
export type EditorAction = Extract<ActionId, `draft.${string}` | `completion.${string}` | `vi.${string}` | 'queue.recall'>;

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
  'draft.eraseLeft': editing((editor) => (editor.vi?.mode === 'replace' ? takeBack(editor) : eraseLeft(editor))),
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
  'draft.start': editing(toStart),
  'draft.end': editing(toEnd),
  'draft.mark': editing(setMark),
  'draft.killRegion': editing(killRegion),
  'draft.copyRegion': editing(copyRegion),
  'draft.exchangeMark': editing(exchangeMark),
  'draft.transpose': editing(transposeClusters),
  'draft.transposeWords': editing(transposeWords),
  'draft.upper': editing((editor) => changeCase(editor, 'upper')),
  'draft.lower': editing((editor) => changeCase(editor, 'lower')),
  'draft.capital': editing((editor) => changeCase(editor, 'capital')),
  'draft.eraseBlanks': editing(eraseBlanks),
  'draft.lastArgument': editing(lastArgument),
  'draft.quote': (state) => step({ ...state, prefix: QUOTE }),
  'draft.writeOut': writeOut,
  'draft.stash': stash,
  'vi.key': (state, _nowMs, key) => vi(state, key),
  'vi.left': (state) => vi(state, 'h'),
  'vi.right': (state) => vi(state, isCommanding(state.editor) && state.editor.vi?.keys.length !== 0 ? ' ' : 'l'),
  'vi.erase': (state) => vi(state, 'x'),
  'vi.normal': editing(leave),
  'draft.external': (state) => step(state, { type: 'editor.external', text: draftOf(state.editor) }),
  'completion.next': choose(1),
  'completion.previous': choose(-1),
  'completion.accept': (state) => step(accepted(state)),
  'completion.run': runChoice,
  'completion.dismiss': (state) => step({ ...state, completion: { selected: 0, dismissed: draftOf(state.editor) } }),
};
