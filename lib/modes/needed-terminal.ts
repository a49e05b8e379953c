/** A full screen needs a terminal at both ends. */

import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';

/** Are lines wanted, or all that this terminal can show? */
export function needsPlain({ stdin, env }: Host, { plain }: Options): boolean {
  return plain || (env['TERM'] === 'dumb' && stdin.isTTY === true);
}

/** Throws `terminal.missing` when there is no terminal that a full screen can be drawn on. */
export function needTerminal({ stdin, stdout }: Host): void {
  const hint = 'For one answer without a screen use "buddy-tui exec", for a conversation in lines "buddy-tui --plain".';
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new BuddyError('terminal.missing', 'the dashboard needs a terminal for its input and its output', { hint });
  }
}
