/** The table of the models room: one line for each api. */

import type { Clock } from '../base/clock.js';
import type { Host } from '../base/host.js';
import type { AddressGuard, Fetch, HttpClient } from '../base/http.js';
import type { CatalogueRule } from '../config/catalogue-rules.js';
import { Limits } from '../config/limits.js';
import { type ModelProfile, withEffort } from '../config/profiles.js';
import { defaultSettings, type Settings } from '../config/settings.js';
import type { ModelSummary } from '../protocol/events.js';
import type { CredentialSource } from './auth/credential-source.js';
import type { LoginSettings } from './auth/openai/issuer.js';
import { loadCatalogue, type ModelFacts } from './catalogue.js';
import { createDemoProvider } from './demo/demo.js';
import type { ModelProvider } from './provider.js';
import { createWireProvider, type Protocol, type Tuning } from './wire.js';

/** Loads the protocol of an api; none is loaded before it is used. */
const protocols: Readonly<Record<Exclude<ModelProfile['api'], 'demo'>, () => Promise<Protocol>>> = {
  chat: async () => (await import('./chat.js')).chatProtocol,
  responses: async () => (await import('./responses.js')).responsesProtocol,
  anthropic: async () => (await import('./anthropic.js')).anthropicProtocol,
};

export interface ProviderOptions {
  readonly profile: ModelProfile;
  readonly host: Host;
  readonly clock: Clock;
  /** The defaults when left out. */
  readonly settings?: Pick<Settings, 'network.api_timeout_secs' | 'network.ca_file' | 'agent.temperature' | 'agent.top_p'> & LoginSettings;
  /** What the user knows of models. */
  readonly catalogue?: readonly CatalogueRule[];
  /** For tests; a client with connections of its own when left out. */
  readonly fetch?: Fetch;
  /** Told each key before it is sent: it is a secret from then on. */
  readonly learn?: (key: string) => void;
  /** Of silence and size; those of `settings` when left out. */
  readonly limits?: Limits;
}

const CONNECT_TIMEOUT_MS = 20_000;

/** The profiles as people know them; `own` is what the user knows of models. */
export async function summarize(
  profiles: readonly ModelProfile[],
  host: Host,
  own: readonly CatalogueRule[] = [],
): Promise<readonly ModelSummary[]> {
  const catalogue = profiles.some(({ api }) => api !== 'demo') ? await loadCatalogue(host.packageDir, own) : null;
  return profiles.map((profile) => {
    const facts = profile.api === 'demo' ? null : (catalogue?.facts(profile.model) ?? null);
    return summaryOf(profile, facts);
  });
}

function summaryOf(profile: ModelProfile, facts: ModelFacts | null): ModelSummary {
  const { name, model, api, contextLimit, reasoningEffort } = profile;
  const efforts = facts?.efforts ?? null;
  const images = profile.images ?? facts?.images ?? null;
  return {
    profile: name,
    model,
    api,
    contextTokens: contextLimit ?? facts?.contextTokens ?? 0,
    ...(isPriced(profile) || facts?.isPricedByUser === true ? pricesOf(facts) : {}),
    ...(reasoningEffort === null ? {} : { effort: reasoningEffort }),
    ...(efforts === null ? {} : { efforts }),
    ...(images === null ? {} : { images }),
  };
}

/** The same, and each profile once more for each other level of effort that its model knows: what a person can switch to. */
export async function summarizeWithEfforts(
  profiles: readonly ModelProfile[],
  host: Host,
  own: readonly CatalogueRule[],
): Promise<readonly ModelSummary[]> {
  const summaries = await summarize(profiles, host, own);
  const names = new Set(profiles.map(({ name }) => name));
  return summaries.flatMap((summary) => {
    const others = (summary.efforts ?? []).map((effort) => ({
      ...summary,
      profile: withEffort(summary.profile, effort),
      effort,
      variantOf: summary.profile,
    }));
    return [summary, ...others.filter(({ profile, effort }) => effort !== summary.effort && !names.has(profile))];
  });
}

/** A server of one's own, and a subscription, do not cost what the list says. */
function isPriced({ provider, auth }: ModelProfile): boolean {
  return provider !== 'other' && auth === 'api-key';
}

function pricesOf(facts: ModelFacts | null): Pick<ModelSummary, 'prices'> {
  if (facts === null) return {};
  const { inputPrice: input, outputPrice: output, cacheReadPrice: cacheRead, cacheWritePrice: cacheWrite } = facts;
  if (input === null || output === null) return {};
  const { longPrompt } = facts;
  return { prices: { input, output, cacheRead, cacheWrite, ...(longPrompt === null ? {} : { longPrompt }) } };
}

function tuningFrom(settings: ProviderOptions['settings'], facts: Pick<Tuning, 'contextTokens' | 'maxOutputTokens'>): Tuning {
  return {
    ...facts,
    temperature: settings?.['agent.temperature'] ?? null,
    topP: settings?.['agent.top_p'] ?? null,
  };
}

/** A client that goes through the proxies of the environment and trusts the authorities of `caFile` too. `guard` judges its connections. */
export async function openHttp(caFile: string, host: Host, guard?: AddressGuard): Promise<HttpClient> {
  const path = caFile.replace(/^~(?=\/)/, host.homeDir);
  const authorities =
    path === ''
      ? null
      : await (await import('../base/certificates.js')).authoritiesWith(path, 'network.ca_file', host.env['NODE_EXTRA_CA_CERTS']);
  const { createHttpClient } = await import('../base/http.js');
  return createHttpClient({
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    env: host.env,
    ...(authorities === null ? {} : { authorities }),
    ...(guard === undefined ? {} : { guard }),
  });
}

/** The provider of `profile`. Nothing is connected and no key is read before the first request. */
export async function createProvider({
  profile: given,
  host,
  clock,
  settings,
  catalogue,
  fetch,
  learn,
  limits = new Limits({ ...defaultSettings(), ...settings }),
}: ProviderOptions): Promise<ModelProvider> {
  const known = given.api === 'demo' ? null : (await loadCatalogue(host.packageDir, catalogue)).facts(given.model);
  // A model that does not think refuses to be told how much.
  const profile: ModelProfile = known?.efforts?.length === 0 ? { ...given, reasoningEffort: null } : given;
  const summary = summaryOf(profile, known);
  if (profile.api === 'demo') return createDemoProvider(summary, clock);
  const protocol = await protocols[profile.api]();
  // Only the messages protocol insists on a limit for the answer.
  const maxOutputTokens = profile.api === 'anthropic' ? (known?.maxOutputTokens ?? null) : null;
  const facts = { contextTokens: summary.contextTokens, maxOutputTokens };
  const ownFetch = fetch ?? (await openHttp(settings?.['network.ca_file'] ?? '', host)).fetch;
  const wire = {
    profile,
    summary,
    host,
    clock,
    limits,
    tuning: tuningFrom(settings, facts),
    fetch: ownFetch,
    ...(learn === undefined ? {} : { learn }),
  };
  const source = await sourceFor(profile, host, { fetch: ownFetch, clock, settings: settings ?? {} });
  if (source === null) return createWireProvider(protocol, wire);
  const { createRenewingProvider } = await import('./auth/renewing-provider.js');
  return createRenewingProvider(summary, source, ({ key, baseUrl }, wrap) =>
    createWireProvider(protocol, {
      ...wire,
      key,
      fetch: wrap(ownFetch),
      profile: { ...profile, baseUrl: baseUrl ?? profile.baseUrl },
      // The server behind a login takes neither.
      tuning: profile.auth === 'login' ? { ...wire.tuning, temperature: null, topP: null } : wire.tuning,
    }),
  );
}

/** Where credentials come from that can be had anew; null for those that are as they are. */
async function sourceFor(
  profile: ModelProfile,
  host: Host,
  { fetch, clock, settings }: { readonly fetch: Fetch; readonly clock: Clock; readonly settings: LoginSettings },
): Promise<CredentialSource | null> {
  if (profile.key?.kind === 'command') return (await import('./auth/command-source.js')).createCommandSource(profile, host);
  if (profile.auth !== 'login' || profile.key !== null) return null;
  const { issuerFrom } = await import('./auth/openai/issuer.js');
  const { LoginSource } = await import('./auth/openai/login-source.js');
  return new LoginSource(host, { issuer: issuerFrom(settings), fetch, clock }, profile);
}
