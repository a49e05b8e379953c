/** `/approve`: what may run without asking. */

import { parseDuration } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import { policyText } from '../view/policy.js';
import { type SlashCommand, says, sends } from './command.js';

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
