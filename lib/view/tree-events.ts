/** What events about the tree of a session change on the screen. */

import type { RuntimeEvent } from '../protocol/events.js';
import { conversationEvent } from './conversation-events.js';
import { setDraft } from './editor/editor.js';
import { pastTasks } from './past-tasks.js';
import type { State } from './state.js';
import { withToast } from './toasts.js';
import { appendBlock, emptyTranscript } from './transcript.js';
import { openedTree } from './tree.js';

type TreeEvent = Extract<RuntimeEvent, { type: 'tree.told' | 'session.branched' | 'session.labelled' }>;

/** The state after one of them. */
export function treeEvent(state: State, event: TreeEvent, tsMs: number): State {
  switch (event.type) {
    case 'tree.told':
      return { ...state, tree: openedTree(event.entries, event.leaf) };
    case 'session.branched':
      return branched(state, event, tsMs);
    case 'session.labelled':
      return labelled(state, event, tsMs);
  }
}

/** The conversation is the one that leads to the chosen place: what came after it there is in the tree. */
function branched(state: State, { past, text }: Extract<TreeEvent, { type: 'session.branched' }>, tsMs: number): State {
  const { showTokens, tasks } = state;
  let next: State = {
    ...state,
    showTokens: false,
    tasks: pastTasks(past, tsMs),
    tree: null,
    transcript: emptyTranscript,
    ...{ toggled: new Set(), selected: null, reading: { kind: 'follow' }, foldedBefore: 0, foldedPrompts: [] },
    ...{ search: null, shownError: null, foldedLast: null },
    pointer: { ...state.pointer, selection: null },
  };
  for (const { event, tsMs: then } of past) next = conversationEvent(next, event, Math.min(then, tsMs));
  const mark = { kind: 'mark', text: 'another branch from here on; /tree shows all' } as const;
  next = { ...next, showTokens, tasks, transcript: appendBlock(next.transcript, mark) };
  return text === null ? next : { ...next, editor: setDraft(next.editor, text), focus: 'editor' };
}

function labelled(state: State, { entry, label }: Extract<TreeEvent, { type: 'session.labelled' }>, tsMs: number): State {
  const told = withToast(state, label === '' ? 'The label is gone.' : `Labelled: ${label}`, 'info', tsMs);
  const { tree } = told;
  if (tree === null) return told;
  const entries = tree.entries.map((known) => (known.id === entry ? { ...known, label: label === '' ? null : label } : known));
  return { ...told, tree: { ...tree, entries } };
}
