/** What a trace comes to: runs, turns, models, tools, questions, trouble. Pure. */

import { formatElapsed, formatMoment } from '../base/duration.js';
import { visible, visibleLine } from '../base/visible.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { Spent } from '../protocol/spent.js';
import type { ReadLine } from '../runtime/trace-lines.js';
import { costText, inputText, outputText, tokenCount } from '../view/spent.js';
import type { ModelSpent } from '../view/usage.js';
import { tableLines } from './text-table.js';
import { type TracedTurn, TurnCounter } from './trace-turns.js';

/** One run of the program. */
interface Run {
  readonly program: string;
  readonly startMs: number;
  readonly lastMs: number;
  readonly hasScreen: boolean;
}

/** The calls of one tool. */
interface ToolUse {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  readonly elapsedMs: number;
  readonly longestMs: number;
}

/** The questions: how many were asked, and how many were answered how and by whom (`once by user`). */
interface Questions {
  readonly asked: number;
  readonly answers: Readonly<Record<string, number>>;
  /** Calls that a rule let through unasked. */
  readonly ruled: number;
  /** How long the person was waited for, in all. */
  readonly waitedMs: number;
}

/** Something that went wrong. */
interface Trouble {
  readonly tsMs: number;
  readonly text: string;
}

/** All of it. */
export interface TraceSummary {
  readonly lines: number;
  readonly runs: readonly Run[];
  readonly turns: readonly TracedTurn[];
  readonly all: Spent;
  readonly models: readonly ModelSpent[];
  readonly tools: readonly ToolUse[];
  readonly questions: Questions;
  readonly compactions: number;
  readonly retries: number;
  readonly trouble: readonly Trouble[];
}

/** Troubles that are listed. */
const MOST_TROUBLE = 20;

/** Counts the lines of a trace. */
export class SummaryCounter {
  readonly #turns = new TurnCounter();
  readonly #runs: Run[] = [];
  readonly #tools = new Map<string, ToolUse>();
  readonly #names = new Map<string, string>();
  readonly #askedMs = new Map<string, number>();
  readonly #answers: Record<string, number> = {};
  readonly #trouble: Trouble[] = [];
  #asked = 0;
  #ruled = 0;
  #waitedMs = 0;
  #lines = 0;
  #compactions = 0;
  #retries = 0;

  /** Takes one more line; to be called for each, in order. */
  take(line: ReadLine): void {
    this.#lines += 1;
    this.#turns.take(line);
    if (line.kind === 'header') {
      this.#runs.push({ program: line.program, startMs: line.tsMs, lastMs: line.tsMs, hasScreen: line.screen !== null });
      return;
    }
    const run = this.#runs.at(-1);
    if (run !== undefined) this.#runs[this.#runs.length - 1] = { ...run, lastMs: Math.max(run.lastMs, line.tsMs) };
    if (line.kind === 'event') this.#event(line.event as RuntimeEvent, line.tsMs);
  }

  /** What was counted so far. */
  summary(): TraceSummary {
    const { turns, usage } = this.#turns;
    const questions = { asked: this.#asked, answers: this.#answers, ruled: this.#ruled, waitedMs: this.#waitedMs };
    return {
      ...{ lines: this.#lines, runs: this.#runs, turns, all: usage.all, models: usage.models, questions },
      tools: [...this.#tools.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
      ...{ compactions: this.#compactions, retries: this.#retries, trouble: this.#trouble },
    };
  }

  #event(event: RuntimeEvent, tsMs: number): void {
    switch (event.type) {
      case 'tool.requested':
        this.#names.set(event.call, event.name);
        break;
      case 'tool.ended':
        this.#toolEnded(event);
        break;
      case 'approval.requested':
        this.#asked += 1;
        this.#askedMs.set(event.request.id, tsMs);
        break;
      case 'approval.resolved': {
        const how = `${event.decision} by ${event.by}`;
        this.#answers[how] = (this.#answers[how] ?? 0) + 1;
        this.#waitedMs += tsMs - (this.#askedMs.get(event.approval) ?? tsMs);
        this.#askedMs.delete(event.approval);
        break;
      }
      case 'approval.ruled':
        this.#ruled += 1;
        break;
      case 'context.compacted':
        this.#compactions += 1;
        break;
      case 'model.retrying':
        this.#retries += 1;
        break;
      case 'error':
        this.#trouble.push({ tsMs, text: event.message });
        break;
      case 'command.refused':
        this.#trouble.push({ tsMs, text: `${event.command} was refused: ${event.reason}` });
        break;
      case 'task.ended':
        if (event.error !== null) this.#trouble.push({ tsMs, text: event.error.message });
        break;
      default:
    }
  }

  #toolEnded({ call, isError, elapsedMs }: Extract<RuntimeEvent, { type: 'tool.ended' }>): void {
    const name = this.#names.get(call) ?? 'unknown';
    const before = this.#tools.get(name) ?? { name, calls: 0, failed: 0, elapsedMs: 0, longestMs: 0 };
    this.#tools.set(name, {
      name,
      calls: before.calls + 1,
      failed: before.failed + (isError ? 1 : 0),
      elapsedMs: before.elapsedMs + elapsedMs,
      longestMs: Math.max(before.longestMs, elapsedMs),
    });
    this.#names.delete(call);
  }
}

/** The summary as lines for people. */
export function summaryLines(summary: TraceSummary): readonly string[] {
  const { all, questions } = summary;
  const of = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
  const runs = summary.runs.map(
    ({ program, startMs, lastMs, hasScreen }) =>
      `run of ${formatMoment(startMs)}: ${formatElapsed(lastMs - startMs)}, buddy-tui ${visibleLine(program)}${hasScreen ? '' : ', without a screen'}`,
  );
  const cost = costText(all);
  const spent = all.requests === 0 ? [] : [`${inputText(all)} in, ${outputText(all)} out${cost === null ? '' : `, ${cost}`}`];
  const counts = [
    of(summary.turns.length, 'turn'),
    of(all.requests, 'answer'),
    ...spent,
    ...(summary.compactions > 0 ? [of(summary.compactions, 'compaction')] : []),
    ...(summary.retries > 0 ? [of(summary.retries, 'retry', 'retries')] : []),
    of(summary.lines, 'line'),
  ];
  return [
    ...runs,
    counts.join(' · '),
    ...section('turns', summary.turns, turnsTable),
    ...section('models', summary.models, modelsTable),
    ...section('tools', summary.tools, toolsTable),
    ...(questions.asked + questions.ruled === 0 ? [] : ['', 'questions', `  ${questionWords(questions).join(' · ')}`]),
    ...section('trouble', summary.trouble, troubleLines),
  ];
}

function section<T>(name: string, entries: readonly T[], lines: (entries: readonly T[]) => readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : ['', name, ...lines(entries).map((line) => `  ${line}`)];
}

function turnsTable(turns: readonly TracedTurn[]): readonly string[] {
  const number = { right: true } as const;
  return tableLines(
    [
      { head: 'turn', ...number },
      { head: 'prompt', most: 40 },
      { head: 'took', ...number },
      { head: 'answers', ...number },
      { head: 'calls', ...number },
      { head: 'in', ...number },
      { head: 'out', ...number },
      { head: 'cost', ...number },
      { head: 'ended' },
    ],
    turns.map(({ number: n, text, startMs, endMs, outcome, spent, calls }) => [
      String(n),
      text,
      outcome === null || endMs === null ? '' : formatElapsed(endMs - startMs),
      ...[String(spent.requests), String(calls), inputText(spent), outputText(spent), costText(spent) ?? ''],
      outcome ?? 'not within the trace',
    ]),
  );
}

function modelsTable(models: readonly ModelSpent[]): readonly string[] {
  const number = { right: true } as const;
  return tableLines(
    [
      { head: 'profile' },
      { head: 'model', most: 40 },
      { head: 'answers', ...number },
      { head: 'in', ...number },
      { head: 'cached', ...number },
      { head: 'out', ...number },
      { head: 'cost', ...number },
    ],
    models.map((spent) => [
      ...[spent.profile, spent.model, String(spent.requests), inputText(spent)],
      ...[spent.cachedTokens === null ? '' : tokenCount(spent.cachedTokens), outputText(spent), costText(spent) ?? ''],
    ]),
  );
}

function toolsTable(tools: readonly ToolUse[]): readonly string[] {
  const number = { right: true } as const;
  return tableLines(
    [
      { head: 'tool' },
      { head: 'calls', ...number },
      { head: 'failed', ...number },
      { head: 'took', ...number },
      { head: 'longest', ...number },
    ],
    tools.map(({ name, calls, failed, elapsedMs, longestMs }) => [
      ...[name, String(calls), failed === 0 ? '' : String(failed)],
      ...[formatElapsed(elapsedMs), formatElapsed(longestMs)],
    ]),
  );
}

function questionWords({ asked, answers, ruled, waitedMs }: Questions): readonly string[] {
  const answered = Object.entries(answers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([how, count]) => `${count} ${visibleLine(how)}`);
  return [
    `${asked} asked`,
    ...answered,
    ...(ruled > 0 ? [`${ruled} let through by a rule`] : []),
    ...(asked > 0 ? [`waited ${formatElapsed(waitedMs)}`] : []),
  ];
}

function troubleLines(trouble: readonly Trouble[]): readonly string[] {
  const shown = trouble.slice(0, MOST_TROUBLE).map(({ tsMs, text }) => `${formatMoment(tsMs)}  ${visible(text).split('\n')[0]}`);
  return trouble.length > MOST_TROUBLE ? [...shown, `and ${trouble.length - MOST_TROUBLE} more`] : shown;
}
