/** `/theme`: another look. */

import { outcome, type SlashCommand, says } from './command.js';

/** Opens the list, which shows each theme while it is chosen; or wears the one that is named, from now on. */
export const themeCommand: SlashCommand = {
  name: 'theme',
  aliases: [],
  args: '[name]',
  says: 'choose another look; it is kept for the next start',
  whileBusy: true,
  complete: (_typed, state) => state.themeNames.map((name) => ({ value: name, says: name === state.themeName ? 'now' : '' })),
  run(args, state) {
    if (args === '') return outcome({ actions: [{ type: 'picker.open', kind: 'theme' }] });
    if (!state.themeNames.includes(args)) return says(`There is no theme "${args}"; there are: ${state.themeNames.join(', ')}.`, 'warning');
    return outcome({ effects: [{ type: 'theme', name: args, keep: true }] });
  },
};
