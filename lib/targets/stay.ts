/** How long a caller stays with a command. */

import type { Clock } from '../base/clock.js';
import type { CommandRun } from './command-run.js';
import type { Wait } from './target.js';

/** Why the caller no longer stays. */
export type StayEnd = 'ended' | 'detached' | 'time-out' | 'aborted';

/** Waits as long as `wait` says, at most to the command's end or until `signal` fires. */
export function stay(run: CommandRun, wait: Wait, signal: AbortSignal, clock: Clock): Promise<StayEnd> {
  return new Promise((resolve) => {
    const finish = (how: StayEnd) => {
      timer?.dispose();
      signal.removeEventListener('abort', onAbort);
      resolve(how);
    };
    const onAbort = () => finish('aborted');
    const timer = wait.kind === 'for' ? clock.after(wait.ms, () => finish('time-out')) : null;
    if (signal.aborted) return finish('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    void run.ended.then(() => finish('ended'));
    if (wait.kind === 'none') void run.begun.then(() => finish('detached'));
  });
}
