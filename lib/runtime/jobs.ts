/** Background jobs: commands that go on beside the conversation, each followed to its end. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import type { TaskId } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { BackgroundCommand, CommandOutput } from '../targets/target.js';

/** How often the last line of a job is looked at (milliseconds). */
const LOOK_MS = 500;
/** Characters of its output that the model is told when it ended. */
const TOLD_CHARACTERS = 2000;

interface Job {
  readonly command: BackgroundCommand;
  readonly watch: Disposable;
  readonly abort: AbortController;
  timedOut: boolean;
  stopping: boolean;
}

/** Owns the jobs of a runtime. */
export class Jobs {
  readonly #clock: Clock;
  readonly #emit: (event: RuntimeEvent) => void;
  readonly #jobs = new Map<TaskId, Job>();
  readonly #notes: string[] = [];

  constructor(clock: Clock, emit: (event: RuntimeEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  has(task: TaskId): boolean {
    return this.#jobs.has(task);
  }

  /** Follows a command under the given task id until it ends. */
  follow(task: TaskId, command: BackgroundCommand): void {
    this.#emit({ type: 'task.started', task, kind: 'job', text: command.command, pane: command.pane });
    let shown = '';
    const watch = this.#clock.every(LOOK_MS, () => {
      const line = command.lastLine();
      if (line === shown) return;
      shown = line;
      this.#emit({ type: 'task.progress', task, lastLine: line });
    });
    this.#jobs.set(task, { command, watch, abort: new AbortController(), timedOut: false, stopping: false });
    void command.ended.then(({ exitCode, output }) => this.#ended(task, exitCode, output));
  }

  /** Ctrl-C, then SIGTERM; a job that survives both is reported and goes on. */
  async stop(task: TaskId, timedOut: boolean): Promise<void> {
    const job = this.#jobs.get(task);
    if (job === undefined || job.stopping) return;
    job.stopping = true;
    job.timedOut = timedOut;
    const ended = await job.command.stop(job.abort.signal).catch(() => false);
    // Its end may still be on its way here: what was stopped stays stopped.
    if (ended) return;
    job.stopping = false;
    job.timedOut = false;
    if (this.#jobs.has(task)) {
      this.#emit({ type: 'warning', message: `task ${task} (${job.command.command}) survived Ctrl-C and SIGTERM and goes on` });
    }
  }

  /** What the model has not been told yet of jobs that ended. */
  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  /** Stops following. The commands themselves end with the target. */
  dispose(): void {
    for (const job of this.#jobs.values()) {
      job.watch.dispose();
      job.abort.abort();
    }
    this.#jobs.clear();
  }

  #ended(task: TaskId, exitCode: number | null, output: CommandOutput): void {
    const job = this.#jobs.get(task);
    if (job === undefined) return;
    job.watch.dispose();
    this.#jobs.delete(task);
    const outcome = job.timedOut ? 'timed-out' : exitCode === null ? 'failed' : job.stopping ? 'cancelled' : 'completed';
    const error = exitCode === null ? { code: 'target.lost', message: 'its shell was lost before it ended', hint: null } : null;
    this.#emit({ type: 'task.ended', task, outcome, exitCode, error });
    const how = exitCode === null ? 'was lost with its shell' : `ended with exit code ${exitCode}`;
    const tail = output.text.slice(-TOLD_CHARACTERS);
    const rest = output.id === undefined ? '' : `\n(All of it: read_output ${output.id}.)`;
    this.#notes.push(`[harness] Background task ${task} (${job.command.command}) ${how}. Last output:\n${tail}${rest}`);
  }
}
