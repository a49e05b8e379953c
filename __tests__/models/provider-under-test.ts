/** Providers and requests for the tests of this room. */

import type { Clock } from '../../lib/base/clock.js';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { createHttpClient, type Fetch, type HttpClient } from '../../lib/base/http.js';
import type { Limits } from '../../lib/config/limits.js';
import { demoProfile, type ModelProfile } from '../../lib/config/profiles.js';
import { createProvider } from '../../lib/models/index.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../../lib/models/provider.js';
import type { Message } from '../../lib/protocol/messages.js';

/** The parts of a host that models look at. */
export function modelHost(env: Readonly<Record<string, string>> = {}): Host {
  return {
    env,
    homeDir: '/nonexistent',
    cwd: '/nonexistent',
    packageDir: process.cwd(),
    version: '0.0.0-test',
    pid: process.pid,
    hostname: 'here',
    uid: null,
    clock: systemClock,
  } as unknown as Host;
}

export function profileFor(api: 'chat' | 'responses' | 'anthropic', baseUrl: string, more: Partial<ModelProfile> = {}): ModelProfile {
  return { ...demoProfile, name: 'test', api, baseUrl, model: 'some-model', key: { kind: 'literal', value: 'key-0123456789' }, ...more };
}

export interface UnderTest {
  readonly provider: ModelProvider;
  readonly http: HttpClient;
}

/** A provider with a client that the test closes. */
export async function openProvider(
  profile: ModelProfile,
  more: {
    readonly clock?: Clock;
    readonly host?: Host;
    readonly timeoutSecs?: number;
    readonly fetch?: Fetch;
    readonly limits?: Limits;
  } = {},
): Promise<UnderTest> {
  const http = createHttpClient({ connectTimeoutMs: 10_000 });
  const provider = await createProvider({
    profile,
    host: more.host ?? modelHost(),
    clock: more.clock ?? systemClock,
    settings: {
      'network.api_timeout_secs': more.timeoutSecs ?? 120,
      'network.ca_file': '',
      'agent.temperature': null,
      'agent.top_p': null,
    },
    fetch: more.fetch ?? http.fetch,
    ...(more.limits === undefined ? {} : { limits: more.limits }),
  });
  return { provider, http };
}

export function ask(...messages: readonly Message[]): ModelRequest {
  return {
    instructions: 'Be brief.',
    messages: messages.length === 0 ? [{ role: 'user', text: 'hello' }] : messages,
    tools: [
      { name: 'run_shell', description: 'Runs a command.', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
    ],
    session: 'session-1',
  };
}

export type Done = Extract<ModelDelta, { type: 'done' }>;

export interface Collected {
  readonly deltas: readonly ModelDelta[];
  readonly done: Done;
  readonly text: string;
  readonly reasoning: string;
}

/** Reads an answer to its end; throws what the provider throws, and when `done` is not the one last delta. */
export async function collect(provider: ModelProvider, request: ModelRequest, signal = new AbortController().signal): Promise<Collected> {
  const deltas: ModelDelta[] = [];
  for await (const delta of provider.stream(request, signal)) deltas.push(delta);
  const dones = deltas.filter((delta) => delta.type === 'done');
  const done = deltas.at(-1);
  if (dones.length !== 1 || done?.type !== 'done')
    throw new Error(`expected one done, last; got ${deltas.map(({ type }) => type).join(' ')}`);
  const sum = (kind: 'text' | 'reasoning') => deltas.map((delta) => (delta.type === kind ? delta.text : '')).join('');
  return { deltas, done, text: sum('text'), reasoning: sum('reasoning') };
}
