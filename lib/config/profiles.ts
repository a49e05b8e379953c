/** Model profiles: the tables `[models.<name>]` of buddy.toml, and the ones there are without a file. */

import { BuddyError } from '../base/errors.js';
import { flag, integer, oneOf, type SettingKind, text } from './setting-kinds.js';

/** Where the key of a profile is to be found when it is needed. */
export type KeySource =
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  /** An entry of the keyring of the system; without an account it is of the user. */
  | { readonly kind: 'keyring'; readonly service: string; readonly account: string | null }
  /** Run by a shell; it prints the key. */
  | { readonly kind: 'command'; readonly command: string };

/** How much a reasoning model is asked to think. */
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** The levels, from none to most. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** The name of a profile with another effort: `gpt-codex:high`. */
export function withEffort(name: string, effort: string): string {
  return `${name}:${effort}`;
}

/** The profile of that name, also one with an effort behind a colon; null when there is none. */
export function profileNamed(name: string, profiles: readonly ModelProfile[]): ModelProfile | null {
  const found = profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const colon = name.lastIndexOf(':');
  const effort = reasoningEfforts.find((level) => level === name.slice(colon + 1));
  const base = colon < 0 || effort === undefined ? undefined : profiles.find((profile) => profile.name === name.slice(0, colon));
  return base === undefined || base.api === 'demo' || effort === undefined ? null : { ...base, name, reasoningEffort: effort };
}

/** Who serves the model: decides small differences of dialect. */
export type ProviderName = (typeof providerNames)[number];

/** The providers whose dialects are known (`models/dialects.ts` has a row for each). */
const providerNames = [
  'openai',
  'openrouter',
  'anthropic',
  'deepseek',
  'zai',
  'moonshot',
  'mistral',
  'gemini',
  'groq',
  'xai',
  'azure',
  'copilot',
  'ollama',
  'lmstudio',
  'vllm',
  'llamacpp',
  'other',
] as const;

/** One model that can be chosen. */
export interface ModelProfile {
  /** Key under `[models]`. */
  readonly name: string;
  readonly api: 'chat' | 'responses' | 'anthropic' | 'demo';
  readonly provider: ProviderName;
  readonly baseUrl: string;
  /** Name of the model as the server knows it. */
  readonly model: string;
  readonly auth: 'api-key' | 'login';
  /** Null: none is configured; servers on this machine often need none. */
  readonly key: KeySource | null;
  /** Tokens; null: the catalogue knows. */
  readonly contextLimit: number | null;
  readonly reasoningEffort: ReasoningEffort | null;
  /** Whether pictures are sent to it; null: as the catalogue knows. */
  readonly images: boolean | null;
  /** The server keeps the conversation, and only what is new is sent to it. Responses only. */
  readonly store: boolean;
  /** Headers to send besides our own. */
  readonly extraHeaders: Readonly<Record<string, string>>;
}

/** Base URL of a profile that names none. */
export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** The same for a profile of the messages protocol. */
export const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1';

/** One key of a profile, for parsing, error text and the manual. */
export interface ProfileRow<T = unknown> {
  readonly kind: SettingKind<T>;
  readonly doc: string;
}

/** Headers that say how a request is carried, which only the carrier knows. */
const CARRIER_HEADERS: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'content-encoding', 'transfer-encoding']);

/** Names and texts of headers, as HTTP allows them. */
const headers: SettingKind<Readonly<Record<string, string>>> = {
  expected: 'a table of headers, such as { "HTTP-Referer" = "https://example.org" }',
  fromToml(raw) {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
    const entries = Object.entries(raw);
    const fits = ([name, value]: [string, unknown]) =>
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
      !CARRIER_HEADERS.has(name.toLowerCase()) &&
      typeof value === 'string' &&
      /^[\t\x20-\x7e]*$/.test(value);
    return entries.every(fits) ? Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)])) : undefined;
  },
  fromText: () => undefined,
};

/** The keys of `[models.<name>]`. `base_url` is an older spelling of `api_base_url`. */
export const profileRows = {
  api_base_url: {
    kind: text,
    doc: `Address of the server up to the version, ${OPENAI_BASE_URL} (of Anthropic: ${ANTHROPIC_BASE_URL}) when left out.`,
  },
  base_url: { kind: text, doc: 'Older spelling of api_base_url.' },
  provider: {
    kind: oneOf('auto', ...providerNames),
    doc: 'Who serves it; "auto" looks at the address.',
  },
  api: {
    kind: oneOf('completions', 'chat', 'responses', 'anthropic', 'demo'),
    doc: 'The protocol: "completions" (also written "chat"), "responses", "anthropic" for its messages, or "demo" for the offline demonstration.',
  },
  auth: {
    kind: oneOf('api-key', 'login'),
    doc: 'How to identify: with an API key, or with the login that "buddy-tui login openai" made (api = "responses").',
  },
  api_key: {
    kind: text,
    doc: 'The key itself; prefer one of the next four. BUDDY_API_KEY stands above all of them for the profile that is started with; without any of them, and when the variable of api_key_env is not set, the key that "buddy-tui login" stored for that address is taken.',
  },
  api_key_env: { kind: text, doc: 'Environment variable that holds the key.' },
  api_key_file: { kind: text, doc: 'File that holds the key; ~ is your home folder.' },
  api_key_keyring: {
    kind: text,
    doc: 'Entry of the keyring of the system that holds the key: "SERVICE", or "SERVICE/ACCOUNT" when it is not of your user name; "secret-tool store --label=openrouter service openrouter username ann" makes one.',
  },
  api_key_command: {
    kind: text,
    doc: 'Command that prints the key, such as "pass show openrouter" or "secret-tool lookup service openrouter"; it has 60 seconds, and what it prints is shown nowhere.',
  },
  model: { kind: text, doc: 'Name of the model on the server; the name of the profile when left out.' },
  context_limit: { kind: integer(1), doc: 'Context window in tokens; the catalogue of models knows the usual ones.' },
  reasoning_effort: {
    kind: oneOf(...reasoningEfforts),
    doc: 'How much a reasoning model thinks; not sent when left out.',
  },
  images: {
    kind: flag,
    doc: 'Whether the model takes pictures. Left out, the catalogue of models says; one that it does not know is sent none.',
  },
  store: {
    kind: flag,
    doc: 'Let the server keep the conversation and send it only what is new (api = "responses", with a key). When it has forgotten, everything is sent once more. Left out, nothing is kept there.',
  },
  extra_headers: {
    kind: headers,
    doc: 'Headers to send with every request besides our own, which they replace when they have the same name.',
  },
} as const;

/** The values of a profile table after each was checked against its row. */
export type ProfileValues = { readonly [K in keyof typeof profileRows]?: (typeof profileRows)[K] extends ProfileRow<infer T> ? T : never };

/** The offline demonstration: always there. */
export const demoProfile: ModelProfile = {
  name: 'demo',
  api: 'demo',
  provider: 'other',
  baseUrl: '',
  model: 'demo',
  auth: 'api-key',
  key: null,
  contextLimit: 32_768,
  reasoningEffort: null,
  images: null,
  store: false,
  extraHeaders: {},
};

function bundled(
  name: string,
  model: string,
  api: 'chat' | 'responses' | 'anthropic',
  provider: ProviderName,
  baseUrl: string,
  keyEnv: string,
): ModelProfile {
  return { ...demoProfile, name, api, provider, baseUrl, model, key: { kind: 'env', name: keyEnv }, contextLimit: null };
}

/** What `/model` offers when no file lists models; templates/buddy.toml shows the same ones. */
export const bundledProfiles: readonly ModelProfile[] = [
  { ...bundled('gpt-codex', 'gpt-5.3-codex', 'responses', 'openai', OPENAI_BASE_URL, 'OPENAI_API_KEY'), reasoningEffort: 'medium' },
  {
    ...bundled('chatgpt', 'gpt-6.2-sol', 'responses', 'openai', OPENAI_BASE_URL, ''),
    auth: 'login',
    key: null,
    reasoningEffort: 'medium',
  },
  bundled('openrouter-deepseek', 'deepseek/deepseek-v3.2', 'chat', 'openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  bundled('openrouter-glm', 'z-ai/glm-5', 'chat', 'openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  bundled('kimi', 'kimi-k2.5', 'chat', 'moonshot', 'https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  bundled('claude-sonnet', 'claude-sonnet-4-5', 'anthropic', 'anthropic', ANTHROPIC_BASE_URL, 'ANTHROPIC_API_KEY'),
  bundled('claude-haiku', 'claude-haiku-4-5', 'anthropic', 'anthropic', ANTHROPIC_BASE_URL, 'ANTHROPIC_API_KEY'),
];

/** Names that end in one of these belong to the provider. */
const providerHosts: readonly (readonly [string, ProviderName])[] = [
  ['api.openai.com', 'openai'],
  ['chatgpt.com', 'openai'],
  ['openrouter.ai', 'openrouter'],
  ['anthropic.com', 'anthropic'],
  ['deepseek.com', 'deepseek'],
  ['z.ai', 'zai'],
  ['bigmodel.cn', 'zai'],
  ['moonshot.ai', 'moonshot'],
  ['moonshot.cn', 'moonshot'],
  ['kimi.com', 'moonshot'],
  ['mistral.ai', 'mistral'],
  ['generativelanguage.googleapis.com', 'gemini'],
  ['groq.com', 'groq'],
  ['x.ai', 'xai'],
  ['openai.azure.com', 'azure'],
  ['services.ai.azure.com', 'azure'],
  ['githubcopilot.com', 'copilot'],
];
/** Ports that nobody else uses by habit. */
const providerPorts: Readonly<Record<string, ProviderName>> = { '11434': 'ollama', '1234': 'lmstudio' };

/** The provider that an address belongs to. */
export function providerOf(baseUrl: string): ProviderName {
  if (!URL.canParse(baseUrl)) return 'other';
  const { hostname, port } = new URL(baseUrl);
  const found = providerHosts.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  return found?.[1] ?? providerPorts[port] ?? 'other';
}

/** What we put behind the address ourselves. */
const ENDPOINT = /\/(chat\/completions|completions|responses|messages)\/*$/;

/** `url` without a trailing slash; throws `config.value`, naming `where`, when it is no http address. */
export function checkedBaseUrl(url: string, where: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new BuddyError('config.value', `${where}: "${url}" is not an http or https address`, {
      hint: `Write the address up to the version, for example ${OPENAI_BASE_URL}.`,
    });
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new BuddyError('config.value', `${where}: the address holds a name or a password`, {
      hint: 'Take it out of the address; a key belongs into api_key_env or api_key_file.',
    });
  }
  const whole = ENDPOINT.exec(parsed.pathname);
  if (whole !== null) {
    throw new BuddyError('config.value', `${where}: "${url}" goes on after the version`, {
      hint: `Leave out ${whole[0]}: write "${url.replace(whole[0], '')}".`,
    });
  }
  return url.replace(/\/+$/, '');
}

const keyNames = ['api_key', 'api_key_env', 'api_key_file', 'api_key_keyring', 'api_key_command'] as const;

/** The one key source of `values`, or null; throws `config.value` when there are several. */
function keySource(values: ProfileValues, where: string, homeDir: string): KeySource | null {
  const given = keyNames.filter((key) => values[key] !== undefined);
  const empty = given.find((key) => values[key]?.trim() === '');
  if (empty !== undefined) {
    throw new BuddyError('config.value', `${where}: ${empty} is empty`, {
      hint: 'Fill it in, or take the line out: a server on this machine needs no key.',
    });
  }
  if (given.length > 1) {
    throw new BuddyError('config.value', `${where}: ${given.join(' and ')} are both set`, { hint: 'Keep one of them.' });
  }
  if (values.api_key !== undefined) return { kind: 'literal', value: values.api_key };
  if (values.api_key_env !== undefined) return { kind: 'env', name: values.api_key_env };
  if (values.api_key_file !== undefined) return { kind: 'file', path: values.api_key_file.replace(/^~(?=\/)/, homeDir) };
  if (values.api_key_keyring !== undefined) {
    const [service = '', account] = values.api_key_keyring.split(/\/(.*)/s);
    return { kind: 'keyring', service, account: account || null };
  }
  if (values.api_key_command !== undefined) return { kind: 'command', command: values.api_key_command };
  return null;
}

/** A profile from its checked values. `where` names file and table in errors. Throws `config.value`. */
export function profileFrom(name: string, values: ProfileValues, where: string, homeDir: string): ModelProfile {
  if (values.api === 'demo') return { ...demoProfile, name };
  const api = values.api === 'responses' || values.api === 'anthropic' ? values.api : 'chat';
  if (values.auth === 'login' && api !== 'responses') {
    throw new BuddyError('config.value', `${where}: auth = "login" needs api = "responses"`, {
      hint: 'The login is for a server that speaks this protocol only; for another one use a key.',
    });
  }
  if (values.store === true && (api !== 'responses' || values.auth === 'login')) {
    throw new BuddyError('config.value', `${where}: store = true needs api = "responses" and a key`, {
      hint: 'Other protocols keep nothing on the server, and the server behind a login refuses to.',
    });
  }
  const usualUrl = api === 'anthropic' ? ANTHROPIC_BASE_URL : OPENAI_BASE_URL;
  const baseUrl = checkedBaseUrl(values.api_base_url ?? values.base_url ?? usualUrl, where);
  const provider = values.provider ?? 'auto';
  return {
    name,
    api,
    provider: provider === 'auto' ? providerOf(baseUrl) : provider,
    baseUrl,
    model: values.model ?? name,
    auth: values.auth ?? 'api-key',
    key: keySource(values, where, homeDir),
    contextLimit: values.context_limit ?? null,
    reasoningEffort: values.reasoning_effort ?? null,
    images: values.images ?? null,
    store: values.store ?? false,
    extraHeaders: values.extra_headers ?? {},
  };
}
