/** The question in front: the one that the panel shows and that keys answer. The others wait below it. */

import type { ApprovalRequest } from '../protocol/approvals.js';
import type { State } from './state.js';

/** The question that the panel shows; undefined when nothing is asked. */
export function questionInFront({ approvals, approval }: State): ApprovalRequest | undefined {
  return approvals.find((request) => request.id === approval?.id) ?? approvals[0];
}

/** The other ones, oldest first. */
export function questionsBehind(state: State): readonly ApprovalRequest[] {
  const front = questionInFront(state);
  return state.approvals.filter((request) => request !== front);
}
