/** /extensions and /reload: what is brought in besides, and bringing it in anew. */

import { type SlashCommand, says, sends } from './command.js';

export const extensionsCommand: SlashCommand = {
  name: 'extensions',
  aliases: [],
  args: '',
  says: 'List the extensions: what they bring, what of it is left out, and why one is disabled.',
  whileBusy: true,
  run: (args) => (args === '' ? sends({ type: 'extensions.tell' }) : says('/extensions takes no arguments.', 'warning')),
};

export const reloadCommand: SlashCommand = {
  name: 'reload',
  aliases: [],
  args: '',
  says: 'Look anew for extensions and all that is loaded from files; those of a project when they are trusted.',
  whileBusy: false,
  run: (args) => (args === '' ? sends({ type: 'extensions.reload' }) : says('/reload takes no arguments.', 'warning')),
};
