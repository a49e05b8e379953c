/** What a row of the keymap says. */

import type { State } from './state.js';

/** Where a key counts. The first context that knows the key wins; `contextsOf` gives their order. */
export type KeyContext =
  | 'answering'
  | 'takeover'
  | 'leaving'
  | 'picker'
  | 'help'
  | 'usage'
  | 'tree'
  | 'labelling'
  | 'renaming'
  | 'deleting'
  | 'setting'
  | 'ruling'
  | 'approval'
  | 'completion'
  | 'vi'
  | 'editor'
  | 'search'
  | 'conversation'
  | 'mirror'
  | 'tasks'
  | 'detail'
  | 'limit'
  | 'stopping'
  | 'pane'
  | 'global';

/** One meaning of some keys in one context. */
export interface KeyMeaning {
  /** Names what is done. */
  readonly id: string;
  readonly keys: readonly string[];
  readonly context: KeyContext;
  /** What it does, for help. */
  readonly says: string;
  /** A word or two for the hint line; rows without are not hinted. */
  readonly hint?: string;
  /** The row only counts while this is so; otherwise the next row or context is asked. */
  when?(state: State): boolean;
  /** Why it cannot be done now; null when it can. */
  disabled?(state: State): string | null;
}
