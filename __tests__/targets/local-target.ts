/** Real targets on private tmux servers for tests. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { silentLog } from '../../lib/base/log.js';
import { createTarget, type TargetOptions } from '../../lib/targets/index.js';
import type { ExecutionTarget, RunOutcome, TargetEvent, Wait } from '../../lib/targets/target.js';
import { until } from '../support/until.js';

export const never = new AbortController().signal;

/** A target with everything it told, on a home folder of its own. */
export interface OpenTarget {
  readonly target: ExecutionTarget;
  readonly events: TargetEvent[];
  readonly home: string;
  readonly socket: string;
  /** Runs and collects what `onChunk` gave. */
  run(command: string, wait?: Wait, signal?: AbortSignal): Promise<RunOutcome & { readonly raw: string }>;
  /** Runs `tmux` against the private server. */
  tmux(...args: string[]): { readonly status: number | null; readonly stdout: string };
}

let count = 0;

/** A socket name nobody else uses. */
export function privateSocket(): string {
  return `buddy-test-${process.pid}-${++count}`;
}

/** A Host good enough for targets. */
export function targetHost(home: string, env: Readonly<Record<string, string>> = {}, clock: Clock = systemClock): Host {
  const host: Partial<Host> = {
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: home, SECRET_KEY: 'do-not-pass', ...env },
    cwd: home,
    homeDir: home,
    pid: process.pid,
    platform: process.platform,
    user: userInfo().username,
    hostname: hostname(),
    clock,
  };
  return host as Host;
}

/** Owns what a test file opens; call `closeAll` in `afterEach` or `afterAll`. */
export class TargetTests {
  readonly #open: OpenTarget[] = [];
  readonly #homes: string[] = [];

  /** A home folder that is removed with the targets. fish does not begin to read all manual pages when it finds the folder for them. */
  newHome(): string {
    const home = mkdtempSync('/tmp/buddy-test-home-');
    mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
    this.#homes.push(home);
    return home;
  }

  async start(
    options: Partial<TargetOptions> & {
      readonly env?: Readonly<Record<string, string>>;
      readonly home?: string;
      readonly clock?: Clock;
    } = {},
  ): Promise<OpenTarget> {
    const { env, home: givenHome, clock, ...rest } = options;
    const home = givenHome ?? this.newHome();
    if (!this.#homes.includes(home)) this.#homes.push(home);
    const socket = options.socket ?? privateSocket();
    const target = createTarget({
      via: 'tmux',
      host: targetHost(home, env, clock),
      agentName: 'test',
      cols: 100,
      rows: 30,
      log: silentLog,
      shell: 'bash',
      mirror: false,
      socket,
      ...rest,
    });
    const events: TargetEvent[] = [];
    target.onEvent((event) => events.push(event));
    const opened: OpenTarget = {
      target,
      events,
      home,
      socket,
      async run(command, wait = { kind: 'exit' }, signal = never) {
        let raw = '';
        const outcome = await target.run({ command, wait }, { signal, onChunk: (text) => (raw += text) });
        return { ...outcome, raw };
      },
      tmux(...args) {
        const { TMUX, TMUX_PANE, ...clean } = process.env;
        const done = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: clean, encoding: 'utf8' });
        return { status: done.status, stdout: done.stdout };
      },
    };
    this.#open.push(opened);
    await target.start(never);
    return opened;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#open.map((opened) => opened.target.close()));
    for (const opened of this.#open.splice(0)) {
      // A session that was kept, or that a test made, ends with its server.
      opened.tmux('kill-server');
      rmSync(join(`/tmp/tmux-${userInfo().uid}`, opened.socket), { force: true });
    }
    // A shell that was ended writes its history on the way out.
    for (const home of this.#homes.splice(0)) await until('the home folder is removed', () => isRemoved(home));
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the process is gone or a zombie. */
export function untilGone(pid: number): Promise<unknown> {
  return until(`process ${pid} is gone`, () => {
    const shown = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    return shown === '' || shown.startsWith('Z');
  });
}

/** Resolves with the process id that a command writes into `file` of the home folder. */
export function pidIn(home: string, file: string): Promise<number> {
  return until(`${file} holds a process id`, () => {
    const path = join(home, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text.endsWith('\n') ? Number(text) : 0;
  });
}

/** Shows that the next command runs. */
export async function expectAlive(opened: OpenTarget): Promise<void> {
  expect(await opened.run('echo alive')).toMatchObject({ kind: 'exited', exitCode: 0, output: { text: 'alive\n' } });
}

export function noticesOf(opened: OpenTarget): readonly string[] {
  return opened.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
}

/** The real clock, but the one timer of exactly `ms` fires when the test says so. */
export class HeldClock implements Clock {
  readonly #ms: number;
  #fire: (() => void) | null = null;

  constructor(ms: number) {
    this.#ms = ms;
  }

  now = () => systemClock.now();
  monotonic = () => systemClock.monotonic();
  every = (ms: number, run: () => void) => systemClock.every(ms, run);

  after(ms: number, run: () => void) {
    if (ms !== this.#ms) return systemClock.after(ms, run);
    this.#fire = run;
    return { dispose: () => undefined };
  }

  /** The timer has been set. */
  get isHeld(): boolean {
    return this.#fire !== null;
  }

  fire(): void {
    this.#fire?.();
  }
}
