/** What `init` finds: model servers on this machine, keys in the environment, what login has stored. */

import type { Host } from '../base/host.js';
import type { Fetch } from '../base/http.js';
import { CredentialStore } from '../models/auth/credential-store.js';
import { keyFor, loginOf, OPENAI_LOGIN } from '../models/auth/credentials.js';
import { asList, asNumber, asObject, asText, type JsonObject, parseJson } from '../models/json.js';

/** Values of a table `[models.<name>]`, in their order. */
export type ProfileTable = Readonly<Record<string, string | number>>;

/** One model that can be used as things are. */
export interface Finding {
  readonly profile: string;
  /** Where it comes from, for people. */
  readonly says: string;
  readonly table: ProfileTable;
  /** Others that the same server has; the one in `table` is the first. */
  readonly models: readonly string[];
}

/** A server that may run on this machine. */
export interface LocalServer {
  readonly profile: string;
  readonly title: string;
  readonly baseUrl: string;
  /** What is asked for its models. */
  readonly list: string;
  modelsIn(answer: JsonObject): readonly string[];
  /** Where it tells the size of its context, and how; left out: it does not. */
  readonly context?: { readonly url: string; tokensIn(answer: JsonObject): number | null };
}

/** Somebody answers at once on this machine, or not at all. */
const PROBE_MS = 700;
const LARGEST_ANSWER = 1024 * 1024;

const namesUnder = (list: unknown, key: string): readonly string[] => asList(list).map((entry) => asText(asObject(entry)?.[key]));

/** Those with an address that everybody knows. */
export const localServers: readonly LocalServer[] = [
  {
    profile: 'ollama',
    title: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    list: 'http://127.0.0.1:11434/api/tags',
    modelsIn: (answer) => namesUnder(answer['models'], 'name'),
  },
  {
    profile: 'lmstudio',
    title: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    list: 'http://127.0.0.1:1234/v1/models',
    modelsIn: (answer) => namesUnder(answer['data'], 'id'),
  },
  {
    profile: 'llamacpp',
    title: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    list: 'http://127.0.0.1:8080/v1/models',
    // Anything may listen there: only what says that it is llama.cpp counts.
    modelsIn: (answer) =>
      asList(answer['data']).some((entry) => asText(asObject(entry)?.['owned_by']) === 'llamacpp') ? namesUnder(answer['data'], 'id') : [],
    context: {
      url: 'http://127.0.0.1:8080/props',
      tokensIn: (answer) => asNumber(asObject(answer['default_generation_settings'])?.['n_ctx']),
    },
  },
];

/** Providers by the variable that their own documentation names for a key. */
const providers: readonly { readonly profile: string; readonly variable: string; readonly table: ProfileTable }[] = [
  provider('openai', 'OPENAI_API_KEY', 'https://api.openai.com/v1', 'gpt-5.3-codex', 'responses'),
  provider('openrouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1', 'z-ai/glm-5'),
  provider('claude', 'ANTHROPIC_API_KEY', 'https://api.anthropic.com/v1', 'claude-sonnet-5', 'anthropic'),
  provider('gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta/openai', 'gemini-3.1-pro-preview'),
  provider('kimi', 'MOONSHOT_API_KEY', 'https://api.moonshot.ai/v1', 'kimi-k2.6'),
  provider('deepseek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com', 'deepseek-v4-pro'),
  provider('zai', 'ZAI_API_KEY', 'https://api.z.ai/api/paas/v4', 'glm-5.3'),
  provider('mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai/v1', 'devstral-latest'),
  provider('groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1', 'openai/gpt-oss-120b'),
];

function provider(profile: string, variable: string, url: string, model: string, api = 'completions') {
  return { profile, variable, table: { api_base_url: url, api, api_key_env: variable, model } };
}

/** The profile of a login with a ChatGPT account. */
export const chatgptTable: ProfileTable = { api: 'responses', auth: 'login', model: 'gpt-6.2-sol', reasoning_effort: 'medium' };

/** Everything that is found, the most useful first: a login, keys, servers on this machine. Never rejects but with an AbortError. */
export async function findModels(
  host: Host,
  fetch: Fetch,
  servers: readonly LocalServer[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const [stored, ...local] = await Promise.all([storedIn(host), ...servers.map((server) => probe(server, host, fetch, signal))]);
  const login: readonly Finding[] =
    loginOf(stored, OPENAI_LOGIN) === null ? [] : [{ profile: 'chatgpt', says: 'your ChatGPT login', table: chatgptTable, models: [] }];
  const keyed = providers.flatMap(({ profile, variable, table }): readonly Finding[] => {
    const isSet = (host.env[variable] ?? '').trim() !== '';
    if (!isSet && keyFor(stored, String(table['api_base_url'])) === '') return [];
    return [{ profile, says: isSet ? `${variable} is set` : 'its key is stored', table, models: [] }];
  });
  return [...login, ...keyed, ...local.flatMap((finding) => finding ?? [])];
}

async function storedIn(host: Host): Promise<JsonObject> {
  return new CredentialStore(host).read().catch(() => ({}));
}

async function probe(server: LocalServer, host: Host, fetch: Fetch, signal: AbortSignal): Promise<Finding | null> {
  const answer = await ask(server.list, host, fetch, signal);
  // Their names go into a file: nothing but what a name can be.
  const models = answer === null ? [] : server.modelsIn(answer).filter((name) => /^[\x21-\x7e]{1,200}$/.test(name) && !/embed/i.test(name));
  const [model] = models;
  if (model === undefined) return null;
  const told = server.context === undefined ? null : await ask(server.context.url, host, fetch, signal);
  const tokens = told === null ? null : (server.context?.tokensIn(told) ?? null);
  const context = tokens === null || !Number.isInteger(tokens) || tokens < 1 ? {} : { context_limit: tokens };
  return {
    profile: server.profile,
    says: `${server.title} runs on this machine`,
    table: { api_base_url: server.baseUrl, api: 'completions', model, ...context },
    models,
  };
}

/** The object at `url`; null when there is none, or nobody answers in time. */
async function ask(url: string, { clock }: Host, fetch: Fetch, signal: AbortSignal): Promise<JsonObject | null> {
  const enough = new AbortController();
  const limit = clock.after(PROBE_MS, () => enough.abort());
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([signal, enough.signal]) });
    if (!response.ok || response.body === null) return null;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      parts.push(part);
      size += part.length;
      if (size > LARGEST_ANSWER) return null;
    }
    return asObject(parseJson(Buffer.concat(parts).toString('utf8')));
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    limit.dispose();
  }
}
