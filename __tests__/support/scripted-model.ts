/** A model that says what the test wrote, and remembers what it was asked. */

import { abortError } from '../../lib/base/errors.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../../lib/models/provider.js';
import type { ModelSummary } from '../../lib/protocol/events.js';
import type { ToolCall, Usage } from '../../lib/protocol/messages.js';

/** One answer: deltas to stream, then its end. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ToolCall[];
  /** Thrown after the text was streamed, or at once when there is none. */
  readonly error?: Error;
  /** Never ends until the signal fires. */
  readonly hangs?: boolean;
  readonly usage?: Usage;
}

export const scriptedSummary: ModelSummary = { profile: 'scripted', model: 'scripted-1', api: 'chat', contextTokens: 100_000 };

/** Gives the answers in order, then "done." for ever. */
export function scriptedModel(answers: readonly ScriptedAnswer[], summary: ModelSummary = scriptedSummary) {
  const requests: ModelRequest[] = [];
  const left = [...answers];
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta> {
    requests.push(structuredClone(request));
    const answer = left.shift() ?? { text: 'done.' };
    if (answer.reasoning !== undefined) yield { type: 'reasoning', text: answer.reasoning };
    if (answer.text !== undefined) yield { type: 'text', text: answer.text };
    if (answer.error !== undefined) throw answer.error;
    if (answer.hangs === true) {
      await new Promise<void>((_resolve, reject) => {
        if (signal.aborted) reject(abortError());
        signal.addEventListener('abort', () => reject(abortError()), { once: true });
      });
    }
    const calls = answer.calls ?? [];
    yield {
      type: 'done',
      message: { role: 'assistant', text: answer.text ?? '', reasoning: answer.reasoning ?? '', calls, extras: {}, incomplete: false },
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
      raw: null,
      usage: answer.usage ?? null,
    };
  }
  const provider: ModelProvider = { summary, stream };
  return { provider, requests };
}

/** A call of run_shell with the metadata it needs. */
export function shellCall(id: string, command: string, more: Readonly<Record<string, unknown>> = {}): ToolCall {
  const args = { command, risk: 'low', mutation: false, privesc: false, why: 'to look', ...more };
  return { id, name: 'run_shell', argsText: JSON.stringify(args) };
}
