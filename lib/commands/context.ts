/** `/context`: what fills the context window. */

import { type SlashCommand, sends } from './command.js';

/** What fills the model's context, part by part; the runtime answers with `context.told`. */
export const contextCommand: SlashCommand = {
  name: 'context',
  aliases: [],
  args: '',
  says: 'what fills the context window, by kind',
  whileBusy: true,
  run: () => sends({ type: 'context.tell' }),
};
