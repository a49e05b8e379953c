/** What runs in a pane and how its terminal takes what is typed: asked of the system now and then, while it is quiet. */

import { basename } from 'node:path';
import type { PaneState } from '../../protocol/panes.js';
import { foregroundGroup, hidesInput, readsKeys, terminalInput } from '../foreground.js';
import type { Place } from '../places/place.js';
import { isShell } from '../shells/index.js';
import { isScreenLeft, leaveScreen } from './left-screen.js';
import { type PaneStatus, paneState } from './pane-status.js';
import type { PanePhase, ShellPane } from './shell-pane.js';

export interface PaneActivityOptions {
  readonly place: Place;
  /** Our shell's program. */
  readonly shellProgram: string;
  readonly signal: AbortSignal;
  now(): number;
}

/** Quiet polls at which the terminal of a running command is asked; it costs a process or two. */
const isTerminalLook = (quietPolls: number) => quietPolls % 10 === 0 || (quietPolls >= 2 && quietPolls <= 6);

export class PaneActivity {
  readonly #options: PaneActivityOptions;
  readonly #own: string;
  #program = '';
  #sinceMs = 0;
  #password = false;
  #unknownShell = false;
  #quietPolls = 0;
  /** The shell that was seen last, and the process that it is. */
  #process: { readonly shell: ShellPane; readonly pid: number } | null = null;
  /** The prompt at which the screen was given back last: once is enough. */
  #repaired = -1;

  constructor(options: PaneActivityOptions) {
    this.#options = options;
    this.#own = basename(options.shellProgram);
  }

  /** A command begins; `program` is its name until tmux tells. */
  begin(program: string): void {
    this.#program = program;
    this.#sinceMs = this.#options.now();
    this.#password = false;
    this.#quietPolls = 0;
  }

  /** What runs, if anything does, has begun then. */
  goesOn(sinceMs: number): void {
    this.begin('');
    this.#sinceMs = sinceMs;
  }

  /** When what runs has begun. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Something was printed. */
  heard(): void {
    this.#quietPolls = 0;
    this.#password = false;
  }

  /** What tmux sees in the foreground of a pane where something runs, or what is left of it at the prompt. */
  seen(status: PaneStatus, shell: ShellPane): void {
    const { program, pid } = status;
    if (this.#process?.shell === shell && this.#process.pid !== pid && !status.dead)
      shell.overtaken('another program was put in the place of the shell');
    this.#process = { shell, pid };
    if (shell.phase === 'running' && program !== '' && program !== this.#own) this.#program = program;
    if (isScreenLeft(status, shell, this.#own) && shell.promptNumber !== this.#repaired) {
      this.#repaired = shell.promptNumber;
      void leaveScreen(this.#options.place, status, this.#options.signal);
    }
  }

  /** The program in the foreground when it is not our shell itself, else ''. */
  otherThanShell(status: PaneStatus | null): string {
    const program = status?.program ?? '';
    return program === this.#own ? '' : program;
  }

  state(phase: PanePhase, status: PaneStatus | null): PaneState {
    if (phase !== 'running') this.#unknownShell = false;
    return paneState(phase, status, {
      program: this.#program,
      sinceMs: this.#sinceMs,
      password: this.#password,
      unknownShell: this.#unknownShell,
    });
  }

  /** Does the running command wait for a password, or is it a shell in place of ours? True when something new was learnt. */
  async look(shell: ShellPane, status: PaneStatus): Promise<boolean> {
    if (shell.phase !== 'running' || this.#unknownShell || !isTerminalLook(++this.#quietPolls)) return false;
    const looked = shell.run;
    const { place, signal } = this.#options;
    const input = await terminalInput(place, status.tty, signal);
    const isOther = input !== null && (await this.#isOtherShell(status, looked === null && readsKeys(input)));
    const isPassword = input !== null && hidesInput(input);
    // What was looked at has ended or printed something meanwhile.
    if ((shell.phase as PanePhase) !== 'running' || shell.run !== looked || this.#quietPolls === 0) return false;
    if (isOther) {
      this.#unknownShell = true;
      shell.overtaken('another shell has taken the place of the one it ran in');
    } else if (isPassword) this.#password = true;
    return isOther || isPassword;
  }

  /** Is the pane's own process another shell now, or (`atPrompt`) one of the same name that waits at a prompt without marks? */
  async #isOtherShell({ program, pid }: PaneStatus, atPrompt: boolean): Promise<boolean> {
    if (!isShell(program) || (program === this.#own && !atPrompt)) return false;
    return (await foregroundGroup(this.#options.place, pid, this.#options.signal)) === pid;
  }
}
