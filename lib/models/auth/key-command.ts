/** A key that a command prints: a password manager, a vault. What it prints is shown nowhere. */

import { BuddyError, isAbort, messageOf } from '../../base/errors.js';
import { stat } from '../../base/files.js';
import type { Host } from '../../base/host.js';
import { runProcess } from '../../base/process.js';

/** Long enough for a vault that asks a person in a window of its own. */
const LIMIT_MS = 60_000;

/**
 * The first line that `command` prints; `whose` names what it is the key of. It runs in a shell, away from the terminal, so that it cannot draw on the screen or wait for keys
 * there. Throws `model.auth`, an AbortError.
 */
export async function keyFromCommand(command: string, whose: string, host: Host, signal: AbortSignal): Promise<string> {
  const { code, stdout } = await runLimited(command, whose, host, signal);
  if (code !== 0) {
    throw new BuddyError('model.auth', `api_key_command of ${whose} ended with ${code === null ? 'a signal' : `exit code ${code}`}`, {
      hint: 'Run the command in a shell to see why; its output is not shown here.',
    });
  }
  const key = stdout.replace(/\r?\n[\s\S]*$/, '');
  if (key !== '') return key;
  throw new BuddyError('model.auth', `api_key_command of ${whose} printed no key`, {
    hint: 'The key must be the first line on its standard output.',
  });
}

async function runLimited(command: string, whose: string, host: Host, signal: AbortSignal) {
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const limit = host.clock.after(LIMIT_MS, onAbort);
  try {
    // Users that serve a program often have no home.
    const cwd = await stat(host.homeDir).then(
      (home) => (home.isDirectory() ? host.homeDir : '/'),
      () => '/',
    );
    return await runProcess('/bin/sh', ['-c', command], { env: host.env, cwd, ownGroup: true }, stop.signal);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const why = isAbort(thrown) ? `was not done after ${LIMIT_MS / 1000} s` : `could not be started: ${messageOf(thrown)}`;
    throw new BuddyError('model.auth', `api_key_command of ${whose} ${why}`, {
      hint: 'It must print the key by itself, without asking on the terminal.',
      cause: thrown,
    });
  } finally {
    limit.dispose();
    signal.removeEventListener('abort', onAbort);
  }
}
