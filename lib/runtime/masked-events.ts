/**
 * What happened, as it may be shown, written and told: without secrets, also where the pieces of an answer or of an output part one. What a
 * person decides on (approvals, the call itself) and what they wrote stays as it is: they must see exactly that.
 */

import type { Secrets } from '../policy/redaction.js';
import { StreamedRedaction } from '../policy/streamed-redaction.js';
import type { RuntimeEvent } from '../protocol/events.js';

type Piece = Extract<RuntimeEvent, { readonly type: 'model.text' | 'model.reasoning' | 'tool.output' }>;

/** A text of which pieces have come, and the last of them. */
interface Open {
  readonly redaction: StreamedRedaction;
  last: Piece;
}

/** Gives for each event, in order, those to be told now: what is held back comes before whatever else its task tells. */
export function maskedEvents(secrets: Secrets): (event: RuntimeEvent) => readonly RuntimeEvent[] {
  const open = new Map<string, Open>();

  const end = (task: string, but: string | null): readonly RuntimeEvent[] =>
    [...open].flatMap(([key, { redaction, last }]) => {
      if (last.task !== task || key === but) return [];
      open.delete(key);
      return pieceOf(last, redaction.end());
    });

  return (event) => {
    if (isPiece(event)) {
      const key = `${event.task} ${event.type} ${'call' in event ? event.call : ''}`;
      // Calls run side by side; thoughts and words of one answer come one after the other.
      const before = event.type === 'tool.output' ? [] : end(event.task, key);
      const text = open.get(key) ?? { redaction: new StreamedRedaction(secrets), last: event };
      open.set(key, text);
      text.last = event;
      return [...before, ...pieceOf(event, text.redaction.push(event.text))];
    }
    const task = 'task' in event ? event.task : null;
    return [...(task === null ? [] : end(task, null)), masked(event, secrets.redact)];
  };
}

function isPiece(event: RuntimeEvent): event is Piece {
  return event.type === 'model.text' || event.type === 'model.reasoning' || event.type === 'tool.output';
}

function pieceOf(event: Piece, text: string): readonly RuntimeEvent[] {
  return text === '' ? [] : [text === event.text ? event : { ...event, text }];
}

function masked(event: RuntimeEvent, redact: (text: string) => string): RuntimeEvent {
  switch (event.type) {
    case 'model.answered': {
      const { text, reasoning } = event.message;
      return { ...event, message: { ...event.message, text: redact(text), reasoning: redact(reasoning) } };
    }
    case 'tool.ended':
      return { ...event, text: redact(event.text), summary: redact(event.summary) };
    case 'task.progress':
      return { ...event, lastLine: redact(event.lastLine) };
    case 'task.output':
      return { ...event, output: { ...event.output, text: redact(event.output.text) } };
    case 'task.ended': {
      const { error } = event;
      if (error === null) return event;
      return { ...event, error: { ...error, message: redact(error.message), hint: error.hint === null ? null : redact(error.hint) } };
    }
    case 'command.refused':
    case 'model.retrying':
      return { ...event, reason: redact(event.reason) };
    case 'session.storage':
      return event.trouble === null ? event : { ...event, trouble: redact(event.trouble) };
    case 'mcp.told':
      return {
        ...event,
        servers: event.servers.map((of) => ({ ...of, how: redact(of.how), why: redact(of.why), held: of.held.map(redact) })),
      };
    case 'mcp.logged':
      return { ...event, lines: event.lines.map(redact) };
    case 'widget.shown': {
      const { widget } = event;
      return widget === null ? event : { ...event, widget: { ...widget, title: redact(widget.title), lines: widget.lines.map(redact) } };
    }
    case 'notice':
    case 'warning':
    case 'error':
      return { ...event, message: redact(event.message) };
    default:
      return event;
  }
}
