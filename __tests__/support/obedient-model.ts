/** A model that does whatever it reads: the worst that a page can make of one. */

import type { ModelDelta, ModelProvider, ModelRequest } from '../../lib/models/provider.js';
import type { ToolCall } from '../../lib/protocol/messages.js';
import { scriptedSummary } from './scripted-model.js';

/** The calls that a text asks for; none ends the turn. */
export type Obey = (text: string, nth: number) => readonly ToolCall[];

/** Begins with `first`; then makes the calls that the newest result asks for, as `obey` reads it. */
export function obedientModel(first: readonly ToolCall[], obey: Obey) {
  const requests: ModelRequest[] = [];
  async function* stream(request: ModelRequest): AsyncIterable<ModelDelta> {
    requests.push(structuredClone(request));
    const nth = requests.length;
    const newest = request.messages.findLast(({ role }) => role === 'tool');
    const calls = nth === 1 ? first : newest === undefined ? [] : obey(newest.text, nth);
    yield {
      type: 'done',
      message: { role: 'assistant', text: calls.length > 0 ? '' : 'done', reasoning: '', calls, extras: {}, incomplete: false },
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
      raw: null,
      usage: null,
    };
  }
  const provider: ModelProvider = { summary: scriptedSummary, stream };
  return { provider, requests };
}
