/** `/integrate`: our marks for a shell that has none. */

import { type SlashCommand, says, sends } from './command.js';

/** For the pane that the mirror shows. */
export const integrateCommand: SlashCommand = {
  name: 'integrate',
  aliases: [],
  args: '',
  says: 'let the agent work with an unknown shell: one with marks takes its place',
  whileBusy: true,
  run(_args, { pane }) {
    if (pane === null || pane.closed) return says('There is no pane.', 'warning');
    if (pane.state.kind !== 'unknown-shell') return says('The shell of the pane needs nothing: no unknown shell waits there.');
    return sends({ type: 'pane.integrate', pane: pane.id });
  },
};
