/**
 * Our assembly of recorded streams beside that of the SDK's own helper (`stream()`, which the program does without): where they differ, and
 * why. That ours is right in each case is what recordings.test.ts shows.
 */

import { OpenAI } from 'openai';
import { BuddyError } from '../../lib/base/errors.js';
import type { Fetch } from '../../lib/base/http.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { recorded } from './recorded.js';

/** What an answer amounts to; a string is the reason why there is none. */
type Reading = { readonly text: string; readonly calls: readonly string[]; readonly finish: string } | string;

/** What the helper makes of a stream: another text, other calls, an error where there is an answer, or another error than ours. */
type Difference = 'text' | 'calls' | 'throws' | 'error';

/** Every stream in which they differ: ours stands first in the reason. */
const differences: Readonly<Record<string, readonly [Difference, string]>> = {
  'chat-200-text-plain 0': ['error', 'no stream: the server is said to be something else; the helper misses chunks'],
  'chat-groq-tool-use-failed-stream 0': ['error', 'a class that asks again; the helper has the words alone'],
  'chat-groq-tool-use-failed-stream-text 0': ['error', 'a class that asks again; the helper has the words alone'],
  'ai-openai-openai-error.1 0': ['error', 'a class that is final (no quota); the helper has the words alone'],
  'chat-mistral-magistral-stream 0': ['text', 'content in parts is read; the helper writes [object Object]'],
  'responses-openrouter-raw-cot-stream 0': [
    'text',
    'the words are read out of the items; the helper takes the server at its empty output_text',
  ],
  'ai-mistral-mistral-tool-call 0': ['calls', 'calls without an index are found by id; the helper loses them'],
  'ai-mistral-mistral-incremental-tool-call 0': ['throws', 'a first chunk without a role is enough; the helper wants one'],
  'chat-snowflake-thinking-stream 0': ['throws', '[DONE] ends an answer too; the helper wants a finish_reason'],
  'chat-openai-tools-stream-a 0': ['throws', '[DONE] ends an answer too; the helper wants a finish_reason'],
  'chat-openai-tools-stream-b 0': ['throws', '[DONE] ends an answer too; the helper wants a finish_reason'],
  'ai-openai-openai-phase.1 0': ['throws', 'items may be missing (the recording was shortened); the helper counts them'],
  'ai-openai-compatible-anthropic-fallback-tool-call.sse 0': ['throws', 'indexes may begin at 1; the helper reads the call at 0'],
};

const streams = recorded.filter(
  (row): row is typeof row & { readonly protocol: 'chat' | 'responses' } =>
    row.protocol !== 'anthropic' && row.response.status === 200 && row.response.text !== undefined,
);

function fetchOf(body: string): Fetch {
  return async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

async function ours(protocol: 'chat' | 'responses', body: string): Promise<Reading> {
  const { provider, http } = await openProvider(profileFor(protocol, 'http://127.0.0.1:1/v1', { provider: 'openai' }), {
    fetch: fetchOf(body),
  });
  try {
    const { message, raw } = (await collect(provider, ask())).done;
    return { text: message.text, calls: message.calls.map(({ id, name, argsText }) => `${id} ${name} ${argsText}`), finish: raw ?? '' };
  } catch (thrown) {
    return thrown instanceof BuddyError ? thrown.code : String(thrown);
  } finally {
    await http.close();
  }
}

async function helpers(protocol: 'chat' | 'responses', body: string): Promise<Reading> {
  const client = new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0, fetch: fetchOf(body) as never });
  try {
    if (protocol === 'responses') {
      const { output, output_text: text, status } = await client.responses.stream({ model: 'm', input: 'x' }).finalResponse();
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [`${item.call_id} ${item.name} ${item.arguments}`] : []));
      return { text, calls, finish: status ?? '' };
    }
    const messages = [{ role: 'user', content: 'x' }] as const;
    const choice = (await client.chat.completions.stream({ model: 'm', messages: [...messages] }).finalChatCompletion()).choices[0];
    const calls = (choice?.message.tool_calls ?? []).map(({ id, function: of }) => `${id} ${of.name} ${of.arguments}`);
    return { text: choice?.message.content ?? '', calls, finish: choice?.finish_reason ?? '' };
  } catch (thrown) {
    return `${thrown}`;
  }
}

function differenceOf(our: Reading, their: Reading): Difference | null {
  if (JSON.stringify(our) === JSON.stringify(their)) return null;
  if (typeof their === 'string') return typeof our === 'string' ? 'error' : 'throws';
  if (typeof our === 'string' || our.text !== their.text) return 'text';
  return 'calls';
}

(streams.length > 0 ? test : test.skip)('they differ where it is known, and nowhere else', async () => {
  const found: Record<string, Difference> = {};
  for (const { name, protocol, response } of streams) {
    const body = response.text ?? '';
    const difference = differenceOf(await ours(protocol, body), await helpers(protocol, body));
    if (difference !== null) found[name] = difference;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(differences).map(([name, [difference]]) => [name, difference])));
  expect(streams.length - Object.keys(found).length).toBeGreaterThan(30);
});
