/** How a session becomes a recording of a screen: drawn by whoever has a screen to draw on, which the runtime has not. */

import type { PastEvent } from '../../protocol/events.js';

/** Gives the text of a recording; the oldest event first. */
export type DrawSession = (
  title: string,
  past: readonly PastEvent[],
  /** Of the screen; left out: the usual one. */
  size?: { readonly cols: number; readonly rows: number },
) => string;
