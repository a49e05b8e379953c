/** Giving an unknown shell, which waits in a pane of ours, our marks. */

import { BuddyError } from '../../base/errors.js';
import type { ManagedPane } from './managed-pane.js';
import type { PaneHome } from './pane-home.js';

/**
 * Lets a shell with our marks take the place of an unknown one, which waits at its prompt: folder and environment stay, what only
 * the shell itself knew is gone. Throws `target.pane` when no unknown shell waits there, `target.shell`.
 */
export async function integrateShell(pane: ManagedPane, { place, log, tell }: PaneHome, signal: AbortSignal): Promise<void> {
  if (pane.state().kind !== 'unknown-shell') {
    throw new BuddyError('target.pane', 'no unknown shell waits in the pane', { hint: 'Leave the program that runs there first.' });
  }
  const next = await pane.nextShell(pane.folder);
  const script = `${pane.folder}/enter`;
  await place.writePrivate(script, next.commandLine);
  pane.started(next, pane.id);
  // Ctrl-U takes away what stands at the prompt; a blank keeps the line out of most histories.
  pane.paste(`\x15 exec /bin/sh ${script}\r`);
  await pane.ready(signal);
  const message = 'A shell with our marks has taken the place of the unknown one; folder and environment were kept.';
  log.write('info', message);
  tell({ type: 'notice', message });
}
