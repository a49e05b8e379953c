/** `/approve`: what may run without asking. */

import { formatElapsed, parseDuration } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';
import { type SlashCommand, says, sends } from './command.js';

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
      return `all for another ${formatElapsed(Math.max(0, policy.untilMs - nowMs))}, then ask`;
  }
}

/** Chooses what may run without asking. */
export const approveCommand: SlashCommand = {
  name: 'approve',
  aliases: [],
  args: '[ask|all|none|<dur>]',
  says: 'what may run without asking; a duration is "all" for so long',
  whileBusy: true,
  complete: () => [
    { value: 'ask', says: 'ask each time' },
    { value: 'all', says: 'ask nothing' },
    { value: 'none', says: 'deny everything that would be asked' },
    { value: '10m', says: 'ask nothing for ten minutes' },
  ],
  run(args, state) {
    if (args === '') return says(policyText(state.policy, state.nowMs));
    if (args === 'ask' || args === 'all' || args === 'none') return sends({ type: 'approval.policy', policy: { kind: args } });
    try {
      return sends({ type: 'approval.policy', policy: { kind: 'until', untilMs: state.nowMs + parseDuration(args) } });
    } catch (thrown) {
      if (!(thrown instanceof BuddyError)) throw thrown;
      return says(`"${args}" is no approval policy. Write ask, all, none or a duration such as 10m.`, 'warning');
    }
  },
};
