/** The shown entries of the open tree, laid out once for each change of it. */

import type { State } from './state.js';
import { type TreeLine, treeLines } from './tree.js';

/** None when no tree is open. */
export function treeLinesOf({ tree, layouts }: State): readonly TreeLine[] {
  if (tree === null) return none;
  const { entries, leaf, toggled, filter, query } = tree;
  return layouts.remember('tree', [entries, leaf, toggled, filter, query], () => treeLines(tree));
}

const none: readonly TreeLine[] = [];

/** The tree is open, and no question lies over it. */
export function isTreeShown({ tree, approvals }: State): boolean {
  return tree !== null && approvals.length === 0;
}
