/** Connecting again to another host with this terminal, where ssh can ask. */

import { asBuddyError, isAbort } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visible } from '../base/visible.js';
import type { Place } from '../targets/index.js';
import { askOnTerminal } from './ask-on-terminal.js';

/** The terminal must not be in use. Answers why it could not be tried to the end, else null: what became of it is told by the target. */
export async function reconnectHere(host: Host, place: Place): Promise<string | null> {
  host.stderr.write(`buddy-tui: connecting to ${visible(place.name)} …\n`);
  try {
    await place.reconnect(askOnTerminal(host));
    return null;
  } catch (thrown) {
    return isAbort(thrown) ? null : asBuddyError(thrown, 'target.connect').message;
  }
}
