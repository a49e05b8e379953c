/** The whole runtime before a strict server: real providers over a real socket, a fake target behind the tools, time that the test moves. */

import { createHttpClient, type Fetch } from '../../../lib/base/http.js';
import type { ModelProfile } from '../../../lib/config/profiles.js';
import { createProvider } from '../../../lib/models/index.js';
import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import { modelHost, profileFor } from '../../models/provider-under-test.js';
import type { Api } from '../../models/spoken.js';
import { FakeClock } from '../fake-clock.js';
import { fakeTarget } from '../fake-target.js';
import { startRuntime } from '../runtime-bench.js';
import type { Json } from './rules.js';
import type { StrictServer } from './server.js';

/** A model of the strict server. */
export interface ServedModel extends Partial<ModelProfile> {
  readonly name: string;
  readonly api: Api;
  readonly contextTokens?: number;
}

/** One of each protocol, as the journeys use them. */
export const oneOfEach: readonly ServedModel[] = [
  { name: 'chat', api: 'chat', provider: 'openai', model: 'gpt-4.1' },
  { name: 'responses', api: 'responses', provider: 'openai', model: 'gpt-5', reasoningEffort: 'medium' },
  { name: 'anthropic', api: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-4-5', reasoningEffort: 'low' },
];

const IDLE_SECS = 3600;

/** A target whose screen is shown with each request, as that of a real one is. */
export function targetWithScreen(run?: Parameters<typeof fakeTarget>[0]) {
  return fakeTarget(run, { screen: 'ann@web-01:/srv$ ' });
}

/** Starts a runtime whose models are served by `server`; the first of `models` is used. `onRequest` sees each body before it goes out. */
export async function startSession(
  server: Pick<StrictServer, 'baseUrl'>,
  models: readonly ServedModel[],
  fake: ReturnType<typeof fakeTarget> = targetWithScreen(),
  more: Parameters<typeof startRuntime>[2] = {},
  onRequest: (body: Json) => void = () => undefined,
) {
  const clock = new FakeClock();
  const http = createHttpClient({ connectTimeoutMs: 10_000 });
  const fetch: Fetch = (input, init) => {
    onRequest(JSON.parse(String(init?.body)) as Json);
    return http.fetch(input, init);
  };
  const settings = {
    'network.api_timeout_secs': IDLE_SECS,
    'network.ca_file': '',
    'agent.temperature': null,
    'agent.top_p': null,
  };
  const profiles = models.map(({ contextTokens = 200_000, ...of }) => {
    const provider = of.provider ?? 'other';
    const profile: ModelProfile = profileFor(of.api, server.baseUrl(provider), { ...of, provider, contextLimit: contextTokens });
    return { profile, summary: { profile: of.name, model: profile.model, api: of.api, contextTokens } };
  });
  const bench = await startRuntime([], fake, {
    clock,
    profiles: profiles.map(({ summary }) => summary),
    profile: models[0]?.name ?? '',
    async openModel(name) {
      const found = profiles.find(({ profile }) => profile.name === name);
      if (found === undefined) throw new Error(`no model ${name}`);
      return createProvider({ profile: found.profile, host: modelHost(), clock, settings, fetch });
    },
    ...more,
  });
  /** What waits for the next event of a type. */
  const waiting = new Set<(event: RuntimeEvent) => void>();
  bench.runtime.onEvent(({ event }) => {
    for (const told of [...waiting]) told(event);
    // Waits between tries pass at once, as soon as they have begun.
    if (event.type === 'model.retrying') setImmediate(() => void clock.advance(event.atMs - clock.now()));
  });
  /** Resolves with the next event of that type that fits. */
  const next = <T extends RuntimeEvent['type']>(type: T, fits: (event: Extract<RuntimeEvent, { type: T }>) => boolean = () => true) =>
    new Promise<Extract<RuntimeEvent, { type: T }>>((resolve) => {
      const told = (event: RuntimeEvent) => {
        if (event.type !== type || !fits(event as Extract<RuntimeEvent, { type: T }>)) return;
        waiting.delete(told);
        resolve(event as Extract<RuntimeEvent, { type: T }>);
      };
      waiting.add(told);
    });
  return {
    ...bench,
    clock,
    next,
    /** Sends a prompt and resolves with how its task ended; there may be others meanwhile. */
    prompt(text: string) {
      let task: string | null = null;
      void next('task.started', ({ kind, text: of }) => kind === 'prompt' && of === text).then((event) => {
        task = event.task;
      });
      const ended = next('task.ended', (event) => event.task === task);
      bench.runtime.send({ type: 'prompt.submit', text });
      return ended;
    },
    async close() {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
      await http.close();
    },
  };
}
