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

/** So much may the two clocks part while a timed policy holds (milliseconds): a wall clock that is steadied moves less. */
const MOST_DRIFT_MS = 5000;

/**
 * A policy in force. A timed one ends at the earlier of the wall clock and the monotonic clock, and as soon as they part: when the wall
 * clock was set, or the machine was asleep, nobody knows how much of the time that was meant is left.
 */
export interface PolicyInForce {
  readonly policy: ApprovalPolicy;
  /** The wall clock, as far as it was ahead of the monotonic one at the beginning. */
  readonly aheadMs: number;
  /** Monotonic clock at which a timed policy ends; null for the others. */
  readonly endsMonotonicMs: number | null;
}

/** Puts a policy in force at the given moment of both clocks (milliseconds). */
export function putInForce(policy: ApprovalPolicy, wallMs: number, monotonicMs: number): PolicyInForce {
  return {
    policy,
    aheadMs: wallMs - monotonicMs,
    endsMonotonicMs: policy.kind === 'until' ? monotonicMs + Math.max(0, policy.untilMs - wallMs) : null,
  };
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
      if (Math.abs(wallMs - monotonicMs - inForce.aheadMs) > MOST_DRIFT_MS) return 'ask';
      return wallMs < inForce.policy.untilMs && monotonicMs < (inForce.endsMonotonicMs ?? 0) ? 'allow' : 'ask';
  }
}
