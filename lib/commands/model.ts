/** `/model`: lists and switches models. */

import { nearest } from '../base/nearest.js';
import { baseOf, effortProblem } from '../protocol/efforts.js';
import type { ModelSummary } from '../protocol/events.js';
import { modelWords } from '../view/pickers/model.js';
import { type Outcome, outcome, type SlashCommand, says, sends } from './command.js';

/** Opens the list, or switches to the one that is named: `name`, `name:effort`, `name effort`, or its number. */
export const modelCommand: SlashCommand = {
  name: 'model',
  aliases: [],
  args: '[name|number] [effort]',
  says: 'choose another model, or how much it thinks',
  whileBusy: false,
  complete: (_typed, state) =>
    state.profiles.map((profile) => ({
      value: profile.profile,
      says: profile.variantOf === undefined ? modelWords(profile) : `thinks ${profile.effort ?? ''}`,
    })),
  run(args, { profiles }) {
    if (args === '') return outcome({ actions: [{ type: 'picker.open', kind: 'model' }] });
    const named = modelNamed(args, profiles);
    if (named !== undefined) return sends({ type: 'model.switch', profile: named.profile });
    const [, name = '', effort = ''] = /^(.*\S)\s+(\S+)$/s.exec(args) ?? [];
    const model = modelNamed(name, profiles);
    if (model !== undefined) return withEffort(model, effort.toLowerCase());
    const near = nearest(
      args,
      profiles.map(({ profile }) => profile),
    );
    const bases = profiles.filter(({ variantOf }) => variantOf === undefined);
    const hint = near === null ? `Known: ${bases.map(({ profile }) => profile).join(', ')}.` : `Did you mean ${near}?`;
    return says(`There is no model profile "${args}". ${hint}`, 'warning');
  },
};

function withEffort(model: ModelSummary, effort: string): Outcome {
  const problem = effortProblem(model, effort);
  return problem === null ? sends({ type: 'model.switch', profile: baseOf(model), effort }) : says(`${problem}.`, 'warning');
}

/** By the name of its profile, or by its number among those of buddy.toml. */
function modelNamed(name: string, profiles: readonly ModelSummary[]): ModelSummary | undefined {
  const bases = profiles.filter(({ variantOf }) => variantOf === undefined);
  return profiles.find(({ profile }) => profile === name) ?? (/^\d+$/.test(name) ? bases[Number(name) - 1] : undefined);
}
