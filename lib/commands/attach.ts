/** `/attach`: the pane in the real tmux, full screen. */

import { outcome, type SlashCommand, says } from './command.js';

/** Lends the terminal to `tmux attach`. */
export const attachCommand: SlashCommand = {
  name: 'attach',
  aliases: [],
  args: '',
  says: 'the pane in the real tmux, full screen; Ctrl+B d comes back',
  whileBusy: true,
  run(_args, state) {
    if (state.target?.attach == null) return says('There is no tmux here to attach to.', 'warning');
    if (state.pane === null || state.pane.closed) return says('There is no pane now; the next command starts a new one.', 'warning');
    return outcome({ effects: [{ type: 'attach', pane: state.pane.id, line: state.target.attach }] });
  },
};
