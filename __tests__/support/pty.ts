/** A program on a real pseudo terminal, with a headless terminal that shows what a person would see. */

import { createRequire } from 'node:module';
import type { IPty } from 'node-pty';
import { createHeadlessTerminal, type HeadlessTerminal } from './headless-terminal.js';
import { until } from './until.js';

const pty = createRequire(import.meta.url)('node-pty') as typeof import('node-pty');

export interface PtyOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly cwd?: string;
  /** The terminal speaks the Kitty keyboard protocol. */
  readonly kitty?: boolean;
  /** The whole environment besides PATH, HOME, LANG and TERM. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface PtyProgram {
  readonly terminal: HeadlessTerminal;
  readonly pid: number;
  /** Everything it wrote. */
  raw(): string;
  /** Resolves when the terminal has obeyed all that was read so far. */
  fed(): Promise<void>;
  send(keys: string): void;
  /** Waits until the screen matches; answers what it found. */
  until(screen: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  /** Waits for its end. `signal` is 0 when it ended by itself. */
  ended(): Promise<{ readonly exitCode: number; readonly signal: number }>;
  resize(cols: number, rows: number): void;
  /** Stops reading what it writes, as a stalled connection does. */
  pause(): void;
  resume(): void;
  signal(name: NodeJS.Signals): void;
  /** Closes the terminal, as when its window is closed. */
  hangUp(): void;
  /** Ends it whatever it does. */
  dispose(): void;
}

export function startOnPty(file: string, args: readonly string[], options: PtyOptions = {}): PtyProgram {
  const { cols = 80, rows = 24 } = options;
  const terminal = createHeadlessTerminal(cols, rows, options.kitty === true ? (bytes) => child.write(bytes) : undefined);
  const child: IPty = pty.spawn(file, [...args], {
    cols,
    rows,
    name: 'xterm-256color',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: process.env['HOME'] ?? '/',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      ...options.env,
    },
  });
  let raw = '';
  let fed = Promise.resolve();
  let end: { exitCode: number; signal: number } | null = null;
  child.onData((data) => {
    raw += data;
    fed = fed.then(() => terminal.feed(data));
  });
  child.onExit(({ exitCode, signal }) => {
    end = { exitCode, signal: signal ?? 0 };
  });
  const ended = async () => {
    const result = await until('the program ends', () => end);
    await fed;
    return result;
  };
  return {
    terminal,
    pid: child.pid,
    raw: () => raw,
    fed: () => fed,
    send: (keys) => child.write(keys),
    async until(screen, withinMs) {
      try {
        return await until(`the screen shows ${screen}`, () => fed.then(() => screen.exec(terminal.text())), withinMs);
      } catch (thrown) {
        throw new Error(`${String(thrown)}; it shows:\n${terminal.text()}`);
      }
    },
    ended,
    resize(newCols, newRows) {
      terminal.resize(newCols, newRows);
      child.resize(newCols, newRows);
    },
    pause: () => child.pause(),
    resume: () => child.resume(),
    signal: (name) => process.kill(child.pid, name),
    // node-pty's `destroy` closes the master, which its types do not have.
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    dispose() {
      try {
        if (end === null) child.kill('SIGKILL');
      } catch {
        // Ended meanwhile.
      }
      terminal.dispose();
    },
  };
}

/** A bash with job control on a terminal; its prompt is `$ `. */
export async function startShellOnPty(options: PtyOptions = {}): Promise<PtyProgram> {
  const shell = startOnPty('bash', ['--norc', '--noprofile', '-i'], { ...options, env: { PS1: 'prompt$ ', ...options.env } });
  await shell.until(/prompt\$$/);
  return shell;
}

/** Runs a command line in a shell of `startShellOnPty` and answers what it printed. The shell must be at its prompt; `$status` is how the last one ended. */
export async function shellPrints(shell: PtyProgram, command: string): Promise<string> {
  const mark = `mark${shell.raw().length}`;
  shell.send(`status=$?; echo be""gin-${mark}; ${command}; echo en""d-${mark}\r`);
  const pattern = new RegExp(`begin-${mark}\\r?\\n([\\s\\S]*)end-${mark}`);
  return until(`the shell has run ${command}`, () => pattern.exec(shell.raw())?.[1]?.replaceAll('\r\n', '\n'));
}
