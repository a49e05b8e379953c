/** Background jobs: commands that go on beside the conversation, each followed to its end. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import type { TaskId } from '../protocol/commands.js';
import type { RuntimeEvent, TaskOutput } from '../protocol/events.js';
import type { BackgroundCommand, CommandOutput, OutputTail } from '../targets/target.js';

/** How often the last line of a job is looked at (milliseconds). */
const LOOK_MS = 500;
/** Characters of its output that the model is told when it ended. */
const TOLD_CHARACTERS = 2000;
/** The end of its output that a person is shown. */
const SHOWN_BYTES = 32_000;
/** Jobs that have ended and whose output can still be looked at. */
const MOST_ENDED = 50;

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
  /** The end of the output of jobs that have ended, the newest last. */
  readonly #endings = new Map<TaskId, TaskOutput>();
  #watched: TaskId | null = null;
  #shownBytes = -1;

  constructor(clock: Clock, emit: (event: RuntimeEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  get count(): number {
    return this.#jobs.size;
  }

  has(task: TaskId): boolean {
    return this.#jobs.has(task);
  }

  /** Follows a command under the given task id until it ends. */
  follow(task: TaskId, command: BackgroundCommand): void {
    this.#emit({ type: 'task.started', task, kind: 'job', text: command.command, pane: command.pane });
    let shown = '';
    const watch = this.#clock.every(LOOK_MS, () => {
      this.#tellOutput(task);
      const line = command.lastLine();
      if (line === shown) return;
      shown = line;
      this.#emit({ type: 'task.progress', task, lastLine: line });
    });
    this.#jobs.set(task, { command, watch, abort: new AbortController(), timedOut: false, stopping: false });
    void command.ended.then(({ exitCode, output }) => this.#ended(task, exitCode, output));
  }

  /** The end of what it printed is told now and whenever more has come; null: of no job. */
  watch(task: TaskId | null): void {
    this.#watched = task;
    this.#shownBytes = -1;
    if (task !== null) this.#tellOutput(task);
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

  #tellOutput(task: TaskId): void {
    if (task !== this.#watched) return;
    const tail = this.#jobs.get(task)?.command.tail(SHOWN_BYTES);
    const output = tail === undefined ? this.#endings.get(task) : taskOutput(tail, tail.id);
    if (output === undefined || output.total === this.#shownBytes) return;
    this.#shownBytes = output.total;
    this.#emit({ type: 'task.output', task, output });
  }

  #keepEnding(task: TaskId, output: TaskOutput): void {
    this.#endings.set(task, output);
    const [oldest] = this.#endings.keys();
    if (this.#endings.size > MOST_ENDED && oldest !== undefined) this.#endings.delete(oldest);
  }

  #ended(task: TaskId, exitCode: number | null, output: CommandOutput): void {
    const job = this.#jobs.get(task);
    if (job === undefined) return;
    job.watch.dispose();
    this.#jobs.delete(task);
    // What was shown whole is kept nowhere else.
    this.#keepEnding(task, taskOutput(job.command.tail(SHOWN_BYTES), output.id ?? null));
    if (task === this.#watched) this.watch(task);
    const outcome = job.timedOut ? 'timed-out' : exitCode === null ? 'failed' : job.stopping ? 'cancelled' : 'completed';
    const error = exitCode === null ? { code: 'target.lost', message: 'its shell was lost before it ended', hint: null } : null;
    this.#emit({ type: 'task.ended', task, outcome, exitCode, error });
    const how = exitCode === null ? 'was lost with its shell' : `ended with exit code ${exitCode}`;
    const tail = output.text.slice(-TOLD_CHARACTERS);
    const rest = output.id === undefined ? '' : `\n(All of it: read_output ${output.id}.)`;
    this.#notes.push(`[harness] Background task ${task} (${job.command.command}) ${how}. Last output:\n${tail}${rest}`);
  }
}

function taskOutput({ text, totalBytes }: OutputTail, id: string | null): TaskOutput {
  return { text, offset: Math.max(0, totalBytes - Buffer.byteLength(text)), total: totalBytes, id };
}
