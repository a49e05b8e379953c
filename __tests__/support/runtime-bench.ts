/** A runtime on a scripted model and a fake target, with its events written down. */

import { Limits } from '../../lib/config/limits.js';
import { defaultSettings } from '../../lib/config/settings.js';
import { defaultDenylist } from '../../lib/policy/shell-command.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { CompactionSettings } from '../../lib/runtime/compactor.js';
import { Runtime } from '../../lib/runtime/runtime.js';
import type { RuntimeOptions } from '../../lib/runtime/runtime-options.js';
import { tools } from '../../lib/tools/all.js';
import { FakeClock } from './fake-clock.js';
import { fakeTarget } from './fake-target.js';
import { type ScriptedAnswer, scriptedModel, scriptedSummary } from './scripted-model.js';
import { until } from './until.js';

/** Compaction as it is when nothing is configured, but for the prompt. */
export const usualCompaction: CompactionSettings = {
  auto: true,
  profile: '',
  keepTokens: 20_000,
  startPercent: 90,
  instructions: (wishes, words) => `Summarise in ${words} words. ${wishes}`,
};

/** Builds and starts one; `more` overrides any option. */
export async function startRuntime(
  answers: readonly ScriptedAnswer[],
  fake: ReturnType<typeof fakeTarget> = fakeTarget(),
  { maxIterations = 20, ...more }: Partial<RuntimeOptions> & { readonly maxIterations?: number } = {},
) {
  const clock = new FakeClock();
  const { provider, requests } = scriptedModel(answers);
  const other = { ...scriptedSummary, profile: 'other', model: 'other-1' };
  const runtime = new Runtime({
    clock,
    version: '0.0.0',
    agent: 'test',
    target: fake.target,
    tools,
    profiles: [scriptedSummary, other],
    profile: 'scripted',
    policy: { kind: 'ask' },
    interactive: true,
    compaction: usualCompaction,
    review: { denylist: defaultDenylist, allowedPaths: [], homeDir: '/home/ann', confirmShell: true },
    openModel: () => Promise.resolve(provider),
    instructions: (names) => `You have ${names.join(', ')}.`,
    newSessionId: () => 's1',
    limits: new Limits({ ...defaultSettings(), 'agent.max_iterations': maxIterations }),
    ...more,
  });
  const events: RuntimeEvent[] = [];
  const seqs: number[] = [];
  runtime.onEvent((envelope) => {
    events.push(envelope.event);
    seqs.push(envelope.seq);
  });
  await runtime.start();
  const find = <T extends RuntimeEvent['type']>(type: T) =>
    events.filter((event): event is Extract<RuntimeEvent, { type: T }> => event.type === type);
  return {
    runtime,
    clock,
    events,
    seqs,
    requests,
    fake,
    find,
    /** The types of all events so far, without metrics, for whole-list assertions. */
    types: () => events.map((event) => event.type).filter((type) => type !== 'metrics.context'),
    /** Resolves when an event of that type has come `count` times. */
    seen: (type: RuntimeEvent['type'], count = 1) =>
      until(`${type} came ${count} times`, () => events.filter((event) => event.type === type).length >= count),
    /** Answers the newest question. */
    answer(decision: 'once' | 'session' | 'deny', feedback?: string) {
      const request = find('approval.requested').at(-1)?.request;
      runtime.send({
        type: 'approval.answer',
        approval: request?.id ?? '',
        decision,
        ...(feedback === undefined ? {} : { feedback }),
      });
    },
  };
}
