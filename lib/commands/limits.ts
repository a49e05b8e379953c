/** `/limits`: what everything that loops or streams may take, and changing that for the session. */

import { type LimitName, limitNames, limitProblem, limitRows } from '../protocol/limits.js';
import { type SlashCommand, says, sends } from './command.js';

/** Shows them with what is used, or sets one until the session ends. */
export const limitsCommand: SlashCommand = {
  name: 'limits',
  aliases: ['limit'],
  args: '[list|<name> <n>]',
  says: 'what a prompt and a session may take, and what is used; or another limit for this session',
  whileBusy: true,
  // The first one is what Enter takes.
  complete: () => [
    { value: 'list', says: 'show them, and what is used' },
    ...limitNames.map((limit) => ({ value: limit, says: `${limitRows[limit].unit} ${limitRows[limit].says}` })),
  ],
  run(args) {
    if (args === '' || args === 'list') return sends({ type: 'limits.tell' });
    const [name = '', number = '', ...rest] = args.split(/\s+/);
    const limit = limitNames.find((known) => known === name);
    if (limit === undefined) return says(`There is no limit "${name}"; there are ${limitNames.join(', ')}.`, 'warning');
    if (number === '' || rest.length > 0)
      return says(
        `Write for example /limits ${limit} ${example(limit)}; off takes it away where it may be, default is what the settings say.`,
        'warning',
      );
    if (number === 'default') return sends({ type: 'limits.set', limit, value: null });
    const value = number === 'off' ? 0 : Number(number);
    const problem = /^(?:off|\d+(?:\.\d+)?)$/.test(number) ? limitProblem(limit, value) : `"${number}" is no number`;
    return problem === null ? sends({ type: 'limits.set', limit, value }) : says(`${problem}.`, 'warning');
  },
};

function example(limit: LimitName): number {
  return limit === 'cost' ? 2 : Math.max(limitRows[limit].least, 10);
}
