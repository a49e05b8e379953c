/** `/quit`: leaves. */

import { leave, leaveWith } from '../view/leaving.js';
import { outcome, type SlashCommand, says } from './command.js';

/** Leaves the program; what becomes of the tmux session is said here, by the settings, or asked. */
export const quitCommand: SlashCommand = {
  name: 'quit',
  aliases: ['exit', 'q'],
  args: '[keep|end]',
  says: 'leave; keep the tmux session or end it',
  whileBusy: true,
  complete: () => [
    { value: 'keep', says: 'what runs in the tmux session goes on, the next start continues in it' },
    { value: 'end', says: 'the tmux session is ended with all that runs in it' },
  ],
  run(args, state) {
    if (args === 'keep' || args === 'end') return outcome({ effects: leaveWith(state, args === 'keep').effects });
    if (args !== '') return says(`/quit knows keep and end, not "${args}".`, 'warning');
    const { effects } = leave(state);
    return effects.length === 0 ? outcome({ actions: [{ type: 'leaving' }] }) : outcome({ effects });
  },
};
