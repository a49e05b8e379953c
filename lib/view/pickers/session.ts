/** Kept sessions of this folder, the newest first. */

import { formatAgo } from '../../base/duration.js';
import type { SessionSummary } from '../../protocol/sessions.js';
import { labelOf, type PickerItem } from '../picker.js';
import { orderedSessions } from '../session-look.js';
import { busyReason, type State } from '../state.js';

/** Of a prompt not more than this: sessions are also told of in plain lines, which are not cut. */
const SHOWN = 500;

export function sessionItems(state: State): readonly PickerItem[] {
  const busy = busyReason(state);
  return orderedSessions(state.kept).map((of) => ({
    id: of.session,
    label: oneSession(of),
    says: sessionWords(of),
    note: formatAgo(state.nowMs - of.updatedMs),
    disabled: of.foreign ?? busy,
  }));
}

/** What it is called, or how it began. */
export function oneSession({ name, title, session }: SessionSummary): string {
  return labelOf(name ?? (title === '' ? session : title), SHOWN);
}

/** What one wants to know of a session before it is opened, on one line. */
export function sessionWords({ name, title, latest, prompts, labels, open, foreign, session }: SessionSummary): string {
  return [
    ...(foreign === null ? [] : [foreign]),
    ...(open ? ['open in another program'] : []),
    ...(prompts === null ? [] : [prompts === 1 ? '1 prompt' : `${prompts} prompts`]),
    ...labels.map((label) => `#${label}`),
    ...(latest === '' || latest === title ? [] : [labelOf(latest, SHOWN)]),
    ...(name === null || title === '' ? [] : [labelOf(title, SHOWN)]),
    session,
  ].join(' · ');
}
