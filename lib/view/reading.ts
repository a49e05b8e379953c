/** Where the conversation is being read. */

import type { BlockId } from './transcript.js';

/** `key` names a place inside the block whatever the width (see rows/lines.ts). */
export type Reading =
  | { readonly kind: 'follow' }
  /** The row at the top; `seen` is how many blocks there were when following stopped. */
  | { readonly kind: 'at'; readonly block: BlockId; readonly key: number; readonly seen: number };
