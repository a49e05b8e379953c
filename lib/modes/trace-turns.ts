/** The turns of a trace: the prompts that were worked on, in their order, and what each of them took. Pure. */

import type { TaskId } from '../protocol/commands.js';
import type { ModelSummary, RuntimeEvent } from '../protocol/events.js';
import { nothingSpent, type Spent, sumOf } from '../protocol/spent.js';
import type { ReadLine } from '../runtime/trace-lines.js';
import { emptyUsage, spentIn, type UsageState, usageAfter } from '../view/usage.js';

/** One prompt. Times are wall clock, in milliseconds. */
export interface TracedTurn {
  /** The n-th prompt of the trace, counted from 1. */
  readonly number: number;
  readonly task: TaskId;
  readonly text: string;
  readonly startMs: number;
  /** Null: the trace ends before it did. */
  readonly endMs: number | null;
  /** `completed`, `failed` …; null as above. */
  readonly outcome: string | null;
  readonly trouble: string | null;
  readonly spent: Spent;
  readonly calls: number;
}

/** Follows the lines of a trace and knows whose turn it is. */
export class TurnCounter {
  readonly turns: TracedTurn[] = [];
  /** Of each profile, what it took; summaries with it. */
  usage: UsageState = emptyUsage;
  model: ModelSummary | null = null;
  #profiles: readonly ModelSummary[] = [];

  /** The turn that a task belongs to, while it goes on. */
  turnOf(task: TaskId): TracedTurn | null {
    return this.turns.findLast((turn) => turn.task === task && turn.endMs === null) ?? null;
  }

  /** Takes one more line; to be called for each, in order. */
  take(line: ReadLine): void {
    // Another run: its tasks count from one again.
    if (line.kind === 'header') for (const turn of this.turns) if (turn.endMs === null) this.#change(turn, { endMs: turn.startMs });
    if (line.kind !== 'event') return;
    const event = line.event as RuntimeEvent;
    const before = this.usage;
    this.usage = usageAfter(before, this.model, this.#profiles, event, line.tsMs);
    switch (event.type) {
      case 'lifecycle.started':
        this.model = event.model;
        this.#profiles = event.profiles;
        break;
      case 'model.switched':
        this.model = event.model;
        break;
      case 'task.started':
        if (event.kind === 'prompt') this.#begin(event.task, event.text, line.tsMs);
        break;
      case 'model.answered':
        this.#add(event.task, (turn) => ({ spent: sumOf(turn.spent, spentIn(event, before, this.model)) }));
        break;
      case 'tool.requested':
        this.#add(event.task, (turn) => ({ calls: turn.calls + 1 }));
        break;
      case 'task.ended':
        this.#add(event.task, () => ({ endMs: line.tsMs, outcome: event.outcome, trouble: event.error?.message ?? null }));
        break;
      default:
    }
  }

  #begin(task: TaskId, text: string, startMs: number): void {
    const number = this.turns.length + 1;
    this.turns.push({ number, task, text, startMs, endMs: null, outcome: null, trouble: null, spent: nothingSpent, calls: 0 });
  }

  #add(task: TaskId, change: (turn: TracedTurn) => Partial<TracedTurn>): void {
    const turn = this.turnOf(task);
    if (turn !== null) this.#change(turn, change(turn));
  }

  #change(turn: TracedTurn, change: Partial<TracedTurn>): void {
    this.turns[turn.number - 1] = { ...turn, ...change };
  }
}
