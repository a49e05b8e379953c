/** `/effort`: how much the model in use thinks. */

import { baseOf, effortProblem } from '../protocol/efforts.js';
import { outcome, type SlashCommand, says, sends } from './command.js';

/** Opens the list of levels, or chooses the one that is named. */
export const effortCommand: SlashCommand = {
  name: 'effort',
  aliases: [],
  args: '[level]',
  says: 'choose how much the model thinks',
  whileBusy: false,
  complete: (_typed, { model }) =>
    (model?.efforts ?? []).map((level) => ({ value: level, says: level === model?.effort ? 'as it is now' : '' })),
  run(args, { model }) {
    if (model === null) return says('There is no model yet.', 'warning');
    const level = args === '' ? undefined : args.toLowerCase();
    const problem = effortProblem(model, level);
    if (problem !== null) return says(`${problem}.`, 'warning');
    if (level === undefined) return outcome({ actions: [{ type: 'picker.open', kind: 'effort' }] });
    return sends({ type: 'model.switch', profile: baseOf(model), effort: level });
  },
};
