/** A scripted model that is asked for summaries as well, and answers those by a script of their own. */

import type { ModelProvider } from '../../lib/models/provider.js';
import type { ModelSummary } from '../../lib/protocol/events.js';
import { type ScriptedAnswer, scriptedModel, scriptedSummary } from './scripted-model.js';

/** A request without tools asks for a summary. */
export function summarisingModel(
  answers: readonly ScriptedAnswer[],
  summaries: readonly ScriptedAnswer[],
  summary: ModelSummary = scriptedSummary,
) {
  const talk = scriptedModel(answers, summary);
  const write = scriptedModel(summaries, summary);
  const provider: ModelProvider = {
    summary,
    stream: (request, signal) => (request.tools.length === 0 ? write : talk).provider.stream(request, signal),
  };
  return { provider, requests: talk.requests, summaryRequests: write.requests };
}
