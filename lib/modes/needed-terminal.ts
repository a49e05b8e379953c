/** A full screen needs a terminal at both ends. */

import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';

/** Throws `terminal.missing` when there is no terminal that a full screen can be drawn on. */
export function needTerminal({ stdin, stdout }: Host): void {
  const hint = 'For one answer without a screen use "buddy-tui exec", for a conversation in lines "buddy-tui --plain".';
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new BuddyError('terminal.missing', 'the dashboard needs a terminal for its input and its output', { hint });
  }
}
