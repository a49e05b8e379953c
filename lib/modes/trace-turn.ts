/** One turn of a trace as lines that a person reads: what was said, asked, run and answered, and when. Pure. */

import { formatElapsed, formatMoment } from '../base/duration.js';
import { visible, visibleLine } from '../base/visible.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { ReadLine } from '../runtime/trace-lines.js';
import { costText, tokenCount, tokensText } from '../view/spent.js';
import { wordsOf } from './plain-words.js';
import type { TracedTurn } from './trace-turns.js';

const TIME_CELLS = 9;

/** One event of the turn. */
export interface TurnEvent {
  readonly tsMs: number;
  readonly event: RuntimeEvent;
}

/** The event of a line when it belongs to a turn that goes on: all that happens meanwhile, but for what only the screen needs. */
export function eventOfTurn(line: ReadLine): TurnEvent | null {
  if (line.kind !== 'event') return null;
  const event = line.event as RuntimeEvent;
  return event.type === 'pane.screen' || event.type === 'pane.scrollback' ? null : { tsMs: line.tsMs, event };
}

/** `turns`: how many there are in the trace. */
export function turnLines(turn: TracedTurn, turns: number, events: readonly TurnEvent[]): readonly string[] {
  const { number, startMs, endMs, outcome, spent } = turn;
  const cost = costText(spent);
  const facts = [
    formatMoment(startMs),
    outcome === null || endMs === null ? 'not ended within the trace' : `${outcome} after ${formatElapsed(endMs - startMs)}`,
    ...(spent.requests > 0 ? [tokensText(spent)] : []),
    ...(cost === null ? [] : [cost]),
  ];
  return [
    `turn ${number} of ${turns}`,
    facts.join(' · '),
    '',
    ...events.flatMap(({ tsMs, event }) => timed(tsMs - startMs, readable(event, tsMs))),
  ];
}

/** The first line with the time, the others below it. */
function timed(ms: number, words: readonly string[]): readonly string[] {
  // Also what our own events are sure of: in a file nothing is.
  const lines = words.flatMap((text) => visible(text).split('\n'));
  const time = formatElapsed(Math.max(0, ms)).padStart(TIME_CELLS - 2);
  return lines.map((text, at) => `${at === 0 ? time : ' '.repeat(TIME_CELLS - 2)}  ${text}`.trimEnd());
}

/** An event of a file need not have the shape of one: what cannot be said of it is not. */
function readable(event: RuntimeEvent, tsMs: number): readonly string[] {
  try {
    return said(event, tsMs);
  } catch {
    return [`${visibleLine(String(event.type))}: this cannot be read`];
  }
}

function said(event: RuntimeEvent, tsMs: number): readonly string[] {
  switch (event.type) {
    case 'task.started':
      return event.kind === 'prompt' ? [`You: ${visible(event.text)}`] : wordsOf(event, tsMs);
    case 'task.steered':
      return [`You, meanwhile: ${visible(event.text)}`];
    case 'task.ended':
      return [`Ended: ${visibleLine(event.outcome)}`, ...wordsOf(event, tsMs)];
    case 'model.requested':
      return [`Request ${event.iteration}: ~${tokenCount(event.estimatedTokens)} tokens`];
    case 'model.answered': {
      const { reasoning } = event.message;
      return [...(reasoning.trim() === '' ? [] : [`Thought: ${visible(reasoning.trim())}`]), ...wordsOf(event, tsMs)];
    }
    case 'approval.requested': {
      const { title, target, cwd, body } = event.request;
      return [
        `Question: ${visibleLine(title, 'exact')}, on ${visibleLine(target)} in ${visibleLine(cwd, 'exact')}`,
        ...visible(body, 'exact')
          .split('\n')
          .map((line) => `| ${line}`),
      ];
    }
    case 'approval.resolved':
      return event.by === 'user'
        ? [`You said ${event.decision === 'deny' ? 'no' : `yes (${visibleLine(event.decision)})`}`]
        : wordsOf(event, tsMs);
    default:
      return wordsOf(event, tsMs);
  }
}
