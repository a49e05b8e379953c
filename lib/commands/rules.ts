/** `/rules`: what runs unasked because of a rule, and taking one back. */

import { formatElapsed } from '../base/duration.js';
import { type ListedRule, ruleText } from '../protocol/rules.js';
import { type SlashCommand, says, sends } from './command.js';

/** Lists the rules that are in force, or takes one back. */
export const rulesCommand: SlashCommand = {
  name: 'rules',
  aliases: [],
  args: '[list|forget <id>]',
  says: 'your rules: what runs without asking; or take one back',
  whileBusy: true,
  // The first one is what Enter takes.
  complete: (_typed, state) => [
    { value: 'list', says: 'list them' },
    ...state.rules.map((rule) => ({ value: `forget ${rule.id}`, says: ruleText(rule) })),
  ],
  run(args, state) {
    const lines = state.rules.map((rule) => `${rule.id}  ${ruleText(rule)}${leftOf(rule, state.nowMs)}`);
    if (args === '' || args === 'list') return says(lines.join('\n') || 'There are no rules. In a question, p makes one.');
    const id = /^forget\s+(\S+)$/.exec(args)?.[1];
    if (id === undefined) return says('Write /rules, or /rules forget and the id of one.', 'warning');
    if (state.rules.some((rule) => rule.id === id)) return sends({ type: 'approval.forget', rule: id });
    const known = state.rules.map((rule) => rule.id).join(', ');
    return says(`There is no rule "${id}"${known === '' ? '.' : `; there are ${known}.`}`, 'warning');
  },
};

/** How long a rule that is for a time still holds. */
function leftOf({ untilMs }: ListedRule, nowMs: number): string {
  if (untilMs === undefined) return '';
  return untilMs <= nowMs ? '; its time is over' : `; ${formatElapsed(Math.ceil((untilMs - nowMs) / 60_000) * 60_000)} left`;
}
