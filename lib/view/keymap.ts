/** Every key that means something, as a table: keys are resolved by it, and help and hints are printed from it. */

import { approvalRows } from './approval-keymap.js';
import { completions } from './completion.js';
import { isEmpty } from './editor/model.js';
import { isBegun, isCommanding } from './editor/vi/machine.js';
import type { KeyContext, KeyMeaning } from './key-meaning.js';
import { arrangementRows, selectionRows } from './keys/arrangement-rows.js';
import { treeRows } from './keys/tree-keys.js';
import { usageRows } from './keys/usage-keys.js';
import { mirrorRows } from './mirror-keymap.js';
import { queueOpenRow, queueRows } from './queue-keymap.js';
import { isSearching } from './search.js';
import { sessionRows } from './session-keymap.js';
import { sessionChange } from './session-look.js';
import { settingDraft } from './settings.js';
import { settingsRows } from './settings-keymap.js';
import { isBusy, type KeyBindings, runningCommand, type State } from './state.js';
import { noTakeoverReason } from './takeover.js';
import { taskRows } from './task-keymap.js';
import { openWindow } from './task-list.js';
import { isTreeShown } from './tree-lines.js';
import { isUsageShown } from './usage.js';

/** Keys as people read them belong to the table. */
export { keyLabel } from './key-label.js';

/** Where a key counts. */
export type { KeyContext };

/** What each context is called, in the order of help. */
export const contextTitles: Readonly<Record<KeyContext, string>> = {
  global: 'Everywhere',
  takeover: 'While you have the keyboard of the pane',
  editor: 'Draft',
  completion: 'Choices while typing a slash command or a file',
  approval: 'A question',
  answering: 'An answer in words',
  ruling: 'A rule that is made of a question',
  conversation: 'Conversation',
  search: 'Words to search for in the conversation',
  mirror: 'Pane',
  tasks: 'Tasks',
  detail: 'A task in detail',
  limit: 'The time-out of a task',
  stopping: 'The question before a prompt is stopped',
  pane: 'Conversation, pane and tasks',
  vi: 'Draft with vi keys, outside of insert mode',
  leaving: 'The question at the end',
  picker: 'A list',
  help: 'Help',
  usage: 'The page of /usage',
  tree: 'The tree of the session',
  labelling: 'A label that is written',
  renaming: 'The new name of a session',
  deleting: 'The question before a session is deleted',
  setting: 'The value of a setting',
};

/** One meaning of some keys in one context. */
export interface KeyRow extends KeyMeaning {
  readonly id: ActionId;
}

const draftIsEmpty = (state: State): boolean => isEmpty(state.editor);
const isMarked = (state: State): boolean => state.search !== null;
const noMarks = (state: State): string | null => (state.search === null ? 'nothing is searched for' : null);
const viWrites = ({ editor }: State): boolean => editor.vi !== null && !isCommanding(editor);
const viBegun = (state: State): boolean => isBegun(state.editor) || !draftIsEmpty(state);
const viWaits = ({ editor }: State): boolean => editor.vi?.keys.length === 0;
const hasMark = ({ editor }: State): boolean => editor.mark !== null;
const questionWaits = (state: State): string | null => (state.approvals.length > 0 ? 'a question waits' : null);
const nothingRuns = (state: State): string | null => (isBusy(state) || runningCommand(state) !== null ? null : 'nothing runs');

const rows = [
  {
    id: 'takeover.end',
    keys: ['f6'],
    context: 'takeover',
    says: 'hand the keyboard back; every other key but these goes to the pane',
    hint: 'hands back',
  },

  {
    id: 'leaving.keep',
    keys: ['enter', 'k', 'C-c', 'C-d'],
    context: 'leaving',
    says: 'leave and keep the session: what runs goes on, the next start continues in it',
    hint: 'keep it',
  },
  { id: 'leaving.end', keys: ['e'], context: 'leaving', says: 'leave and end the session with all that runs in it', hint: 'end it' },
  { id: 'leaving.stay', keys: ['escape'], context: 'leaving', says: 'do not leave', hint: 'stay' },
  ...queueRows,
  ...settingsRows,
  { id: 'picker.take', keys: ['enter'], context: 'picker', says: 'do what is chosen', hint: 'do it' },
  { id: 'picker.close', keys: ['escape', 'C-c', 'C-g'], context: 'picker', says: 'close the list', hint: 'close' },
  ...sessionRows,
  { id: 'picker.up', keys: ['up', 'C-p', 'C-s'], context: 'picker', says: 'up an entry' },
  { id: 'picker.down', keys: ['down', 'C-n', 'C-r'], context: 'picker', says: 'down an entry' },
  { id: 'picker.pageUp', keys: ['pageup'], context: 'picker', says: 'up a page' },
  { id: 'picker.pageDown', keys: ['pagedown'], context: 'picker', says: 'down a page' },
  { id: 'picker.erase', keys: ['backspace', 'C-h', 'S-backspace'], context: 'picker', says: 'erase a letter' },
  { id: 'picker.clear', keys: ['C-u', 'C-w'], context: 'picker', says: 'search for something else' },

  { id: 'help.close', keys: ['escape', 'q', '?', 'f1', 'enter'], context: 'help', says: 'close help', hint: 'close' },
  { id: 'help.up', keys: ['up', 'k'], context: 'help', says: 'up a line' },
  { id: 'help.down', keys: ['down', 'j'], context: 'help', says: 'down a line' },
  { id: 'help.pageUp', keys: ['pageup'], context: 'help', says: 'up a page' },
  { id: 'help.pageDown', keys: ['pagedown', 'space'], context: 'help', says: 'down a page' },

  ...approvalRows,
  ...usageRows,
  ...treeRows,

  { id: 'completion.next', keys: ['down', 'C-n'], context: 'completion', says: 'next choice' },
  { id: 'completion.previous', keys: ['up', 'C-p'], context: 'completion', says: 'previous choice' },
  { id: 'completion.accept', keys: ['tab'], context: 'completion', says: 'take the choice', hint: 'take' },
  { id: 'completion.run', keys: ['enter'], context: 'completion', says: 'take the choice and run it', hint: 'run' },
  { id: 'completion.dismiss', keys: ['escape'], context: 'completion', says: 'close the list' },

  // vi keys: what they mean together is the grammar in editor/vi/grammar.ts.
  {
    id: 'vi.key',
    keys: ['h', 'j', 'k', 'l', 'w', 'W', 'b', 'B', 'e', 'E', '0', '^', '$', 'g', 'G', '{', '}', '%'],
    context: 'vi',
    says: 'move, also gg and ge; j and k reach other prompts',
  },
  { id: 'vi.key', keys: ['f', 'F', 't', 'T', ';', ','], context: 'vi', says: 'to a character in the line; again, or back' },
  { id: 'vi.key', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], context: 'vi', says: 'a count for what follows' },
  {
    id: 'vi.key',
    keys: ['d', 'c', 'y'],
    context: 'vi',
    says: 'delete, change, yank: and a motion or iw, a", i( …',
  },
  { id: 'vi.key', keys: ['x', 'X', 's', 'S', 'D', 'C', 'Y', 'J', '~', 'r', 'R'], context: 'vi', says: 'the usual short changes' },
  { id: 'vi.key', keys: ['p', 'P', 'u', 'U', 'C-r', '.'], context: 'vi', says: 'put, undo, redo, the last change again' },
  { id: 'vi.key', keys: ['i', 'a', 'I', 'A', 'o', 'O'], context: 'vi', says: 'insert mode', hint: 'insert' },
  { id: 'vi.key', keys: ['v', 'V'], context: 'vi', says: 'select characters, or lines', hint: 'select' },
  { id: 'vi.left', keys: ['backspace', 'C-h', 'S-backspace'], context: 'vi', says: 'left' },
  { id: 'vi.right', keys: ['space'], context: 'vi', says: 'right' },
  { id: 'vi.erase', keys: ['delete'], context: 'vi', says: 'delete a character' },
  { id: 'vi.normal', keys: ['escape'], context: 'vi', says: 'drop what was begun', when: viBegun },
  { id: 'history.search', keys: ['/'], context: 'vi', says: 'search in earlier prompts', when: viWaits },

  ...selectionRows,
  { id: 'draft.submit', keys: ['enter'], context: 'editor', says: 'send; while a prompt runs: steer it', hint: 'send' },
  { id: 'draft.newline', keys: ['M-enter', 'C-j', 'S-enter'], context: 'editor', says: 'new line', hint: 'newline' },
  { id: 'draft.queue', keys: ['M-q'], context: 'editor', says: 'queue as a follow-up', hint: 'queue' },
  {
    id: 'queue.recall',
    keys: ['up'],
    context: 'editor',
    says: 'take queued texts back (in an empty draft)',
    when: (state: State) => draftIsEmpty(state) && state.queue.length > 0,
  },
  queueOpenRow,
  { id: 'draft.up', keys: ['up'], context: 'editor', says: 'up a row; on the first one: earlier prompts' },
  { id: 'draft.down', keys: ['down'], context: 'editor', says: 'down a row; on the last one: later prompts' },
  { id: 'draft.left', keys: ['left', 'C-b'], context: 'editor', says: 'left' },
  { id: 'draft.right', keys: ['right', 'C-f'], context: 'editor', says: 'right' },
  { id: 'draft.wordLeft', keys: ['M-b', 'M-left', 'C-left'], context: 'editor', says: 'a word left' },
  { id: 'draft.wordRight', keys: ['M-f', 'M-right', 'C-right'], context: 'editor', says: 'a word right' },
  { id: 'draft.lineStart', keys: ['home', 'C-a'], context: 'editor', says: 'start of the line' },
  { id: 'draft.lineEnd', keys: ['end', 'C-e'], context: 'editor', says: 'end of the line' },
  { id: 'draft.eraseLeft', keys: ['backspace', 'C-h', 'S-backspace'], context: 'editor', says: 'erase to the left' },
  { id: 'quit', keys: ['C-d'], context: 'editor', says: 'quit (in an empty draft)', when: draftIsEmpty },
  { id: 'draft.eraseRight', keys: ['delete', 'C-d'], context: 'editor', says: 'erase to the right' },
  { id: 'draft.killLineEnd', keys: ['C-k'], context: 'editor', says: 'cut to the end of the line' },
  { id: 'draft.killLineStart', keys: ['C-u'], context: 'editor', says: 'cut to the start of the line' },
  { id: 'draft.killRegion', keys: ['C-w'], context: 'editor', says: 'cut from the mark to the cursor', when: hasMark },
  { id: 'draft.killBlankWord', keys: ['C-w'], context: 'editor', says: 'cut back to a blank' },
  { id: 'draft.killWordLeft', keys: ['M-backspace', 'C-backspace'], context: 'editor', says: 'cut a word to the left' },
  { id: 'draft.killWordRight', keys: ['M-d', 'M-delete', 'C-delete'], context: 'editor', says: 'cut a word to the right' },
  { id: 'draft.yank', keys: ['C-y'], context: 'editor', says: 'put back what was cut' },
  { id: 'draft.yankPop', keys: ['M-y'], context: 'editor', says: 'after that: what was cut before' },
  { id: 'draft.undo', keys: ['C-_', 'C-x C-u'], context: 'editor', says: 'undo; in a new draft: what was sent comes back' },
  { id: 'draft.redo', keys: ['M-_'], context: 'editor', says: 'redo' },
  { id: 'draft.start', keys: ['M-<'], context: 'editor', says: 'start of the draft' },
  { id: 'draft.end', keys: ['M->'], context: 'editor', says: 'end of the draft' },
  { id: 'draft.mark', keys: ['C-space'], context: 'editor', says: 'set the mark: from here on it is selected' },
  { id: 'draft.copyRegion', keys: ['M-w'], context: 'editor', says: 'copy from the mark to the cursor' },
  { id: 'draft.exchangeMark', keys: ['C-x C-x'], context: 'editor', says: 'to the mark, which comes here' },
  { id: 'draft.transpose', keys: ['C-t'], context: 'editor', says: 'swap two characters' },
  { id: 'draft.transposeWords', keys: ['M-t'], context: 'editor', says: 'swap two words' },
  { id: 'draft.upper', keys: ['M-u'], context: 'editor', says: 'word in capitals' },
  { id: 'draft.lower', keys: ['M-l'], context: 'editor', says: 'word in small letters' },
  { id: 'draft.capital', keys: ['M-c'], context: 'editor', says: 'word with a capital' },
  { id: 'draft.eraseBlanks', keys: ['M-\\'], context: 'editor', says: 'erase the blanks around the cursor' },
  { id: 'draft.lastArgument', keys: ['M-.'], context: 'editor', says: 'last word of the prompt before; again: of earlier ones' },
  { id: 'draft.quote', keys: ['C-v'], context: 'editor', says: 'the next key as the character it is' },
  { id: 'draft.writeOut', keys: ['M-e'], context: 'editor', says: 'write out the folded paste at the cursor' },
  { id: 'draft.stash', keys: ['C-s'], context: 'editor', says: 'put the draft aside, or bring it back' },
  { id: 'history.search', keys: ['C-r'], context: 'editor', says: 'search in earlier prompts' },
  { id: 'draft.external', keys: ['C-g', 'C-x C-e'], context: 'editor', says: 'write in $EDITOR' },
  { id: 'vi.normal', keys: ['escape'], context: 'editor', says: 'vi keys: normal mode', when: viWrites },
  { id: 'help.open', keys: ['?'], context: 'editor', says: 'help (in an empty draft)', hint: 'help', when: draftIsEmpty },

  { id: 'search.accept', keys: ['enter'], context: 'search', says: 'keep the marks; then n and N go from one to the next', hint: 'keep' },
  { id: 'search.leave', keys: ['escape', 'C-c'], context: 'search', says: 'back to what was read before', hint: 'back' },
  { id: 'search.erase', keys: ['backspace', 'C-h'], context: 'search', says: 'erase a character; the last one closes the search' },
  { id: 'search.clear', keys: ['C-u'], context: 'search', says: 'erase all of it' },
  { id: 'search.next', keys: ['down', 'C-n'], context: 'search', says: 'next match', hint: 'next' },
  { id: 'search.previous', keys: ['up', 'C-p'], context: 'search', says: 'previous match' },

  {
    id: 'search.next',
    keys: ['n'],
    context: 'conversation',
    says: 'next match (while marks are shown)',
    hint: 'next match',
    when: isMarked,
    disabled: noMarks,
  },
  {
    id: 'search.previous',
    keys: ['N'],
    context: 'conversation',
    says: 'previous match (while marks are shown)',
    when: isMarked,
    disabled: noMarks,
  },
  {
    id: 'search.close',
    keys: ['escape'],
    context: 'conversation',
    says: 'take the marks away',
    hint: 'unmark',
    when: isMarked,
    disabled: noMarks,
  },
  { id: 'search.open', keys: ['/'], context: 'conversation', says: 'search in the conversation', hint: 'search' },
  { id: 'conversation.up', keys: ['up', 'k'], context: 'conversation', says: 'up a row', hint: 'scroll' },
  { id: 'conversation.down', keys: ['down', 'j'], context: 'conversation', says: 'down a row' },
  { id: 'conversation.start', keys: ['home', 'g'], context: 'conversation', says: 'to the start' },
  { id: 'conversation.end', keys: ['end', 'G'], context: 'conversation', says: 'to the end, and follow' },
  { id: 'conversation.nextCard', keys: ['n'], context: 'conversation', says: 'next tool call or thought', hint: 'next call' },
  { id: 'conversation.previousCard', keys: ['p'], context: 'conversation', says: 'previous tool call or thought' },
  { id: 'conversation.toggle', keys: ['enter', 'space'], context: 'conversation', says: 'expand or fold the chosen call', hint: 'expand' },
  {
    id: 'conversation.foldAnswer',
    keys: ['a'],
    context: 'conversation',
    says: 'fold or unfold the answer that is read (or click its mark)',
  },
  { id: 'conversation.copy', keys: ['c'], context: 'conversation', says: 'copy the last answer' },
  { id: 'copy.open', keys: ['C'], context: 'conversation', says: 'copy code, an output, an answer or all of it' },
  { id: 'conversation.previousPrompt', keys: ['['], context: 'conversation', says: 'to the prompt before' },
  { id: 'conversation.nextPrompt', keys: [']'], context: 'conversation', says: 'to the next prompt' },
  { id: 'conversation.error', keys: ['!'], context: 'conversation', says: 'to the last error; again: to the one before' },
  {
    id: 'conversation.foldBefore',
    keys: ['f'],
    context: 'conversation',
    says: 'fold all before the prompt that is read, or unfold it',
    hint: 'fold',
  },

  ...mirrorRows,
  ...taskRows,

  { id: 'zoom', keys: ['z'], context: 'pane', says: 'this pane alone, or all again', hint: 'zoom' },
  { id: 'help.open', keys: ['?'], context: 'pane', says: 'help', hint: 'help' },
  { id: 'focus.editor', keys: ['i', '/'], context: 'pane', says: 'back to the draft' },

  {
    id: 'interrupt',
    keys: ['escape'],
    context: 'global',
    says: 'interrupt the running prompt; else back to the draft',
    hint: 'interrupt',
    disabled: nothingRuns,
  },
  { id: 'cancel', keys: ['C-c'], context: 'global', says: 'cancel what runs; else clear the draft; twice: quit' },
  { id: 'focus.next', keys: ['tab'], context: 'global', says: 'next pane', hint: 'panes' },
  { id: 'focus.previous', keys: ['S-tab'], context: 'global', says: 'previous pane' },
  { id: 'zoom', keys: ['f5'], context: 'global', says: 'this pane alone, or all again' },
  {
    id: 'takeover.begin',
    keys: ['f6'],
    context: 'global',
    says: 'type into the pane yourself (so does a click into it); the agent waits',
    hint: 'take over',
    disabled: noTakeoverReason,
  },
  {
    id: 'palette.open',
    keys: ['C-p'],
    context: 'global',
    says: 'everything that can be done, searched by typing',
    hint: 'palette',
    disabled: questionWaits,
  },
  { id: 'policy.cycle', keys: ['M-a'], context: 'global', says: 'what may run without asking: ask, all for 10 minutes, all, none' },
  { id: 'expandAll', keys: ['C-o'], context: 'global', says: 'expand or fold all calls', hint: 'expand all' },
  { id: 'conversation.pageUp', keys: ['pageup'], context: 'global', says: 'conversation: up a page' },
  { id: 'conversation.pageDown', keys: ['pagedown'], context: 'global', says: 'conversation: down a page' },
  { id: 'conversation.start', keys: ['C-home'], context: 'global', says: 'conversation: to the start' },
  { id: 'conversation.end', keys: ['C-end'], context: 'global', says: 'conversation: to the end, and follow' },
  { id: 'help.open', keys: ['f1'], context: 'global', says: 'help' },
  { id: 'repaint', keys: ['C-l'], context: 'global', says: 'paint the screen anew' },
  { id: 'suspend', keys: ['C-z'], context: 'global', says: 'suspend; fg brings it back' },
  ...arrangementRows,
] as const satisfies readonly KeyMeaning[];

/** Names of everything that a key can do. */
export type ActionId = (typeof rows)[number]['id'];

/** The table. In one context the first row that knows the key, and whose condition holds, wins. */
export const keymap: readonly KeyRow[] = rows;

const pickingContexts = { pick: 'picker', rename: 'renaming', delete: 'deleting' } as const;

/** The contexts that are asked for a key, in order. */
export function contextsOf(state: State): readonly KeyContext[] {
  if (state.takeover !== null) return ['takeover'];
  if (state.leaving !== null) return ['leaving'];
  if (settingDraft(state) !== null) return ['setting'];
  if (isPicking(state)) return [pickingContexts[sessionChange(state)?.kind ?? 'pick']];
  if (state.help !== null) return ['help'];
  if (state.ruling !== null) return ['ruling', 'global'];
  if (state.answering !== null) return ['answering', 'editor', 'global'];
  if (state.approvals.length > 0) return ['approval', 'global'];
  if (isUsageShown(state)) return ['usage'];
  if (isTreeShown(state)) return [state.tree?.labelling == null ? 'tree' : 'labelling'];
  const open = openWindow(state);
  if (open !== null) return [open];
  if (state.focus === 'editor' && isCommanding(state.editor)) return ['vi', 'editor', 'global'];
  if (state.focus === 'editor') return completions(state).length > 0 ? ['completion', 'editor', 'global'] : ['editor', 'global'];
  if (isSearching(state)) return ['search', 'global'];
  return [state.focus, 'pane', 'global'];
}

/** Names a row: an action can have other keys in each context. */
export function bindingKey({ context, id }: Pick<KeyRow, 'context' | 'id'>): string {
  return `${context}/${id}`;
}

/** The keys of a row as they are now. Several, pressed one after the other, have blanks between them. */
export function keysOf(bindings: KeyBindings, row: KeyRow): readonly string[] {
  return bindings.get(bindingKey(row)) ?? row.keys;
}

/** The row that `key`, after the prefix that was pressed, means now; or null. */
export function rowFor(state: State, key: string): KeyRow | null {
  const whole = state.prefix === '' ? key : `${state.prefix} ${key}`;
  return activeRows(state).find((row) => keysOf(state.bindings, row).includes(whole)) ?? null;
}

/** Rows that go on after a prefix, with the key that comes next. */
export function continuations(state: State, prefix: string): readonly { readonly row: KeyRow; readonly key: string }[] {
  return activeRows(state).flatMap((row) =>
    keysOf(state.bindings, row)
      .filter((keys) => keys.startsWith(`${prefix} `))
      .map((keys) => ({ row, key: keys.slice(prefix.length + 1) })),
  );
}

/** The rows that count now, the nearest context first. */
function activeRows(state: State): readonly KeyRow[] {
  return contextsOf(state).flatMap((context) => keymap.filter((row) => row.context === context && row.when?.(state) !== false));
}

/** A list is open and nothing more pressing lies over it. */
export function isPicking(state: State): boolean {
  return state.picker !== null && state.approvals.length === 0;
}
