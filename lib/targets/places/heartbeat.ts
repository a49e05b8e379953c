/** Asks the program at the other end of a connection, again and again, whether it is still there. */

import type { Clock } from '../../base/clock.js';
import type { Child } from '../../base/process.js';

/** From one question to the next. */
const QUESTION_MS = 1000;
/** Unanswered for so many of them is silence: with the wait for the question it is told after 3 to 4 seconds. */
const SILENT_QUESTIONS = 3;

/**
 * Writes an empty line to a child that repeats what it reads, one at a time, and calls `tell` when nothing has come back for a while, and
 * again when something comes. It ends nothing: a host under load is silent for seconds and still there. A stretch in which this process
 * itself stood still does not count. Ends with the child.
 */
export function listenForSilence(child: Child, clock: Clock, tell: (silent: boolean) => void): void {
  let unanswered: number | null = null;
  let silent = false;
  let lastMs = clock.monotonic();
  child.stdout.on('data', () => {
    unanswered = null;
    if (!silent) return;
    silent = false;
    tell(false);
  });
  const asking = clock.every(QUESTION_MS, () => {
    const sinceMs = clock.monotonic() - lastMs;
    lastMs += sinceMs;
    if (unanswered === null) {
      unanswered = 0;
      child.stdin.write('\n');
    } else if (sinceMs < 2 * QUESTION_MS && ++unanswered >= SILENT_QUESTIONS && !silent) {
      silent = true;
      tell(true);
    }
  });
  void child.ended.then(() => asking.dispose());
}
