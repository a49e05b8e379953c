/** One command at the other end of a connection, without tmux: a shell that tells its group, its exit code and its last folder. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import type { Child } from '../../base/process.js';
import { settledWithin } from '../../base/settled.js';
import type { CommandRun } from '../command-run.js';
import type { Place } from '../places/place.js';
import { firstLine } from '../places/remote-script.js';
import { shellWord } from '../tmux/quoting.js';

/** A command that was started: how to end it. */
export interface LaunchedCommand {
  /** SIGTERM to its group, then SIGKILL to what is left of it. True when it has ended. */
  stop(): Promise<boolean>;
  /** Lets go of it when the target closes. */
  close(): Promise<void>;
}

export interface RemoteCommandOptions {
  readonly place: Place;
  readonly clock: Clock;
  /** Program that takes `-c SCRIPT`. */
  readonly shell: string;
  readonly cwd: string;
  /** A file in a private folder there, for this command alone. */
  readonly cwdFile: string;
  readonly graceMs: number;
  /** The folder where the shell ended; '' when it did not tell. */
  moved(path: string): void;
}

/** Exit code of a shell that SIGKILL ended (POSIX: 128 + number). */
const KILLED = 137;
/** Bytes of a mark and a folder in it; more than a path can have on Linux (4096). */
const LONGEST_MARK = 5000;

/**
 * Starts `run` there. Every command is a session of its own at the other end (sshd and the container engines make one), so the id of
 * the first shell is that of the group.
 */
export function startRemoteCommand(run: CommandRun, options: RemoteCommandOptions): LaunchedCommand {
  const { place, clock, graceMs, cwd } = options;
  const mark = randomBytes(12).toString('hex');
  const child = place.start(['sh', '-c', wrapper(run.command, options, mark)]);
  child.stdin.end();
  let group = 0;
  let killed = false;
  let stderr = '';
  const output = new MarkedOutput(mark, {
    begun: (pid) => {
      group = pid;
      run.begin();
    },
    bytes: (bytes) => run.output(bytes),
    ended: (code, folder) => {
      if (code === null) run.finish({ kind: 'lost', reason: `there is no folder ${cwd} on ${place.name} any more` });
      else run.finish({ kind: 'exited', exitCode: code });
      options.moved(code === null ? place.facts.home : folder);
      // A daemon may hold the connection's pipes for ever.
      letGo(child);
    },
  });
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes));
  // What the command itself complains comes on standard output, in its order.
  child.stderr.on('data', (bytes: Buffer) => {
    stderr = `${stderr}${bytes.toString('utf8')}`.slice(-2000);
  });
  void child.ended.then(({ code, error }) => {
    output.end();
    const said = firstLine(error?.message ?? stderr);
    if (killed) run.finish({ kind: 'exited', exitCode: KILLED });
    else if (!run.hasBegun) run.finish({ kind: 'lost', reason: `nothing could be run on ${place.name}: ${said || `exit code ${code}`}` });
    else run.finish({ kind: 'lost', reason: `the connection to ${place.name} was lost; whether the command has ended is not known` });
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    await place.signalGroup(group, signal);
    if (signal === 'SIGKILL') killed = place.state.kind === 'connected';
    await settledWithin(run.ended, graceMs, clock);
  };
  const stop = async () => {
    if (run.end === null && !run.hasBegun) await settledWithin(run.begun, graceMs, clock);
    if (run.end === null) await end('SIGTERM');
    if (group > 1) await end('SIGKILL');
    return run.end?.kind === 'exited';
  };
  return {
    stop,
    async close() {
      if (run.end === null) await stop();
      child.kill('SIGKILL');
    },
  };
}

function letGo(child: Child): void {
  child.stdout.destroy();
  child.stderr.destroy();
  child.kill('SIGTERM');
}

/**
 * The outer shell outlives SIGTERM to its group and tells the exit code. The folder of the inner one comes back through a file, written
 * when it exits. Debian's bash takes itself for a login over ssh, and reads ~/.bashrc, below SHLVL 2. The mark stands in two halves, so that `ps` cannot print it.
 */
function wrapper(command: string, { shell, cwd, cwdFile }: RemoteCommandOptions, mark: string): string {
  const file = shellWord(cwdFile);
  const inner = `trap ${shellWord(`pwd >|${file}`)} EXIT\neval ${shellWord(command)}`;
  return `m='${mark.slice(0, 12)}''${mark.slice(12)}'
printf '%s %s\n' $m $$
trap : TERM INT HUP
export SHLVL=2
cd ${shellWord(cwd)} || { printf '%s gone\n' $m; exit; }
${shellWord(shell)} -c ${shellWord(inner)} </dev/null 2>&1
r=$?
d=$(cat ${file} 2>/dev/null)
rm -f ${file}
printf '%s %s %s\n' $m $r "$d"`;
}

/** What a stream with marks tells. */
interface MarkListener {
  begun(pid: number): void;
  bytes(bytes: Buffer): void;
  /** Null: there was no folder to begin in. */
  ended(code: number | null, cwd: string): void;
}

/** Takes the marks out of a stream: the first line tells the group, the last the exit code and the folder. */
class MarkedOutput {
  readonly #mark: Buffer;
  readonly #listener: MarkListener;
  #held: Buffer = Buffer.alloc(0);
  #phase: 'before' | 'running' | 'after' = 'before';

  constructor(mark: string, listener: MarkListener) {
    this.#mark = Buffer.from(`${mark} `);
    this.#listener = listener;
  }

  push(bytes: Buffer): void {
    if (this.#phase === 'after') return;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    if (this.#phase === 'before') {
      const line = this.#lineAt(this.#held.indexOf(this.#mark));
      if (line === null) return;
      this.#phase = 'running';
      this.#held = line.rest;
      this.#listener.begun(Number(line.text));
    }
    const at = this.#held.indexOf(this.#mark);
    if (at >= 0) {
      const line = this.#lineAt(at);
      if (line === null && this.#held.length - at < LONGEST_MARK) return;
      const [, code = 'gone', cwd = ''] = /^(\d+) (.*)$/.exec(line?.text ?? '') ?? [];
      this.#phase = 'after';
      if (at > 0) this.#listener.bytes(this.#held.subarray(0, at));
      this.#listener.ended(code === 'gone' ? null : Number(code), cwd);
      return;
    }
    // The last bytes may be the beginning of the mark.
    const keep = this.#beginningOfMark();
    if (this.#held.length > keep) this.#listener.bytes(this.#held.subarray(0, this.#held.length - keep));
    this.#held = this.#held.subarray(this.#held.length - keep);
  }

  /** No more bytes come. */
  end(): void {
    if (this.#phase === 'running' && this.#held.length > 0) this.#listener.bytes(this.#held);
    this.#phase = 'after';
  }

  #lineAt(at: number): { readonly text: string; readonly rest: Buffer } | null {
    if (at < 0) return null;
    const end = this.#held.indexOf(0x0a, at);
    if (end < 0) return null;
    return { text: this.#held.toString('utf8', at + this.#mark.length, end), rest: this.#held.subarray(end + 1) };
  }

  /** How many of the last bytes are the first of the mark. */
  #beginningOfMark(): number {
    for (let length = Math.min(this.#mark.length - 1, this.#held.length); length > 0; length--) {
      if (this.#held.subarray(this.#held.length - length).equals(this.#mark.subarray(0, length))) return length;
    }
    return 0;
  }
}
