/** A level of effort from the command of a person to the bytes that the server gets, in each protocol. */

import { type ModelProfile, profileNamed } from '../../lib/config/profiles.js';
import { summarizeWithEfforts } from '../../lib/models/index.js';
import type { RuntimeCommand } from '../../lib/protocol/commands.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { modelHost, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';
import { type Api, eventsOf } from './spoken.js';

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer();
});
afterAll(() => server.close());

/** A runtime on a real provider of this server, with the levels that the catalogue gives the model. */
async function onServer(api: Api, more: Partial<ModelProfile>) {
  const profiles = [profileFor(api, server.baseUrl, { name: 'thinker', ...more }), profileFor(api, server.baseUrl, { name: 'plain' })];
  const opened: Awaited<ReturnType<typeof openProvider>>[] = [];
  const bench = await startRuntime([], fakeTarget(), {
    profiles: await summarizeWithEfforts(profiles, modelHost(), [
      { pattern: 'some-model', context_window: 100_000 },
      { pattern: 'dull-model', context_window: 100_000, efforts: [] },
    ]),
    profile: 'thinker',
    async openModel(name) {
      const profile = profileNamed(name, profiles);
      if (profile === null) throw new Error(`no profile ${name}`);
      const under = await openProvider(profile);
      opened.push(under);
      return under.provider;
    },
  });
  let prompts = 0;
  return {
    ...bench,
    /** The body of the request for a prompt. */
    async asked() {
      server.script({ body: eventsOf(api, { text: ['so'] }).join('') });
      bench.runtime.send({ type: 'prompt.submit', text: 'think' });
      prompts++;
      await bench.seen('task.ended', prompts);
      expect(bench.find('task.ended').at(-1)).toMatchObject({ outcome: 'completed' });
      return server.seen.at(-1)?.json ?? {};
    },
    async close() {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
      for (const { http } of opened) await http.close();
    },
  };
}

const level = (effort: string, profile = 'thinker'): RuntimeCommand => ({ type: 'model.switch', profile, effort });

test.each([
  {
    api: 'chat',
    profile: { model: 'gpt-5.3-codex', provider: 'openai' },
    low: { reasoning_effort: 'low' },
    high: { reasoning_effort: 'high' },
  },
  {
    api: 'responses',
    profile: { model: 'gpt-5.3-codex', provider: 'openai' },
    low: { reasoning: { effort: 'low', summary: 'auto' } },
    high: { reasoning: { effort: 'high', summary: 'auto' } },
  },
  {
    api: 'anthropic',
    profile: { model: 'claude-opus-4-6', provider: 'anthropic' },
    low: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    high: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  },
] as const)('$api: the request after the switch carries it, and one back to the profile does not', async ({ api, profile, low, high }) => {
  const bench = await onServer(api, profile);
  const keys = Object.keys(high);
  for (const key of keys) expect(await bench.asked()).not.toHaveProperty(key);
  bench.runtime.send(level('low'));
  expect(await bench.asked()).toMatchObject(low);
  bench.runtime.send(level('high', 'thinker:low'));
  expect(await bench.asked()).toMatchObject(high);
  bench.runtime.send({ type: 'model.switch', profile: 'thinker' });
  for (const key of keys) expect(await bench.asked()).not.toHaveProperty(key);
  expect(bench.find('model.switched').map(({ model }) => [model.profile, model.effort])).toEqual([
    ['thinker:low', 'low'],
    ['thinker:high', 'high'],
    ['thinker', undefined],
  ]);
  await bench.close();
});

test('refused with the levels that there are, and then nothing has changed', async () => {
  const bench = await onServer('responses', { model: 'gpt-5.3-codex', provider: 'openai' });
  bench.runtime.send(level('low'));
  bench.runtime.send(level('much'));
  bench.runtime.send(level('low', 'plain'));
  bench.runtime.send(level('low', 'nobody'));
  expect(await bench.asked()).toMatchObject({ model: 'gpt-5.3-codex', reasoning: { effort: 'low' } });
  expect(bench.find('command.refused').map(({ reason }) => reason)).toEqual([
    'thinker (gpt-5.3-codex) cannot be told to think "much": it knows none, low, medium, high, xhigh',
    'how much plain (some-model) can be told to think is not known: say so with efforts in [[models_catalog]], or set reasoning_effort in its profile',
    'there is no model profile "nobody"',
  ]);
  await bench.close();
  const dull = await onServer('chat', { model: 'dull-model' });
  dull.runtime.send(level('low'));
  await dull.asked();
  expect(dull.find('command.refused').map(({ reason }) => reason)).toEqual(['thinker (dull-model) cannot be told how much to think']);
  await dull.close();
});

test('another effort of the same model keeps what was allowed; another model does not', async () => {
  const bench = await onServer('chat', { model: 'gpt-5.3-codex', provider: 'openai' });
  bench.runtime.send({ type: 'approval.policy', policy: { kind: 'until', untilMs: bench.clock.now() + 60_000 } });
  bench.runtime.send(level('high'));
  await bench.seen('model.switched', 1);
  expect(bench.find('approval.policy').at(-1)?.policy.kind).toBe('until');
  bench.runtime.send({ type: 'model.switch', profile: 'plain' });
  await bench.seen('model.switched', 2);
  expect(bench.find('approval.policy').at(-1)?.policy.kind).toBe('ask');
  await bench.close();
});
