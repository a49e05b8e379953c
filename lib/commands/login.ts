/** `/login` and `/logout`: who one is at a provider. */

import { outcome, type SlashCommand } from './command.js';

/** Lends the terminal to the login; the next request uses what it made. */
export const loginCommand: SlashCommand = {
  name: 'login',
  aliases: [],
  args: '[provider]',
  says: 'log in at a provider, or store a key for it',
  whileBusy: false,
  run: (args) => outcome({ effects: [{ type: 'login', provider: args }] }),
};

/** Forgets at once. */
export const logoutCommand: SlashCommand = {
  name: 'logout',
  aliases: [],
  args: '[provider]',
  says: 'forget the login and the key for a provider, or all of them',
  whileBusy: false,
  run: (args) => outcome({ effects: [{ type: 'logout', provider: args }] }),
};
