/** The offline demonstration: a real ModelProvider without a model, so that everything can be tried with no key. */

import { type Clock, delay } from '../../base/clock.js';
import { abortError } from '../../base/errors.js';
import type { ModelSummary } from '../../protocol/events.js';
import type { AssistantMessage, ToolCall } from '../../protocol/messages.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../provider.js';
import { reportOn } from './report.js';
import { type DemoCall, HELP, planFor } from './requests.js';
import { freshResults, spoken } from './results.js';
import { summaryFor } from './summary.js';

/** Pause between two words. */
const PACE_MS = 3;

interface Answer {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly DemoCall[];
}

function answerTo(request: ModelRequest): Answer {
  const messages = spoken(request.messages);
  const results = freshResults(messages);
  const last = messages.at(-1);
  if (results.length > 0 && last?.role !== 'user') return { reasoning: '', text: results.map(reportOn).join('\n\n'), calls: [] };
  const summary = request.tools.length === 0 ? summaryFor(last?.text ?? '') : null;
  if (summary !== null) return { reasoning: '', text: summary, calls: [] };
  const plan = planFor(messages.findLast((message) => message.role === 'user')?.text ?? '');
  if (plan === null) return { reasoning: '', text: HELP, calls: [] };
  const offered = new Set(request.tools.map((tool) => tool.name));
  const missing = plan.calls.find(({ tool }) => !offered.has(tool));
  if (missing !== undefined)
    return { reasoning: plan.thought, text: `That needs the tool \`${missing.tool}\`, which is not available here.`, calls: [] };
  return { reasoning: plan.thought, text: plan.text, calls: plan.calls };
}

function numbered(calls: readonly DemoCall[], { messages }: ModelRequest): readonly ToolCall[] {
  const before = messages.reduce((sum, message) => sum + (message.role === 'assistant' ? message.calls.length : 0), 0);
  return calls.map(({ tool, args }, index) => ({ id: `demo_${before + index + 1}`, name: tool, argsText: JSON.stringify(args) }));
}

/** A provider that answers by rules, word by word. `stream` rejects with an AbortError as soon as its signal fires. */
export function createDemoProvider(summary: ModelSummary, clock: Clock): ModelProvider {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (signal.aborted) throw abortError();
    const { reasoning, text, calls } = answerTo(request);
    if (reasoning !== '') yield { type: 'reasoning', text: reasoning };
    for (const word of text.match(/\s*\S+\s*/g) ?? []) {
      await delay(clock, PACE_MS, signal);
      yield { type: 'text', text: word };
    }
    const message: AssistantMessage = {
      role: 'assistant',
      text,
      reasoning,
      calls: numbered(calls, request),
      extras: {},
      incomplete: false,
    };
    yield {
      type: 'done',
      message,
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
      raw: null,
      // There is no server that counts.
      usage: null,
    };
  }
  return { summary, stream };
}
