/** Lends this terminal to a program that asks a person: ssh with its host keys, passwords and codes. */

import type { Host } from '../base/host.js';
import { readProcessSync, runOnTerminal } from '../base/process.js';
import { visible } from '../base/visible.js';
import type { AskOnTerminal } from '../targets/index.js';
import { terminalSettings } from '../tui/guardian.js';

/** Standard input: the terminal whose settings a program changes to hide what is typed. */
const STDIN = 0;
const STTY_LIMIT_MS = 1000;

/** A way to ask on the terminal of `host`, which must be one and must not be in use. */
export function askOnTerminal(host: Host): AskOnTerminal {
  const { TMUX: _server, TMUX_PANE: _pane, ...env } = host.env;
  return async ({ file, args }, why, signal) => {
    const settings = terminalSettings({ env: host.env, descriptor: STDIN });
    host.stderr.write(`buddy-tui: ${visible(why)}; ${file} asks you now, Ctrl+C gives up.\n`);
    try {
      return await runOnTerminal(file, args, { env }, signal);
    } finally {
      // A program that was killed while it hid what is typed has left the terminal so.
      if (settings !== '')
        readProcessSync('stty', [settings], { env: { PATH: host.env['PATH'] }, descriptor: STDIN, limitMs: STTY_LIMIT_MS });
    }
  };
}
