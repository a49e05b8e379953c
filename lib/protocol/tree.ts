/** A session as a tree: what was said, and where it parted. */

/** Identifies an entry within its session. */
export type EntryId = string;

/** `steer`: said to a running prompt; `calls`: all tool calls of one answer; `recap`: what came before was summarised; `note`: told by the program. */
export const entryKinds = ['prompt', 'steer', 'answer', 'calls', 'recap', 'note'] as const;

/** One of them. */
export type EntryKind = (typeof entryKinds)[number];

/** One place in the conversation that can be gone back to. */
export interface TreeEntry {
  readonly id: EntryId;
  /** What it follows; null: nothing. */
  readonly parent: EntryId | null;
  readonly kind: EntryKind;
  /** Its beginning. */
  readonly text: string;
  /** Of `calls`: each of them, as people see it. */
  readonly calls: readonly string[];
  /** Given by a person; null: none was. */
  readonly label: string | null;
  /** Wall clock, milliseconds. */
  readonly tsMs: number;
}
