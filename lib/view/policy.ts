/** The approval policy as people choose and read it. */

import { formatElapsed } from '../base/duration.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';
import { type Step, send, step } from './effects.js';
import type { State } from './state.js';
import { withToast } from './toasts.js';

/** How long "all" holds when it is chosen by key (milliseconds). */
const CYCLED_MS = 10 * 60_000;

/** The policy in words. */
export function policyText(policy: ApprovalPolicy, nowMs: number): string {
  switch (policy.kind) {
    case 'ask':
      return 'ask: everything that changes something is asked about';
    case 'all':
      return 'all: nothing is asked about';
    case 'none':
      return 'none: everything that would be asked about is denied';
    case 'until':
      return `all for another ${formatElapsed(Math.max(0, Math.ceil((policy.untilMs - nowMs) / 1000) * 1000))}, then ask`;
  }
}

/** The one that the key chooses next: ask, all for a time, all, none, ask. */
function nextPolicy(policy: ApprovalPolicy, nowMs: number): ApprovalPolicy {
  switch (policy.kind) {
    case 'ask':
      return { kind: 'until', untilMs: nowMs + CYCLED_MS };
    case 'until':
      return { kind: 'all' };
    case 'all':
      return { kind: 'none' };
    case 'none':
      return { kind: 'ask' };
  }
}

/** The next policy, and what it means. Not while a question waits: "none" would answer it. */
export function cyclePolicy(state: State, nowMs: number): Step {
  if (state.approvals.length > 0) return step(withToast(state, 'Not now: a question waits. Answer it, or use /approve.', 'warning', nowMs));
  const policy = nextPolicy(state.policy, nowMs);
  // Pressed again before the runtime has answered, it goes on from here.
  return step(withPolicy(state, policy, nowMs), send({ type: 'approval.policy', policy }));
}

/** The state with that policy in force, and what it means. */
export function withPolicy(state: State, policy: ApprovalPolicy, nowMs: number): State {
  const level = policy.kind === 'all' || policy.kind === 'until' ? 'warning' : 'info';
  return withToast({ ...state, policy }, policyText(policy, nowMs), level, nowMs);
}

/** The same at a later time: the runtime tells that a timed policy is over only when it is next asked. */
export function policyAt(state: State, nowMs: number): State {
  return state.policy.kind === 'until' && state.policy.untilMs <= nowMs ? withPolicy(state, { kind: 'ask' }, nowMs) : state;
}
