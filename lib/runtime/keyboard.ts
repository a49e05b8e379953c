/** The keyboard of the shared pane: the agent's, or for a while the person's alone. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import { abortError } from '../base/errors.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { PaneCommand, PaneId } from '../protocol/panes.js';
import type { TmuxClient } from '../targets/target.js';

/** The last command before a hand-back is still being told for so long (milliseconds). */
const SETTLE_MS = 80;
/** Characters typed with one tmux command; more go in such pieces, in order. */
const PIECE_CHARACTERS = 4096;
/** Of more commands only the newest are told, and of each so many characters. */
const TOLD_COMMANDS = 50;
const TOLD_CHARACTERS = 500;

export interface KeyboardOptions {
  readonly clock: Clock;
  readonly tmux: TmuxClient | null;
  emit(event: RuntimeEvent): void;
}

/** Owns who types, and what the model is to be told of what a person ran. What is typed is handed on and never kept. */
export class Keyboard {
  readonly #options: KeyboardOptions;
  readonly #waiting = new Set<() => void>();
  #taken: PaneId | null = null;
  #returning: Disposable | null = null;
  #sinceTaken: PaneCommand[] = [];
  #untold: PaneCommand[] = [];
  #commandsRun = 0;
  #typedInto = false;
  #untoldTyping = false;
  #failed = false;

  constructor(options: KeyboardOptions) {
    this.#options = options;
  }

  /** True while the person has it. */
  get isTaken(): boolean {
    return this.#taken !== null;
  }

  /** How many commands a person has run so far. */
  get commandsRun(): number {
    return this.#commandsRun;
  }

  /** Gives it to the person. Answers why not, or null. */
  take(pane: PaneId): string | null {
    const { tmux, emit } = this.#options;
    if (tmux === null) return 'there is no pane here that could be taken over';
    if (!tmux.panes().some((known) => known.pane === pane)) return `there is no pane ${pane}`;
    if (this.#taken !== null && this.#returning === null) return `you have the keyboard of ${this.#taken} already`;
    if (this.#returning === null) this.#sinceTaken = [];
    this.#returning?.dispose();
    this.#returning = null;
    this.#taken = pane;
    this.#failed = false;
    emit({ type: 'pane.taken', pane });
    return null;
  }

  /** Types bytes for the person. Answers why not, or null. */
  type(pane: PaneId, bytes: string): string | null {
    return this.#enter(pane, (tmux, signal) => Promise.all(pieces(bytes).map((piece) => tmux.type(pane, piece, signal))));
  }

  /** Pastes a text for the person. Answers why not, or null. */
  paste(pane: PaneId, text: string): string | null {
    return this.#enter(pane, (tmux, signal) => tmux.paste(pane, text, signal));
  }

  /** Takes it back; `pane.returned` follows when the last command has been told. Nothing when it is back already. */
  giveBack(pane: PaneId): void {
    if (this.#taken === pane) this.#returning ??= this.#options.clock.after(SETTLE_MS, () => this.#returned());
  }

  /** A person ran a command, here or on another terminal that looks at the same pane. True: it will be told with the hand-back. */
  heard({ text, exitCode, cwd }: PaneCommand): boolean {
    const command = { text, exitCode, cwd };
    this.#commandsRun++;
    this.#untold.push(command);
    if (this.#taken === null) return false;
    this.#sinceTaken.push(command);
    return true;
  }

  /** The pane is gone, and its keyboard with it. */
  closed(pane: PaneId): void {
    if (this.#taken === pane) this.#returned();
  }

  /** Resolves when the agent may type and look. Rejects with an AbortError when the signal fires. */
  free(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(abortError());
    if (!this.isTaken) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.delete(done);
        reject(abortError());
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** What the model has not been told yet. */
  takeNotes(): readonly string[] {
    const commands = this.#untold.splice(0);
    const typed = this.#untoldTyping;
    this.#untoldTyping = false;
    if (commands.length === 0)
      return typed ? ['[harness] The user had the keyboard of the shared terminal and typed there (what is not told).'] : [];
    const left = Math.max(0, commands.length - TOLD_COMMANDS);
    const lines = commands.slice(left).map((command, at) => `${left + at + 1}. ${told(command)}`);
    const more = left > 0 ? [`(${left} earlier ones are left out)`] : [];
    return [['[harness] The user ran these commands in the shared terminal themselves:', ...more, ...lines].join('\n')];
  }

  /** A new conversation is told nothing of what was before it. */
  forget(): void {
    this.#untold = [];
    this.#untoldTyping = false;
  }

  dispose(): void {
    this.#returning?.dispose();
    this.#returning = null;
  }

  #enter(pane: PaneId, enter: (tmux: TmuxClient, signal: AbortSignal) => Promise<unknown>): string | null {
    const { tmux } = this.#options;
    if (tmux === null || this.#taken !== pane || this.#returning !== null) return 'take the pane over before you type into it';
    this.#typedInto = true;
    enter(tmux, new AbortController().signal).catch(() => this.#onFailed());
    return null;
  }

  #returned(): void {
    const pane = this.#taken;
    if (pane === null) return;
    this.#returning?.dispose();
    this.#returning = null;
    this.#taken = null;
    this.#untoldTyping ||= this.#typedInto;
    this.#typedInto = false;
    this.#options.emit({ type: 'pane.returned', pane, commands: this.#sinceTaken });
    this.#sinceTaken = [];
    for (const done of [...this.#waiting]) done();
  }

  /** Said once for each takeover: every key would fail alike. */
  #onFailed(): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#options.emit({ type: 'warning', message: 'what you typed did not reach the pane' });
  }
}

/** `cd /tmp; false` as the model is told it. A text with line ends stays one item. */
function told({ text, exitCode, cwd }: PaneCommand): string {
  const short = text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS).toWellFormed()}…` : text;
  const ended = exitCode === null ? 'exit code unknown' : `exit code ${exitCode}`;
  return `${short.replaceAll('\n', '\n   ')} → ${ended}${cwd === '' ? '' : `, then in ${cwd}`}`;
}

/** Pieces that end between characters. */
function pieces(bytes: string): readonly string[] {
  const found: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(bytes.length, from + PIECE_CHARACTERS);
    if (to < bytes.length && /[\ud800-\udbff]/.test(bytes[to - 1] ?? '')) to--;
    found.push(bytes.slice(from, to));
    from = to;
  }
  return found;
}
