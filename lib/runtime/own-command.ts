/** Commands of the person's own (`!ls`): run in the shared pane as they stand, without a question, and told to the model or not. */

import type { Clock } from '../base/clock.js';
import { asBuddyError } from '../base/errors.js';
import type { TaskId } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { BackgroundCommand, ExecutionTarget, RunOutcome } from '../targets/target.js';
import type { Keyboard } from './keyboard.js';
import { LiveOutput } from './live-output.js';

/** Characters of its output that the model is told. */
const TOLD_CHARACTERS = 8000;

export interface OwnCommandsOptions {
  readonly clock: Clock;
  readonly target: ExecutionTarget;
  readonly keyboard: Keyboard;
  emit(event: RuntimeEvent): void;
  newTask(): TaskId;
  /** Follows a command that goes on by itself. */
  background(command: BackgroundCommand): TaskId;
}

/** Owns the command that runs; there is one at a time. */
export class OwnCommands {
  readonly #options: OwnCommandsOptions;
  readonly #notes: string[] = [];
  #running: { readonly task: TaskId; readonly abort: AbortController; readonly ended: Promise<void> } | null = null;

  constructor(options: OwnCommandsOptions) {
    this.#options = options;
  }

  has(task: TaskId): boolean {
    return this.#running?.task === task;
  }

  /** Starts it. Answers why not, or null. */
  run(text: string, tell: boolean): string | null {
    const { target, keyboard, emit, newTask } = this.#options;
    if (text.trim() === '') return 'there is no command behind the "!"';
    if (this.#running !== null) return 'a command of yours still runs; Esc stops it';
    if (keyboard.isTaken) return 'you have the keyboard of the pane: type it there';
    const pane = target.tmux?.panes().find((known) => known.isDefault);
    // A dead one comes back with the next command.
    if (pane !== undefined && pane.state.kind !== 'idle' && pane.state.kind !== 'dead')
      return `the pane is ${pane.state.kind}${'program' in pane.state && pane.state.program !== '' ? ` (${pane.state.program})` : ''}; nothing ran`;
    const task = newTask();
    const abort = new AbortController();
    emit({ type: 'task.started', task, kind: 'command', text, pane: pane?.pane ?? null });
    this.#running = { task, abort, ended: this.#follow(task, text, tell, abort.signal) };
    return null;
  }

  /** Ctrl-C for it. */
  stop(): void {
    this.#running?.abort.abort();
  }

  /** Stops it and waits for its end. */
  async end(): Promise<void> {
    const running = this.#running;
    running?.abort.abort();
    await running?.ended;
  }

  /** What the model has not been told yet. */
  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  /** A new conversation is told nothing of what was before it. */
  forget(): void {
    this.#notes.length = 0;
  }

  async #follow(task: TaskId, text: string, tell: boolean, signal: AbortSignal): Promise<void> {
    const { clock, target, emit } = this.#options;
    const call = `own-${task}`;
    const startedMs = clock.monotonic();
    emit({ type: 'tool.requested', task, call, name: '!', preview: text, ...(tell ? {} : { untold: true }) });
    emit({ type: 'tool.started', task, call });
    const live = new LiveOutput(clock, (chunk) => emit({ type: 'tool.output', task, call, text: chunk }));
    let seen: Seen;
    try {
      const outcome = await target.run({ command: text, wait: { kind: 'exit' } }, { signal, onChunk: (chunk) => live.add(chunk) });
      seen = this.#seenOf(outcome);
    } catch (thrown) {
      const { message, hint } = asBuddyError(thrown, 'target.run');
      seen = { ...failed, text: [message, hint ?? ''].join('\n').trim(), summary: 'failed' };
    }
    live.end();
    const elapsedMs = clock.monotonic() - startedMs;
    const { isError, summary, exitCode } = seen;
    emit({ type: 'tool.ended', task, call, isError, text: seen.text, summary, exitCode, elapsedMs });
    if (seen.refused !== null) emit({ type: 'command.refused', command: 'command.run', reason: seen.refused, task });
    else if (tell) this.#notes.push(told(text, seen));
    this.#running = null;
    emit({ type: 'task.ended', task, outcome: seen.outcome, exitCode, error: null });
  }

  #seenOf(outcome: RunOutcome): Seen {
    switch (outcome.kind) {
      case 'exited':
        return {
          ...failed,
          text: outcome.output.text,
          summary: `exit ${outcome.exitCode}`,
          exitCode: outcome.exitCode,
          isError: false,
          outcome: 'completed',
        };
      case 'cancelled':
        return {
          ...failed,
          text: outcome.output.text,
          summary: outcome.stopped ? 'interrupted' : 'interrupted, still running',
          outcome: 'cancelled',
        };
      case 'running': {
        const task = this.#options.background(outcome.background);
        return { ...failed, text: outcome.output.text, summary: `background #${task}`, isError: false, outcome: 'completed' };
      }
      case 'lost':
        return { ...failed, text: [outcome.output.text, outcome.reason].filter((part) => part !== '').join('\n'), summary: 'shell lost' };
      case 'refused':
        return { ...failed, text: outcome.reason, summary: `not run: pane is ${outcome.state.kind}`, refused: outcome.reason };
    }
  }
}

/** What people see of it. */
interface Seen {
  readonly text: string;
  readonly summary: string;
  readonly exitCode: number | null;
  readonly isError: boolean;
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  /** Why it did not run; null when it did. */
  readonly refused: string | null;
}

const failed: Seen = { text: '', summary: '', exitCode: null, isError: true, outcome: 'failed', refused: null };

function told(command: string, { text, summary }: Seen): string {
  const left = text.length - TOLD_CHARACTERS;
  const output = left > 0 ? `(${left} characters are left out)\n${text.slice(-TOLD_CHARACTERS).toWellFormed()}` : text;
  return `[harness] The user ran this command in the shared terminal themselves: ${command}\nIt ended: ${summary}. Output:\n${output}`;
}
