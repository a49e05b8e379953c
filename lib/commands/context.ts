/** `/context`: how full the context window is. */

import { type SlashCommand, says } from './command.js';

/** How full the model's context is. */
export const contextCommand: SlashCommand = {
  name: 'context',
  aliases: [],
  args: '',
  says: 'how much of the context window is used',
  whileBusy: true,
  run(_args, state) {
    if (state.context === null) return says('Nothing has been sent to the model yet.');
    const { usedTokens, windowTokens } = state.context;
    const percent = windowTokens > 0 ? Math.round((100 * usedTokens) / windowTokens) : 0;
    return says(`context: ${usedTokens} of ${windowTokens} tokens (${percent} %), ${Math.max(0, windowTokens - usedTokens)} left`);
  },
};
