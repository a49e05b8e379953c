/** What is known of sessions: the one in use, whether it is kept, and the list of earlier ones. */

import type { SessionSummary } from '../protocol/sessions.js';

/** The part of the state that is about them. */
export interface SessionState {
  /** Given by the person; null: none was. */
  readonly name: string | null;
  /** Is it written down, and if not, why; null: nothing was written yet. */
  readonly storage: { readonly trouble: string | null } | null;
  /** The newest first; null: nobody has asked. */
  readonly listed: readonly SessionSummary[] | null;
}

/** Before anything has been said. */
export const freshSession: SessionState = { name: null, storage: null, listed: null };
