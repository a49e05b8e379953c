/** The only file that imports node:child_process. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { abortError, hasText } from './errors.js';
import { programPath } from './program-path.js';

export interface SpawnOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What `kill` reaches is its whole group, not it alone. */
  readonly ownGroup?: boolean;
}

/** A child with three pipes. */
export interface Child {
  readonly pid: number | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once when the process has ended and its pipes are drained; `error` when it could not be started. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly error: Error | null }>;
  /** Resolves when the process itself has ended; daemons may still hold its pipes. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Sends a signal to the child, or to its whole group when it has one of its own. Never throws. */
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a program directly, without a shell, in a session of its own (setsid(2)): it has no terminal that it could write on or ask
 * something by, whatever its own descriptors are.
 */
export function startProcess(file: string, args: readonly string[], options: SpawnOptions): Child {
  const child = spawn(programOf(file, options), args, {
    env: options.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? null,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended: new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: null, signal: null, error }));
      child.once('close', (code, signal) => resolve({ code, signal, error: null }));
    }),
    exited: new Promise((resolve) => {
      child.once('error', () => resolve({ code: null, signal: null }));
      child.once('exit', (code, signal) => resolve({ code, signal }));
    }),
    kill: (signal) => killQuietly(child, signal, options.ownGroup ?? false),
  };
}

/** The PATH that counts is that of the child; without one the system has its own. */
function programOf(file: string, { env }: SpawnOptions): string {
  return env['PATH'] === undefined ? file : programPath(file, env['PATH']);
}

/** Groups below 2 are refused: `kill(-1)` would reach every process of the user. */
function killQuietly(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  const pid = child.pid;
  if (pid === undefined || pid < 2) return;
  try {
    if (group) process.kill(-pid, signal);
    else if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  } catch {
    // Already gone: what was wanted.
  }
}

/**
 * Starts a program with this terminal as its own stdin, stdout and stderr; resolves with its exit code, null after a signal. It is ended
 * with SIGTERM when `signal` fires.
 */
export function runOnTerminal(file: string, args: readonly string[], options: SpawnOptions, signal?: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(programOf(file, options), args, {
      env: options.env as NodeJS.ProcessEnv,
      stdio: 'inherit',
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const onAbort = () => killQuietly(child, 'SIGTERM', false);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', onAbort);
      resolve(code);
    });
  });
}

/** A child in a session of its own that only reads what we write to it; it keeps nothing of ours alive and says nothing. */
export interface Listener {
  readonly pid: number | null;
  /** Never throws, never waits. */
  write(text: string): void;
  /** The end of what it reads. */
  end(): void;
}

/** Starts a program whose stdin we write to and that holds our `descriptor` as its descriptor 3. Never throws. */
export function startListener(file: string, args: readonly string[], options: SpawnOptions & { readonly descriptor: number }): Listener {
  const child = spawn(programOf(file, options), args, {
    env: options.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', options.descriptor],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const { stdin } = child;
  child.on('error', () => undefined);
  stdin?.on('error', () => undefined);
  child.unref();
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return {
    pid: child.pid ?? null,
    write: (text) => {
      if (stdin?.writable === true) stdin.write(text);
    },
    end: () => {
      stdin?.end();
    },
  };
}

/** Runs a short program with our `descriptor` as its stdin and waits for it, at most `limitMs`; its output, or null when it failed. */
export function readProcessSync(
  file: string,
  args: readonly string[],
  options: SpawnOptions & { readonly descriptor: number; readonly limitMs: number },
): string | null {
  const run = spawnSync(programOf(file, options), args, {
    env: options.env as NodeJS.ProcessEnv,
    stdio: [options.descriptor, 'pipe', 'ignore'],
    timeout: options.limitMs,
    encoding: 'utf8',
  });
  return run.status === 0 ? run.stdout : null;
}

/** Sends a signal to our own process group, as the terminal driver does on Ctrl+Z: what started us (npm) is to stop with us. */
export function signalOwnGroup(signal: NodeJS.Signals): void {
  process.kill(0, signal);
}

/** What a short program printed. */
export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a short program to its end. Rejects when it cannot be started, or with an AbortError (the program is killed). */
export async function runProcess(file: string, args: readonly string[], options: SpawnOptions, signal: AbortSignal): Promise<Printed> {
  if (signal.aborted) throw abortError();
  const child = startProcess(file, args, options);
  const onAbort = () => {
    child.kill('SIGKILL');
    // What it started may hold its pipes for as long as it likes.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  child.stdin.end();
  const { code, error } = await child.ended;
  signal.removeEventListener('abort', onAbort);
  if (signal.aborted) throw abortError();
  if (error !== null) throw error;
  return { code, stdout: Buffer.concat(stdout).toString('utf8'), stderr: Buffer.concat(stderr).toString('utf8') };
}

/** True when a process with this id exists (also one of another user). */
export function processExists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 2) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return hasText(thrown, 'code') && thrown.code === 'EPERM';
  }
}

/** Sends a signal to a process group. Groups below 2 are refused: `kill(-1)` would reach every process of the user. Never throws. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  if (!Number.isInteger(group) || group < 2) return;
  try {
    process.kill(-group, signal);
  } catch {
    // Already gone, or not ours to end.
  }
}

/** True when a process group still has members, also ones that have ended and were not waited for. */
export function groupExists(group: number): boolean {
  if (!Number.isInteger(group) || group < 2) return false;
  try {
    process.kill(-group, 0);
    return true;
  } catch (thrown) {
    return hasText(thrown, 'code') && thrown.code === 'EPERM';
  }
}
