/** `/reconnect`: makes a lost connection again, with a person's answers. */

import { outcome, type SlashCommand, says } from './command.js';

/** Lends the terminal to ssh for its questions. */
export const reconnectCommand: SlashCommand = {
  name: 'reconnect',
  aliases: [],
  args: '',
  says: 'connect again; ssh asks its questions with the screen out of the way',
  whileBusy: true,
  run(_args, state) {
    if (state.target === null || state.target.kind === 'local')
      return says('Commands run on this host: there is no connection.', 'warning');
    return outcome({ effects: [{ type: 'reconnect' }] });
  },
};
