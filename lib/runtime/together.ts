/** Which calls of one answer run at the same time, and how many of them. */

import type { PaneId } from '../protocol/panes.js';

/** What is to be known of a call before it may run beside others. */
export interface Company {
  /** Its tool says that several calls may run at the same time. */
  readonly parallel: boolean;
  /** The pane that it works in: two never work in one at a time. Null: in none. */
  readonly pane: PaneId | null;
}

/** OpenSSH lets ten programs into one connection; what else runs there has its place as well. */
const MOST_AT_ONCE = 6;

/** How many of the first calls run together: the first one, and those right behind it that may join. `companyOf` is asked of these only. */
export function leadersOf<T>(calls: readonly T[], companyOf: (call: T) => Company): number {
  const group: Company[] = [];
  for (const call of calls) {
    const company = companyOf(call);
    if (group.length > 0 && !canJoin(company, group)) break;
    group.push(company);
  }
  return group.length;
}

function canJoin(call: Company, group: readonly Company[]): boolean {
  return call.parallel && group.every(({ parallel, pane }) => parallel && (pane === null || pane !== call.pane));
}

/** Runs `run` over the entries, six at a time, begun in their order. Results stand in that order too; rejects as soon as one does. */
export async function together<T, R>(entries: readonly T[], run: (entry: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const left = entries.entries();
  const worker = async () => {
    for (const [at, entry] of left) results.set(at, await run(entry));
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, entries.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
