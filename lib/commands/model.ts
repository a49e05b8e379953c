/** `/model`: lists and switches models. */

import { nearest } from '../base/nearest.js';
import { modelWords } from '../view/pickers/model.js';
import { outcome, type SlashCommand, says, sends } from './command.js';

/** Opens the list, or switches to the one that is named: `name`, `name:effort`, or its number. */
export const modelCommand: SlashCommand = {
  name: 'model',
  aliases: [],
  args: '[name|number]',
  says: 'choose another model, or how much it thinks',
  whileBusy: false,
  complete: (_typed, state) =>
    state.profiles.map((profile) => ({
      value: profile.profile,
      says: profile.variantOf === undefined ? modelWords(profile) : `thinks ${profile.effort ?? ''}`,
    })),
  run(args, state) {
    const { profiles } = state;
    if (args === '') return outcome({ actions: [{ type: 'picker.open', kind: 'model' }] });
    const bases = profiles.filter(({ variantOf }) => variantOf === undefined);
    const byNumber = /^\d+$/.test(args) ? bases[Number(args) - 1] : undefined;
    const found = profiles.find((profile) => profile.profile === args) ?? byNumber;
    if (found !== undefined) return sends({ type: 'model.switch', profile: found.profile });
    const names = profiles.map((profile) => profile.profile);
    const near = nearest(args, names);
    const hint = near === null ? `Known: ${bases.map(({ profile }) => profile).join(', ')}.` : `Did you mean ${near}?`;
    return says(`There is no model profile "${args}". ${hint}`, 'warning');
  },
};
