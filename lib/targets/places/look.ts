/** A program that only looks: heard out, bounded in output and time, and ended with all that it started. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { abortError, BuddyError } from '../../base/errors.js';
import type { Child } from '../../base/process.js';
import type { Looked, LookRequest } from '../target.js';

/** Bytes kept of what it complains. */
const MOST_STDERR = 16_000;
/** After its end was asked for, so long is waited for it: what cannot be ended (a disk that hangs) holds nobody. */
const END_PATIENCE_MS = 2000;

/** What was heard; `error`: it could not be started. */
export interface Heard extends Looked {
  readonly error: Error | null;
}

/**
 * Hears `child` out. `end` is called once when it has to be ended early, with what it has printed so far. Rejects with an AbortError when
 * `signal` fires.
 */
export async function heardOut(
  child: Child,
  request: Pick<LookRequest, 'input' | 'mostBytes' | 'mostMs'>,
  end: (stdout: Buffer) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<Heard> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let length = 0;
  let complained = 0;
  let cut: Looked['cut'] = null;
  let isEnding = false;
  const timers: Disposable[] = [];
  let given: () => void = () => undefined;
  const givenUp = new Promise<null>((resolve) => {
    given = () => resolve(null);
  });
  const finish = () => {
    if (isEnding) return;
    isEnding = true;
    end(Buffer.concat(stdout));
    child.stdout.destroy();
    child.stderr.destroy();
    timers.push(clock.after(END_PATIENCE_MS, given));
  };
  timers.push(
    clock.after(request.mostMs, () => {
      cut ??= 'time';
      finish();
    }),
  );
  child.stdout.on('data', (bytes: Buffer) => {
    stdout.push(bytes);
    length += bytes.length;
    if (length <= request.mostBytes) return;
    cut ??= 'bytes';
    finish();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    if (complained < MOST_STDERR) stderr.push(bytes);
    complained += bytes.length;
  });
  const onAbort = () => finish();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) finish();
  child.stdin.end(request.input);
  const ended = await Promise.race([child.ended, givenUp]);
  signal.removeEventListener('abort', onAbort);
  for (const timer of timers) timer.dispose();
  if (signal.aborted) throw abortError();
  return {
    code: cut === null ? (ended?.code ?? null) : null,
    stdout: Buffer.concat(stdout).subarray(0, request.mostBytes),
    stderr: Buffer.concat(stderr).toString('utf8', 0, MOST_STDERR),
    cut,
    error: ended?.error ?? null,
  };
}

/** On this host: `child` is the first of its group. Throws `target.look`, or an AbortError. */
export async function lookHere(child: Child, request: LookRequest, clock: Clock, signal: AbortSignal): Promise<Looked> {
  const { error, ...looked } = await heardOut(child, request, () => child.kill('SIGKILL'), clock, signal);
  if (error === null) return looked;
  throw new BuddyError('target.look', `${request.argv[0] ?? ''} could not be started: ${error.message}`, { cause: error });
}
