/** What is known of sessions: the one in use, whether it is kept, and the list of earlier ones. */

import type { SessionId, SessionPreview, SessionSummary } from '../protocol/sessions.js';

/** The orders of the list. */
export const sessionOrders = ['newest first', 'oldest first', 'by name', 'largest first'] as const;

/** One of them. */
export type SessionOrder = (typeof sessionOrders)[number];

/** Something that is about to become of a session. */
export type SessionChange =
  | { readonly kind: 'rename'; readonly session: SessionId; readonly text: string }
  | { readonly kind: 'delete'; readonly session: SessionId };

/** The part of the state that is about the list. */
export interface SessionLook {
  readonly order: SessionOrder;
  readonly namedOnly: boolean;
  readonly change: SessionChange | null;
  /** The one whose end was asked for last. */
  readonly asked: SessionId | null;
  readonly preview: SessionPreview | null;
}

/** As the list is first looked at. */
export const freshLook: SessionLook = { order: 'newest first', namedOnly: false, change: null, asked: null, preview: null };

/** The part of the state that is about them. */
export interface SessionState {
  /** Given by the person; null: none was. */
  readonly name: string | null;
  /** Is it written down, and if not, why; null: nothing was written yet. */
  readonly storage: { readonly trouble: string | null } | null;
  /** The newest first; null: nobody has asked. */
  readonly listed: readonly SessionSummary[] | null;
  readonly look: SessionLook;
}

/** Before anything has been said. */
export const freshSession: SessionState = { name: null, storage: null, listed: null, look: freshLook };
