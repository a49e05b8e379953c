/** A full screen needs a terminal at both ends. */

import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';

/** Are lines wanted, or all that this terminal can show? */
export function needsPlain({ stdin, env }: Host, { plain }: Options): boolean {
  return plain || (env['TERM'] === 'dumb' && stdin.isTTY === true);
}

/** The same for a mode that only shows something; `what` needs it, `hint` says how to do without. `terminal.dumb` when it cannot draw. */
export function needScreen({ stdin, stdout, env }: Host, what: string, hint: string): void {
  if (stdin.isTTY !== true || stdout.isTTY !== true)
    throw new BuddyError('terminal.missing', `${what} needs a terminal for its input and its output`, { hint });
  if (env['TERM'] === 'dumb') throw new BuddyError('terminal.dumb', 'TERM=dumb is no terminal that a screen can be drawn on', { hint });
}

/** Throws `terminal.missing` when there is no terminal that a full screen can be drawn on. */
export function needTerminal({ stdin, stdout }: Host): void {
  const hint = 'For one answer without a screen use "buddy-tui exec", for a conversation in lines "buddy-tui --plain".';
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new BuddyError('terminal.missing', 'the dashboard needs a terminal for its input and its output', { hint });
  }
}
