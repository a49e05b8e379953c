/** A model whose answers an extension makes, piece by piece, in its thread. */

import { BuddyError } from '../../base/errors.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../../models/provider.js';
import type { ModelSummary } from '../../protocol/events.js';
import type { Message, ToolCall, Usage } from '../../protocol/messages.js';

/** Asks the thread for an answer; `hear` gets JSON texts of pieces, lines of them at a time. Resolves at the end of it. */
export type StreamAnswer = (request: unknown, signal: AbortSignal, hear: (lines: string) => void) => Promise<unknown>;

/** More of one answer is not taken (characters). */
const LARGEST_ANSWER = 4 * 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/** What has come so far. */
interface Come {
  text: string;
  reasoning: string;
  readonly calls: ToolCall[];
  /** Characters of those. */
  called: number;
  usage: Usage | null;
}

/** The provider. */
export function userProvider(summary: ModelSummary, answer: StreamAnswer): ModelProvider {
  return { summary, stream: (request, signal) => deltas(request, answer, signal) };
}

async function* deltas(request: ModelRequest, answer: StreamAnswer, signal: AbortSignal): AsyncIterable<ModelDelta> {
  const come: Come = { text: '', reasoning: '', calls: [], called: 0, usage: null };
  const lines: string[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  let failed: unknown = null;
  const told = { instructions: request.instructions, messages: request.messages.map(toldOf), tools: request.tools };
  // Whoever stops listening ends it: an answer that is given up would go on for ever.
  const over = new AbortController();
  const ended = answer(told, AbortSignal.any([signal, over.signal]), (text) => {
    lines.push(...text.split('\n').filter((line) => line !== ''));
    wake();
  })
    .catch((thrown: unknown) => {
      failed = thrown;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  try {
    for (;;) {
      for (const line of lines.splice(0)) {
        const delta = taken(line, come);
        if (delta !== null) yield delta;
      }
      if (isOver && lines.length === 0) break;
      if (lines.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (isOver) resolve();
        });
    }
  } finally {
    over.abort();
  }
  await ended;
  if (failed !== null) throw failed;
  const { text, reasoning, calls, usage } = come;
  yield {
    type: 'done',
    message: { role: 'assistant', text, reasoning, calls, extras: {}, incomplete: false },
    finish: calls.length > 0 ? 'tool-calls' : 'stop',
    raw: null,
    usage,
  };
}

/** Adds a piece to what has come. Throws `model.extension` for what is none. */
function taken(line: string, come: Come): ModelDelta | null {
  const piece = parsed(line);
  const { text, reasoning, call, usage } = piece;
  if (typeof text === 'string') {
    come.text += text;
    if (come.text.length > LARGEST_ANSWER) throw wrong('an answer that is too long');
    return { type: 'text', text };
  }
  if (typeof reasoning === 'string') {
    come.reasoning += reasoning;
    if (come.reasoning.length > LARGEST_ANSWER) throw wrong('thoughts that are too long');
    return { type: 'reasoning', text: reasoning };
  }
  if (isObject(call) && typeof call['name'] === 'string') {
    const id = `call-${globalThis.crypto.randomUUID()}`;
    const argsText = JSON.stringify(call['args'] ?? {});
    come.called += call['name'].length + argsText.length;
    if (come.called > LARGEST_ANSWER) throw wrong('calls that are too long');
    come.calls.push({ id, name: call['name'], argsText });
    return null;
  }
  const [inputTokens, outputTokens] = isObject(usage) ? [usage['inputTokens'], usage['outputTokens']] : [];
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') throw wrong('a piece that is none');
  come.usage = { inputTokens, outputTokens, cachedTokens: null, reasoningTokens: null };
  return null;
}

function toldOf(message: Message): unknown {
  const { role, text } = message;
  if (message.role === 'assistant') return { role, text, calls: message.calls };
  return message.role === 'tool' ? { role, text, callId: message.callId } : { role, text };
}

function parsed(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw wrong('a piece that is none');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(what: string): BuddyError {
  return new BuddyError('model.extension', `the extension gave ${what}`);
}
