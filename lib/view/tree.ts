/** The tree of the session on the screen: which entries are shown, in which order, and how one is found among them. Pure. */

import type { EntryId, EntryKind, TreeEntry } from '../protocol/tree.js';

/** What of the tree is looked at. */
export const treeFilters = ['default', 'no tools', 'prompts', 'labelled', 'all'] as const;

/** One of them. */
export type TreeFilter = (typeof treeFilters)[number];

/** The open tree. */
export interface TreeView {
  /** Each stands behind the one it follows. */
  readonly entries: readonly TreeEntry[];
  /** Where the conversation goes on; null: before all of them. */
  readonly leaf: EntryId | null;
  /** Null: the leaf. */
  readonly selected: EntryId | null;
  /** Branches that are folded, and calls that are unfolded. */
  readonly toggled: ReadonlySet<EntryId>;
  readonly filter: TreeFilter;
  readonly query: string;
  /** The label that is being written; null: none is. */
  readonly labelling: { readonly entry: EntryId; readonly text: string } | null;
}

/** One entry as it is shown. */
export interface TreeLine {
  readonly entry: TreeEntry;
  /** The lines of the branches before it. */
  readonly lead: string;
  /** It begins a branch that can be folded. */
  readonly foldable: boolean;
  readonly folded: boolean;
  /** It leads to where the conversation goes on. */
  readonly onPath: boolean;
}

/** The tree as it is first shown. */
export function openedTree(entries: readonly TreeEntry[], leaf: EntryId | null): TreeView {
  return { entries, leaf, selected: null, toggled: new Set(), filter: 'default', query: '', labelling: null };
}

const hidden: Readonly<Record<TreeFilter, readonly EntryKind[]>> = {
  default: ['note'],
  'no tools': ['note', 'calls'],
  prompts: ['note', 'calls', 'answer', 'recap'],
  labelled: [],
  all: [],
};

/** The entries that are shown, in their order: the branch in use first, then the older ones before the newer ones. */
export function treeLines(tree: Pick<TreeView, 'entries' | 'leaf' | 'toggled' | 'filter' | 'query'>): readonly TreeLine[] {
  const path = pathTo(tree.entries, tree.leaf);
  const children = childrenOf(tree, path);
  const lines: TreeLine[] = [];
  const waiting: {
    readonly entry: TreeEntry;
    readonly bars: string;
    readonly isLast: boolean;
    readonly isAlone: boolean;
    readonly isRoot: boolean;
  }[] = [];
  const push = (entries: readonly TreeEntry[], bars: string, isRoot = false) => {
    for (let at = entries.length - 1; at >= 0; at--) {
      const entry = entries[at];
      if (entry !== undefined) waiting.push({ entry, bars, isLast: at === entries.length - 1, isAlone: entries.length === 1, isRoot });
    }
  };
  push(children.get(null) ?? [], '', true);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { entry, bars, isLast, isAlone, isRoot } = next;
    const own = children.get(entry.id) ?? [];
    const foldable = own.length > 0 && (!isAlone || isRoot);
    const folded = foldable && tree.toggled.has(entry.id);
    lines.push({ entry, lead: isAlone ? bars : `${bars}${isLast ? '└─ ' : '├─ '}`, foldable, folded, onPath: path.has(entry.id) });
    if (!folded) push(own, isAlone ? bars : `${bars}${isLast ? '   ' : '│  '}`);
  }
  return lines;
}

/** The number of the chosen line: of one that is not shown the nearest before it; -1 when nothing is. */
export function selectedLine(tree: TreeView, lines: readonly TreeLine[]): number {
  const places = new Map(lines.map(({ entry }, at) => [entry.id, at]));
  const parents = new Map(tree.entries.map(({ id, parent }) => [id, parent]));
  for (let id: EntryId | null = tree.selected ?? tree.leaf; id !== null; id = parents.get(id) ?? null) {
    const at = places.get(id);
    if (at !== undefined) return at;
  }
  return tree.selected === null && tree.leaf !== null ? lines.length - 1 : Math.min(0, lines.length - 1);
}

/** The entry and all that it follows. */
function pathTo(entries: readonly TreeEntry[], leaf: EntryId | null): ReadonlySet<EntryId> {
  const parents = new Map(entries.map(({ id, parent }) => [id, parent]));
  const path = new Set<EntryId>();
  for (let id = leaf; id !== null && !path.has(id); id = parents.get(id) ?? null) path.add(id);
  return path;
}

/** Of each entry that is shown those that follow it, past what is not shown; of null those that follow nothing. */
function childrenOf(
  { entries, filter, query }: Pick<TreeView, 'entries' | 'filter' | 'query'>,
  path: ReadonlySet<EntryId>,
): ReadonlyMap<EntryId | null, readonly TreeEntry[]> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const children = new Map<EntryId | null, TreeEntry[]>();
  /** Of each entry itself when it is shown, else the nearest before it that is. */
  const shownAt = new Map<EntryId, EntryId | null>();
  for (const entry of entries) {
    const parent = entry.parent === null ? null : (shownAt.get(entry.parent) ?? null);
    const isShown = !hidden[filter].includes(entry.kind) && (filter !== 'labelled' || entry.label !== null) && holds(entry, words);
    shownAt.set(entry.id, isShown ? entry.id : parent);
    if (!isShown) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entry]);
    else if (path.has(entry.id)) siblings.unshift(entry);
    else siblings.push(entry);
  }
  return children;
}

function holds({ text, label, calls }: TreeEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const all = `${text} ${label ?? ''} ${calls.join(' ')}`.toLowerCase();
  return words.every((word) => all.includes(word));
}
