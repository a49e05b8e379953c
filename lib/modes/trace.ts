/** trace: what a recorded run comes to, printed. The first line that is no line of a trace ends it (exit code 2). */

import { BuddyError, exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { jsonLine } from '../base/json-line.js';
import type { Invocation } from '../cli-options.js';
import { ContextCounter, contextLines } from './trace-context.js';
import { strictLines } from './trace-file.js';
import { SummaryCounter, summaryLines } from './trace-summary.js';
import { eventOfTurn, type TurnEvent, turnLines } from './trace-turn.js';
import { TurnCounter } from './trace-turns.js';

type TraceRequest = Extract<Invocation, { kind: 'trace' }>;

/** Resolves with the exit code when all is printed. Throws `trace.open`, `trace.line`, `trace.turn`; nothing was printed then. */
export async function trace(host: Host, request: TraceRequest): Promise<number> {
  host.stdout.on('error', () => undefined);
  const { lines, found } = await viewOf(request);
  host.stdout.write(request.json ? `${jsonLine(found)}\n` : `${lines.join('\n')}\n`);
  return exitCodes.ok;
}

async function viewOf({ view, file, turn }: TraceRequest): Promise<{ readonly lines: readonly string[]; readonly found: unknown }> {
  switch (view) {
    case 'summary': {
      const counter = new SummaryCounter();
      for await (const line of strictLines(file)) counter.take(line);
      const summary = counter.summary();
      return { lines: summaryLines(summary), found: summary };
    }
    case 'context-evolution': {
      const counter = new ContextCounter();
      for await (const line of strictLines(file)) counter.take(line);
      return { lines: contextLines(counter.steps), found: counter.steps };
    }
    case 'replay':
      return turnOf(file, turn ?? 1);
  }
}

async function turnOf(file: string, wanted: number): Promise<{ readonly lines: readonly string[]; readonly found: unknown }> {
  const counter = new TurnCounter();
  const events: TurnEvent[] = [];
  for await (const line of strictLines(file)) {
    const before = counter.turns[wanted - 1]?.endMs;
    counter.take(line);
    const turn = counter.turns[wanted - 1];
    // The line that begins it and the one that ends it belong to it.
    const event = turn !== undefined && (turn.endMs === null || before === null) ? eventOfTurn(line) : null;
    if (event !== null) events.push(event);
  }
  const turn = counter.turns[wanted - 1];
  if (turn === undefined) {
    const count = counter.turns.length;
    const has = count === 0 ? 'no turns' : count === 1 ? 'one turn' : `${count} turns`;
    throw new BuddyError('trace.turn', `there is no turn ${wanted}: the trace has ${has}`);
  }
  return { lines: turnLines(turn, counter.turns.length, events), found: { ...turn, events } };
}
