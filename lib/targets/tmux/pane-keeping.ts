/** What must be known of a pane to go on with it in the next run. */

import type { Clock } from '../../base/clock.js';
import { settledWithin } from '../../base/settled.js';
import type { KeptPane } from './kept-record.js';
import type { ManagedPane } from './managed-pane.js';
import { cursorLine, shellPidOf } from './pane-commands.js';
import type { Session } from './session.js';

/** The way out must not take long: a signal gives three seconds. */
const PROMPT_MS = 500;

/** Null when there is nothing to go on with. Throws `target.lost`. */
export async function toKeep(pane: ManagedPane, session: Session, clock: Clock): Promise<KeptPane | null> {
  const { shell } = pane;
  // The prompt after a command that has just ended.
  if (shell?.phase === 'settling') await settledWithin(shell.promptReached(), PROMPT_MS, clock);
  if (shell === null || shell.phase === 'dead' || shell.phase === 'lost' || shell.phase === 'starting') return null;
  const { run } = shell;
  const isUntouched = shell.phase === 'prompt' && !shell.touched;
  const isRunning = shell.phase === 'running' || shell.phase === 'typing';
  return {
    pane: pane.id,
    title: pane.title,
    folder: pane.folder,
    nonce: pane.nonce,
    pid: await shellPidOf(session.channel, pane.id),
    cwd: pane.cwd,
    prompt: shell.promptNumber,
    promptLine: isUntouched ? await cursorLine(session.channel, pane.id) : '',
    running: isRunning ? { id: run?.id ?? '', command: run?.command ?? '', sinceMs: pane.sinceMs } : null,
  };
}
