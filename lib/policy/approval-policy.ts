/** The approval policy: how it is written, and what it allows at a moment. */

import { parseDuration } from '../base/duration.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';

/** `ask`, `all`, `none`, or a duration during which everything is allowed. Throws `usage.duration` for anything else. */
export function parseApprovalPolicy(text: string, nowMs: number): ApprovalPolicy {
  const word = text.trim().toLowerCase();
  if (word === 'ask' || word === 'all' || word === 'none') return { kind: word };
  return { kind: 'until', untilMs: nowMs + parseDuration(word) };
}

/** What a policy means for one request, now. */
export type Standing = 'ask' | 'allow' | 'deny';

/**
 * A policy in force. A timed one ends at the earlier of the wall clock and the monotonic clock, so that neither a
 * clock set back nor a suspended machine makes it longer.
 */
export interface PolicyInForce {
  readonly policy: ApprovalPolicy;
  /** Monotonic clock at which a timed policy ends; null for the others. */
  readonly endsMonotonicMs: number | null;
}

/** Puts a policy in force at the given moment of both clocks (milliseconds). */
export function putInForce(policy: ApprovalPolicy, wallMs: number, monotonicMs: number): PolicyInForce {
  return { policy, endsMonotonicMs: policy.kind === 'until' ? monotonicMs + Math.max(0, policy.untilMs - wallMs) : null };
}

/** Whether a request is allowed, refused or to be asked at the given moment of both clocks. */
export function standingOf(inForce: PolicyInForce, wallMs: number, monotonicMs: number): Standing {
  switch (inForce.policy.kind) {
    case 'all':
      return 'allow';
    case 'none':
      return 'deny';
    case 'ask':
      return 'ask';
    case 'until':
      return wallMs < inForce.policy.untilMs && monotonicMs < (inForce.endsMonotonicMs ?? 0) ? 'allow' : 'ask';
  }
}
