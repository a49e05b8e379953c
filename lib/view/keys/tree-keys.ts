/** Keys of the tree of a session: the rows of the keymap, and what they do. */

import { type Step, send, step } from '../effects.js';
import type { KeyMeaning } from '../key-meaning.js';
import { lengthened, withCutTold } from '../one-line.js';
import { busyReason, type State } from '../state.js';
import { withToast } from '../toasts.js';
import { selectedLine, type TreeFilter, type TreeLine, type TreeView, treeFilters } from '../tree.js';
import { treeLinesOf } from '../tree-lines.js';

/** For the keymap. */
export const treeRows = [
  {
    id: 'tree.go',
    keys: ['enter'],
    context: 'tree',
    says: 'go on from there: a prompt comes back into the draft',
    hint: 'go on from there',
  },
  {
    id: 'tree.close',
    keys: ['escape', 'C-c', 'C-g'],
    context: 'tree',
    says: 'take away what was searched for, then close the tree',
    hint: 'close',
  },
  { id: 'tree.up', keys: ['up', 'C-p'], context: 'tree', says: 'up an entry' },
  { id: 'tree.down', keys: ['down', 'C-n'], context: 'tree', says: 'down an entry' },
  { id: 'tree.pageUp', keys: ['pageup'], context: 'tree', says: 'up a page' },
  { id: 'tree.pageDown', keys: ['pagedown'], context: 'tree', says: 'down a page' },
  { id: 'tree.start', keys: ['home'], context: 'tree', says: 'to the first entry' },
  { id: 'tree.end', keys: ['end'], context: 'tree', says: 'to the last entry' },
  {
    id: 'tree.foldOrUp',
    keys: ['left', 'C-left', 'M-left'],
    context: 'tree',
    says: 'fold the branch or the calls; else up to where the branch begins',
  },
  {
    id: 'tree.unfoldOrDown',
    keys: ['right', 'C-right', 'M-right'],
    context: 'tree',
    says: 'unfold; else down to where the next branch begins',
    hint: 'unfold',
  },
  { id: 'tree.editLabel', keys: ['L'], context: 'tree', says: 'write a label', hint: 'label' },
  {
    id: 'tree.nextFilter',
    keys: ['C-o', 'tab'],
    context: 'tree',
    says: 'show something else: without tools, prompts, labelled, all',
    hint: 'filter',
  },
  { id: 'tree.previousFilter', keys: ['S-tab'], context: 'tree', says: 'show what was shown before that' },
  { id: 'tree.filterDefault', keys: ['C-d'], context: 'tree', says: 'show all but what the program said' },
  { id: 'tree.filterNoTools', keys: ['C-t'], context: 'tree', says: 'show it without tools' },
  { id: 'tree.filterPrompts', keys: ['C-u'], context: 'tree', says: 'show prompts' },
  { id: 'tree.filterLabelled', keys: ['C-l'], context: 'tree', says: 'show what has a label' },
  { id: 'tree.filterAll', keys: ['C-a'], context: 'tree', says: 'show all' },
  { id: 'tree.erase', keys: ['backspace', 'C-h', 'S-backspace'], context: 'tree', says: 'erase a letter of what is searched for' },

  { id: 'label.set', keys: ['enter'], context: 'labelling', says: 'set the label; with nothing written: take it away', hint: 'set it' },
  { id: 'label.close', keys: ['escape', 'C-c'], context: 'labelling', says: 'leave it as it is', hint: 'back' },
  { id: 'label.erase', keys: ['backspace', 'C-h', 'S-backspace'], context: 'labelling', says: 'erase a letter' },
  { id: 'label.clear', keys: ['C-u', 'C-w'], context: 'labelling', says: 'erase all of it' },
] as const satisfies readonly KeyMeaning[];

/** The ids this file answers for. */
export type TreeAction = (typeof treeRows)[number]['id'];

type TreeHandler = (state: State, nowMs: number) => Step;

/** Rows that a page key moves by. */
const PAGE = 10;

function withTree(state: State, change: Partial<TreeView>): State {
  return state.tree === null ? state : { ...state, tree: { ...state.tree, ...change } };
}

/** Works on what is shown and chosen; does nothing where nothing is. */
function onLine(act: (state: State, tree: TreeView, lines: readonly TreeLine[], at: number, nowMs: number) => Step): TreeHandler {
  return (state, nowMs) => {
    const { tree } = state;
    const lines = treeLinesOf(state);
    const at = tree === null ? -1 : selectedLine(tree, lines);
    return tree === null || at < 0 ? step(state) : act(state, tree, lines, at, nowMs);
  };
}

function chosen(state: State, lines: readonly TreeLine[], at: number): Step {
  const line = lines[Math.max(0, Math.min(lines.length - 1, at))];
  return step(line === undefined ? state : withTree(state, { selected: line.entry.id }));
}

function move(by: number): TreeHandler {
  return onLine((state, _tree, lines, at) => chosen(state, lines, at + by));
}

/** The chosen entry moved by rows: a wheel may call this as well. */
export function moveInTree(state: State, by: number): State {
  return move(by)(state, 0).state;
}

function toggle(state: State, tree: TreeView, id: string): Step {
  const toggled = new Set(tree.toggled);
  if (!toggled.delete(id)) toggled.add(id);
  return step(withTree(state, { toggled, selected: id }));
}

const foldOrUp = onLine((state, tree, lines, at) => {
  const line = lines[at];
  if (line === undefined) return step(state);
  const { entry, foldable, folded } = line;
  if (entry.kind === 'calls' && entry.calls.length > 1 && tree.toggled.has(entry.id)) return toggle(state, tree, entry.id);
  if (foldable && !folded) return toggle(state, tree, entry.id);
  const start = lines.slice(0, at).findLastIndex((other) => other.foldable);
  return chosen(state, lines, Math.max(0, start));
});

const unfoldOrDown = onLine((state, tree, lines, at) => {
  const line = lines[at];
  if (line === undefined) return step(state);
  const { entry, folded } = line;
  const isClosed = entry.kind === 'calls' && entry.calls.length > 1 && !tree.toggled.has(entry.id);
  if (folded || isClosed) return toggle(state, tree, entry.id);
  const next = lines.findIndex((other, i) => i > at && other.foldable);
  return chosen(state, lines, next < 0 ? lines.length - 1 : next);
});

const go = onLine((state, tree, lines, at, nowMs) => {
  const entry = lines[at]?.entry;
  if (entry === undefined) return step(state);
  const busy = busyReason(state);
  if (busy !== null) return step(withToast(state, `Not now: ${busy}.`, 'warning', nowMs));
  const isThere = entry.id === tree.leaf && entry.kind !== 'prompt' && entry.kind !== 'steer';
  if (isThere) return step(withToast({ ...state, tree: null }, 'The conversation goes on from there already.', 'info', nowMs));
  return step({ ...state, tree: null }, send({ type: 'tree.go', entry: entry.id }));
});

function filter(wanted: (now: TreeFilter) => TreeFilter): TreeHandler {
  return (state) => step(state.tree === null ? state : withTree(state, { filter: wanted(state.tree.filter) }));
}

function cycled(by: number): TreeHandler {
  return filter((now) => treeFilters[(treeFilters.indexOf(now) + by + treeFilters.length) % treeFilters.length] ?? 'default');
}

/** What is typed or pasted goes into the label that is written, or is searched for. */
export function treeTyped(state: State, text: string, nowMs: number): Step {
  const { tree } = state;
  if (tree === null) return step(state);
  const { query, cut } = lengthened(tree.labelling?.text ?? tree.query, text);
  const next = withCutTold(state, cut, nowMs);
  if (tree.labelling !== null) return step(withTree(next, { labelling: { ...tree.labelling, text: query } }));
  return step(withTree(next, { query }));
}

function shortened(text: string): string {
  return Array.from(text).slice(0, -1).join('');
}

function relabel(change: (text: string) => string): TreeHandler {
  return (state) => {
    const labelling = state.tree?.labelling ?? null;
    return step(labelling === null ? state : withTree(state, { labelling: { ...labelling, text: change(labelling.text) } }));
  };
}

/** What each of them does. */
export const treeHandlers: Readonly<Record<TreeAction, TreeHandler>> = {
  'tree.go': go,
  'tree.close': (state) => step(state.tree?.query ? withTree(state, { query: '' }) : { ...state, tree: null }),
  'tree.up': move(-1),
  'tree.down': move(1),
  'tree.pageUp': move(-PAGE),
  'tree.pageDown': move(PAGE),
  'tree.start': move(Number.NEGATIVE_INFINITY),
  'tree.end': move(Number.POSITIVE_INFINITY),
  'tree.foldOrUp': foldOrUp,
  'tree.unfoldOrDown': unfoldOrDown,
  'tree.editLabel': onLine((state, _tree, lines, at) => {
    const entry = lines[at]?.entry;
    return step(entry === undefined ? state : withTree(state, { labelling: { entry: entry.id, text: entry.label ?? '' } }));
  }),
  'tree.nextFilter': cycled(1),
  'tree.previousFilter': cycled(-1),
  'tree.filterDefault': filter(() => 'default'),
  'tree.filterNoTools': filter(() => 'no tools'),
  'tree.filterPrompts': filter(() => 'prompts'),
  'tree.filterLabelled': filter(() => 'labelled'),
  'tree.filterAll': filter(() => 'all'),
  'tree.erase': (state) => step(withTree(state, { query: shortened(state.tree?.query ?? '') })),
  'label.set': (state) => {
    const labelling = state.tree?.labelling ?? null;
    if (labelling === null) return step(state);
    return step(withTree(state, { labelling: null }), send({ type: 'tree.label', entry: labelling.entry, label: labelling.text }));
  },
  'label.close': (state) => step(withTree(state, { labelling: null })),
  'label.erase': relabel(shortened),
  'label.clear': relabel(() => ''),
};
