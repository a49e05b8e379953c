/** The judge before requests that real servers answered: it takes them all, but for what it refuses on purpose. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type ProviderName, providerOf } from '../../../lib/config/profiles.js';
import { FOLDER } from '../../models/recorded.js';
import type { Api } from '../../models/spoken.js';
import { faultOf } from '../../models/strict-requests.js';
import type { Json } from './rules.js';

const RECORDINGS = `${FOLDER}/recordings`;

/** What is refused though one server took it, by the words of the refusal: another server does not. */
const onPurpose: Readonly<Record<string, string>> = {
  'roles must alternate': 'Anthropic puts messages of one role together; others who speak its protocol do not',
  'the system message must be at the beginning': 'DeepSeek takes two; templates of open models take one',
  'missing a thought_signature': 'Gemini 3 demands what Gemini 2.5 did not',
  'either content or tool_calls': 'OpenAI takes an answer of nothing; Moonshot and Mistral do not',
  'it is empty': 'OpenAI takes an answer of nothing; others do not',
  "begins with 'rs'": 'DeepSeek gives ids of its own shape; OpenAI takes its own alone',
};

interface Recorded {
  readonly name: string;
  readonly api: Api;
  readonly provider: ProviderName;
  readonly body: Json;
}

interface Interaction {
  readonly request: { readonly url: string; readonly json?: Json };
  readonly response: { readonly status: number };
}

function apiOf(url: string): Api | null {
  if (url.includes('/chat/completions')) return 'chat';
  if (/\/responses(\?|$)/.test(url)) return 'responses';
  return /\/messages(\?|$)/.test(url) ? 'anthropic' : null;
}

/** A request as the program makes them: with instructions, without a store. The recorded ones had no need of either. */
function stateless(body: Json): Json {
  const { input } = body;
  return { ...body, instructions: 'x', store: false, input: typeof input === 'string' ? [{ role: 'user', content: input }] : input };
}

const taken: readonly Recorded[] = (existsSync(RECORDINGS) ? readdirSync(RECORDINGS) : []).flatMap((file) => {
  const { interactions } = JSON.parse(readFileSync(`${RECORDINGS}/${file}`, 'utf8')) as { readonly interactions: readonly Interaction[] };
  return interactions.flatMap(({ request: { url, json }, response }, at): readonly Recorded[] => {
    const api = apiOf(url);
    if (api === null || json === undefined || response.status !== 200) return [];
    return [{ name: `${file} ${at}`, api, provider: providerOf(url), body: api === 'responses' ? stateless(json) : json }];
  });
});

(taken.length > 0 ? test : test.skip)('it takes what they took', () => {
  const refused = taken.flatMap(({ name, api, provider, body }) => {
    const fault = faultOf(api, body, provider);
    return fault === null ? [] : [{ name, fault }];
  });
  expect(refused.filter(({ fault }) => !Object.keys(onPurpose).some((words) => fault.includes(words)))).toEqual([]);
  // Each reason is still needed.
  for (const words of Object.keys(onPurpose)) expect(refused.map(({ fault }) => fault)).toContainEqual(expect.stringContaining(words));
  expect(taken.length - refused.length).toBeGreaterThan(70);
});
