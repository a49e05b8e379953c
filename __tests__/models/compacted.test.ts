/** What is sent after compactions is what every protocol accepts, with the summary in it. */

import { anthropicProtocol } from '../../lib/models/anthropic.js';
import { chatProtocol } from '../../lib/models/chat.js';
import { responsesProtocol } from '../../lib/models/responses.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { scriptedSummary, shellCall } from '../support/scripted-model.js';
import { summarisingModel } from '../support/summarising-model.js';
import { until } from '../support/until.js';
import { profileFor } from './provider-under-test.js';
import { faultOf } from './strict-requests.js';

const protocols = { chat: chatProtocol, responses: responsesProtocol, anthropic: anthropicProtocol };
const small = { ...scriptedSummary, contextTokens: 8000 };
const tuning = { temperature: null, topP: null, contextTokens: 8000, maxOutputTokens: 1000 };

/** Forty pairs of calls, a third of them without a word beside; every other summary is empty. */
const answers = Array.from({ length: 40 }, (_, n) => ({
  ...(n % 3 === 0 ? {} : { text: `Step ${n}.` }),
  calls: [shellCall(`c${n}a`, `step ${n}`), shellCall(`c${n}b`, `step ${n} again`)],
}));
const summaries = Array.from({ length: 40 }, (_, n) => ({ text: n % 2 === 0 ? `Part ${n} is done.` : '' }));

test.each(['chat', 'responses', 'anthropic'] as const)(
  '%s: no strict server finds a fault in forty turns over many compactions',
  async (api) => {
    const model = summarisingModel(answers, summaries, small);
    const bench = await startRuntime(
      [],
      fakeTarget(() => exited('x'.repeat(900)), { screen: '$ ' }),
      { policy: { kind: 'all' }, profiles: [small], maxIterations: 60, openModel: () => Promise.resolve(model.provider) },
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'do all of it' });
    const ended = await until('the prompt has ended', () => bench.find('task.ended').find(({ task }) => task === '1'));
    expect(ended.outcome).toBe('completed');
    const compacted = bench.find('context.compacted');
    expect(compacted.filter(({ trimmed }) => trimmed === true).length).toBeGreaterThan(0);
    expect(compacted.filter(({ trimmed }) => trimmed !== true).length).toBeGreaterThan(0);
    const profile = profileFor(api, 'http://127.0.0.1:9/v1');
    const bodies = [...model.requests, ...model.summaryRequests].map((request) => protocols[api].body(request, profile, tuning));
    expect(bodies.map((body) => faultOf(api, body)).filter((fault) => fault !== null)).toEqual([]);
    expect(bodies.filter((body) => JSON.stringify(body).includes('<earlier-conversation>')).length).toBeGreaterThan(20);
    expect(bodies.every((body) => !JSON.stringify(body).includes('"recap"'))).toBe(true);
  },
);
