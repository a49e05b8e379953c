/** `/usage`: what the models have used, as charts and numbers. */

import { outcome, type SlashCommand } from './command.js';

/** Opens the page; its charts are loaded now. */
export const usageCommand: SlashCommand = {
  name: 'usage',
  aliases: ['cost'],
  args: '',
  says: 'tokens and cost by turn and by model, with charts',
  whileBusy: true,
  run: (_args, state) => outcome({ actions: [{ type: 'usage.open' }], effects: state.usage.draw === null ? [{ type: 'charts' }] : [] }),
};
