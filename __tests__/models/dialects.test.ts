/** What providers do differently, one test for each row: from what was recorded of them, or what they document or were seen to refuse. */

import { existsSync, readFileSync } from 'node:fs';
import { demoProfile, type ModelProfile, type ProviderName } from '../../lib/config/profiles.js';
import { chatProtocol } from '../../lib/models/chat.js';
import type { JsonObject } from '../../lib/models/json.js';
import { responsesProtocol } from '../../lib/models/responses.js';
import { ThinkTags } from '../../lib/models/think-tags.js';
import type { AssistantMessage, Message } from '../../lib/protocol/messages.js';
import { ask, collect, modelHost, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';
import { eventsOf, type Spoken, sse } from './spoken.js';

const FOLDER = '../shared/fixtures';
const whenThere = existsSync(`${FOLDER}/index.json`) ? test : test.skip;

interface Exchange {
  readonly request: { readonly json: { readonly messages: readonly JsonObject[] } };
  readonly response: { readonly text?: string; readonly json?: JsonObject };
}

function recorded(name: string): readonly Exchange[] {
  return (JSON.parse(readFileSync(`${FOLDER}/recordings/${name}.json`, 'utf8')) as { readonly interactions: readonly Exchange[] })
    .interactions;
}

/** The message of a recorded answer. */
function choiceOf(exchange: Exchange | undefined): JsonObject {
  const { choices } = (exchange?.response.json ?? { choices: [] }) as { readonly choices: readonly { readonly message: JsonObject }[] };
  return choices[0]?.message ?? {};
}

/** The calls of a message that goes out. */
function callsOf(message: JsonObject | undefined): readonly JsonObject[] {
  return (message?.['tool_calls'] ?? []) as readonly JsonObject[];
}

const tuning = { temperature: null, topP: null, contextTokens: 100_000, maxOutputTokens: null };

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer();
});
afterAll(() => server.close());

function of(provider: ProviderName, more: Partial<ModelProfile> = {}): ModelProfile {
  return profileFor('chat', server.baseUrl, { provider, ...more });
}

/** The answer of a server of `profile` that says `body`. */
async function answered(profile: ModelProfile, body: string, ...messages: readonly Message[]): Promise<AssistantMessage> {
  const type = body.startsWith('{') ? 'application/json' : 'text/event-stream';
  server.script({ headers: { 'content-type': type }, body });
  const { provider, http } = await openProvider(profile);
  try {
    return (await collect(provider, ask(...messages))).done.message;
  } finally {
    await http.close();
  }
}

function messagesFor(profile: ModelProfile, ...messages: readonly Message[]): readonly JsonObject[] {
  return chatProtocol.body(ask(...messages), profile, tuning)['messages'] as readonly JsonObject[];
}

/** An answer of another model, as it stands in the history. */
const foreign: AssistantMessage = {
  role: 'assistant',
  text: '',
  reasoning: 'thoughts of another',
  calls: [
    { id: 'toolu_1', name: 'time', argsText: '{}' },
    { id: 'toolu_2', name: 'time', argsText: '{}' },
  ],
  extras: {},
  incomplete: false,
};
const results: readonly Message[] = foreign.calls.map(({ id }) => ({ role: 'tool', callId: id, name: 'time', text: '1', isError: false }));

test('OpenRouter: its title, reasoning as an object, details that go back, cache marks for Claude alone', async () => {
  const details = [{ type: 'reasoning.encrypted', data: 'abc', index: 0 }];
  const spoken: Spoken = { text: ['x'], calls: [{ id: 'a', name: 'time', args: ['{}'] }], unknown: { reasoning_details: details } };
  const profile = of('openrouter', { reasoningEffort: 'high', extraHeaders: { 'http-referer': 'https://example.org' } });
  const message = await answered(profile, eventsOf('chat', spoken).join(''));
  expect(server.seen.at(-1)?.headers).toMatchObject({ 'x-title': 'buddy-tui', 'http-referer': 'https://example.org' });
  expect(server.seen.at(-1)?.json).toMatchObject({ reasoning: { effort: 'high' } });
  expect(messagesFor(profile, message)[1]).toMatchObject({ reasoning_details: details });
  const marked = messagesFor({ ...profile, model: 'anthropic/claude-sonnet-4.5' }, { role: 'user', text: 'a' }, foreign, ...results, {
    role: 'user',
    text: 'b',
  });
  expect(marked.filter((one) => JSON.stringify(one).includes('cache_control')).map((one) => one['role'])).toEqual(['system', 'user']);
  expect(marked.at(-1)).toEqual({ role: 'user', content: 'b' });
  expect(JSON.stringify(messagesFor(profile, { role: 'user', text: 'a' }, foreign, ...results))).not.toContain('cache_control');
});

whenThere('DeepSeek, Z.ai, Moonshot: reasoning_content goes back beside calls, empty for calls of another', async () => {
  const [first, second] = recorded('chat-deepseek-thinking-tools');
  const profile = of('deepseek', { reasoningEffort: 'low' });
  const message = await answered(profile, JSON.stringify(first?.response.json));
  const wanted = second?.request.json.messages.filter(({ role }) => role === 'assistant') ?? [];
  const sent = messagesFor(profile, { role: 'user', text: 'x' }, message, foreign, ...results).filter(({ role }) => role === 'assistant');
  // The recorded client sent the thoughts of the first answer, and '' for calls that it had made up itself.
  expect(sent[0]?.['reasoning_content']).toBe(wanted[0]?.['reasoning_content']);
  expect(wanted[1]?.['reasoning_content']).toBe('');
  expect(sent[1]?.['reasoning_content']).toBe('');
  for (const provider of ['moonshot', 'deepseek'] as const)
    expect(messagesFor(of(provider), foreign)[1]).toMatchObject({ reasoning_content: '' });
  const body = (provider: ProviderName, effort: ModelProfile['reasoningEffort'], model = 'some-model') =>
    chatProtocol.body(ask(), of(provider, { reasoningEffort: effort, model }), tuning);
  expect(body('zai', 'high')).toMatchObject({ thinking: { type: 'enabled' } });
  expect(body('zai', 'none')).toMatchObject({ thinking: { type: 'disabled' } });
  expect(body('zai', 'high')).not.toHaveProperty('reasoning_effort');
  expect(body('deepseek', 'xhigh')).toMatchObject({ thinking: { type: 'enabled' }, reasoning_effort: 'high' });
  expect(body('moonshot', 'low', 'kimi-k2.6')).toMatchObject({ thinking: { type: 'enabled' } });
  expect(body('moonshot', 'low', 'kimi-k3')).toMatchObject({ reasoning_effort: 'low' });
  const [zai] = recorded('chat-zai-preserved-thinking');
  expect((await answered(of('zai'), JSON.stringify(zai?.response.json))).reasoning).toContain('The user is asking for the product');
});

whenThere('Mistral: content in parts, ids of nine, no stream_options', async () => {
  const [stream] = recorded('chat-mistral-magistral-stream');
  const message = await answered(of('mistral', { reasoningEffort: 'medium' }), stream?.response.text ?? '');
  expect(message.reasoning).toMatch(/^Okay/);
  expect(message.text).not.toBe('');
  expect(server.seen.at(-1)?.json).toMatchObject({ reasoning_effort: 'high' });
  expect(server.seen.at(-1)?.json).not.toHaveProperty('stream_options');
  const [, calls, ...answers] = messagesFor(of('mistral'), foreign, ...results);
  const ids = callsOf(calls).map(({ id }) => id);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(answers.map((one) => one['tool_call_id'])).toEqual(ids);
  const own = { ...foreign, calls: [{ id: 'D681PevKs', name: 'time', argsText: '{}' }] };
  expect(messagesFor(of('mistral'), own)[1]).toMatchObject({ tool_calls: [{ id: 'D681PevKs' }] });
});

whenThere('Gemini: ids where it gives none, signatures that go back, and a word for calls that have none', async () => {
  const [first] = recorded('chat-gemini-compat-thought-signature-no-id');
  const profile = of('gemini', { reasoningEffort: 'xhigh' });
  const message = await answered(profile, JSON.stringify(first?.response.json));
  expect(message.calls[0]?.id).toBe('call_1');
  const given = choiceOf(first);
  expect(messagesFor(profile, message)[1]).toMatchObject({
    extra_content: given?.['extra_content'],
    thought_signature: given?.['thought_signature'],
  });
  const skip = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } };
  const [first_, second] = callsOf(messagesFor(profile, foreign)[1]);
  expect(first_).toMatchObject(skip);
  expect(second).not.toHaveProperty('extra_content');
  const signed = {
    ...foreign,
    extras: { ...message.extras, calls: { toolu_1: { extra_content: { google: { thought_signature: 'own' } } } } },
  };
  expect(messagesFor(profile, signed)[1]).toMatchObject({ tool_calls: [{ extra_content: { google: { thought_signature: 'own' } } }, {}] });
  expect(chatProtocol.body(ask(), profile, tuning)).toMatchObject({ reasoning_effort: 'high' });
});

whenThere(
  'Groq: a call that it could not read may be asked for again; nothing of its own answers goes back but words and calls',
  async () => {
    const [refused, called] = recorded('chat-groq-tool-use-failed');
    const { provider, http } = await openProvider(of('groq'));
    server.script({ status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify(refused?.response.json) });
    await expect(collect(provider, ask())).rejects.toMatchObject({ code: 'model.call', retryable: true });
    const [stream, streamedCall] = recorded('chat-groq-tool-use-failed-stream');
    server.script({ body: stream?.response.text ?? '' });
    await expect(collect(provider, ask())).rejects.toMatchObject({ code: 'model.call', retryable: false });
    await http.close();
    const message = await answered(of('groq'), streamedCall?.response.text ?? '');
    expect(message.extras['message']).toMatchObject({ channel: expect.stringMatching(/^(analysis|commentary|final)$/) });
    const [, sent] = messagesFor(of('groq'), message);
    expect(Object.keys(sent ?? {}).sort()).toEqual(['content', 'role', 'tool_calls']);
    expect((await answered(of('groq'), JSON.stringify(called?.response.json))).calls).toHaveLength(1);
    const effort = (reasoningEffort: ModelProfile['reasoningEffort'], model: string) =>
      chatProtocol.body(ask(), of('groq', { reasoningEffort, model }), tuning)['reasoning_effort'];
    expect([effort('xhigh', 'openai/gpt-oss-120b'), effort('low', 'qwen/qwen3-32b'), effort('none', 'qwen/qwen3-32b')]).toEqual([
      'high',
      'default',
      'none',
    ]);
  },
);

whenThere('Ollama: reasoning under its own name, back under the same', async () => {
  const [, called] = recorded('chat-ollama-tools');
  const profile = of('ollama');
  const message = await answered(profile, JSON.stringify(called?.response.json));
  expect(message.reasoning).not.toBe('');
  expect(messagesFor(profile, message)[1]).toMatchObject({ reasoning: message.reasoning });
  expect(messagesFor(profile, message)[1]).not.toHaveProperty('reasoning_content');
});

whenThere('<think> in the text: thoughts, however it is cut', async () => {
  const [raw] = recorded('chat-groq-reasoning');
  const content = String(choiceOf(raw)['content']);
  const message = await answered(of('vllm'), JSON.stringify(raw?.response.json));
  expect(`<think>\n${message.reasoning}</think>\n\n${message.text}`).toBe(content);
  for (const size of [1, 3, 7, 100]) {
    const tags = new ThinkTags();
    const pieces = content.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const told = [...pieces.map((piece) => tags.push(piece)), tags.end()];
    expect(told.map(({ reasoning }) => reasoning).join('')).toBe(message.reasoning);
    expect(told.map(({ text }) => text).join('')).toBe(message.text);
  }
});

test.each([
  ['plain words', 'plain words', ''],
  ['<thinking is hard', '<thinking is hard', ''],
  ['a <think>b</think> c', 'a <think>b</think> c', ''],
  ['<', '<', ''],
  ['<think>never closed', '', 'never closed'],
  ['  <think></think>\n\nyes', 'yes', ''],
  ['<think>a < b </thin</think>yes', 'yes', 'a < b </thin'],
])('<think>: %s', async (content, text, reasoning) => {
  for (const pieces of [[content], [...content]]) {
    const chunks = pieces.map((piece) => sse({ choices: [{ index: 0, delta: { content: piece } }] }));
    const end = sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    server.script({ body: [...chunks, end].join('') });
    const { provider, http } = await openProvider(of('llamacpp'));
    const got = await collect(provider, ask());
    await http.close();
    expect({ text: got.text, reasoning: got.reasoning }).toEqual({ text, reasoning });
    expect(got.done.message).toMatchObject({ text, reasoning });
  }
});

test('Azure: its own header for the key, and the version of the API behind the path', async () => {
  const { baseUrl } = server;
  const profile = of('azure', { baseUrl: `${baseUrl}?api-version=2024-10-21` });
  const filtered = sse({ model: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] });
  const message = await answered(profile, filtered + eventsOf('chat', { text: ['yes'] }).join(''));
  expect(message.text).toBe('yes');
  const seen = server.seen.at(-1);
  expect(seen?.url).toBe('/v1/chat/completions?api-version=2024-10-21');
  expect([seen?.headers['api-key'], seen?.headers.authorization]).toEqual(['key-0123456789', undefined]);
});

test('vLLM, llama.cpp, LM Studio: errors in the place of a chunk, in a field of their own, under the name of an event', async () => {
  const cases = [
    sse({ object: 'error', message: 'out of memory', type: 'InternalServerError', code: 500 }),
    'error: {"code":500,"message":"out of memory","type":"server_error"}\n\n',
    'event: error\ndata: {"error":{"message":"out of memory","type":"server_error"}}\n\n',
    'event: error\ndata: {"code":500,"message":"out of memory"}\n\n',
  ];
  for (const body of cases) {
    server.script({ body });
    const { provider, http } = await openProvider(of('llamacpp'));
    await expect(collect(provider, ask())).rejects.toMatchObject({
      code: 'model.server',
      message: expect.stringContaining('out of memory'),
    });
    await http.close();
  }
  for (const [status, body, code] of [
    [400, { object: 'error', message: 'bad', type: 'BadRequestError', code: 400 }, 'model.request'],
    [
      400,
      { error: { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
      'model.context',
    ],
    [503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'model.server'],
  ] as const) {
    server.script({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const { provider, http } = await openProvider(of('llamacpp'));
    await expect(collect(provider, ask())).rejects.toMatchObject({ code });
    await http.close();
  }
});

test('Copilot: items go back without their ids', async () => {
  const profile = profileFor('responses', server.baseUrl, { provider: 'copilot' });
  const spoken: Spoken = { reasoning: 'hm', text: ['x'], calls: [{ id: 'c1', name: 'time', args: ['{}'] }] };
  const message = await answered(profile, eventsOf('responses', spoken).join(''));
  const items = (to: ModelProfile) => responsesProtocol.body(ask(message), to, tuning)['input'] as readonly JsonObject[];
  expect(items(profile).map((item) => [item['type'], item['id'], item['encrypted_content']])).toEqual([
    ['reasoning', undefined, 'enc'],
    ['message', undefined, undefined],
    ['function_call', undefined, undefined],
  ]);
  const openai = { ...profile, provider: 'openai' } as const;
  expect(items(openai).map((item) => item['id'])).toEqual(['rs_1', 'msg_1', undefined]);
});

describe('what a server refuses is left out', () => {
  const json = (status: number, body: unknown) => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const whole = json(200, {
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'whole' } }],
    usage: { prompt_tokens: 3 },
  });

  test.each([
    [
      'OpenAI, before the organization is verified',
      400,
      { error: { message: 'Your organization must be verified to stream this model.', param: 'stream', code: 'unsupported_value' } },
    ],
    ['words alone', 400, { error: { message: 'Streaming is not supported for this model' } }],
    ['not implemented', 501, { detail: 'stream=true is not implemented' }],
    ['pydantic', 422, { detail: [{ type: 'literal_error', loc: ['body', 'stream'], msg: 'Input should be false' }] }],
  ])('streaming: %s', async (_, status, body) => {
    const before = server.seen.length;
    server.script(json(status, body), whole, whole);
    const { provider, http } = await openProvider(of('other'));
    for (let turn = 0; turn < 2; turn++) {
      const { done, text } = await collect(provider, ask());
      expect({ text, kept: done.message.text, input: done.usage?.inputTokens }).toEqual({ text: 'whole', kept: 'whole', input: 3 });
    }
    await http.close();
    // It is asked for once, and from then on not any more.
    expect(server.seen.slice(before).map((seen) => [seen.json['stream'], 'stream_options' in seen.json])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  test('stream_options and others, one after the other; the stream stays', async () => {
    const before = server.seen.length;
    server.script(
      json(422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }),
      json(400, { error: { message: 'Unrecognized request argument supplied: prompt_cache_key' } }),
      { body: eventsOf('chat', { text: ['yes'] }).join('') },
    );
    const { provider, http } = await openProvider(of('openai'));
    expect((await collect(provider, ask())).text).toBe('yes');
    await http.close();
    expect(
      server.seen
        .slice(before)
        .map(({ json: { stream, stream_options: figures, prompt_cache_key: key } }) => [stream, figures !== undefined, key !== undefined]),
    ).toEqual([
      [true, true, true],
      [true, false, true],
      [true, false, false],
    ]);
  });

  test('any other refusal is told at once, and the same one is not answered for ever', async () => {
    for (const body of [
      { detail: 'Stream must be set to true' },
      { error: { message: 'temperature is not supported', param: 'temperature' } },
      { error: { message: 'The stream of consciousness is too long' } },
    ]) {
      const before = server.seen.length;
      server.script(json(400, body));
      const { provider, http } = await openProvider(of('other'));
      await expect(collect(provider, ask())).rejects.toMatchObject({ code: 'model.request' });
      await http.close();
      expect(server.seen.length - before).toBe(1);
    }
    const before = server.seen.length;
    const again = json(400, { error: { message: 'no', param: 'stream' } });
    server.script(again, again);
    const { provider, http } = await openProvider(of('other'));
    await expect(collect(provider, ask())).rejects.toMatchObject({
      code: 'model.request',
      message: expect.stringContaining('answered 400: no'),
    });
    await http.close();
    expect(server.seen.length - before).toBe(2);
  });
});

test('extra_headers go out with every request, in the place of ours, and are never shown', async () => {
  const profile = of('other', { extraHeaders: { 'x-team': 'ops-secret-1', 'user-agent': 'mine' } });
  server.script({ status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"bad x-team ops-secret-1"}}' });
  const { provider, http } = await openProvider(profile, { host: modelHost() });
  await expect(collect(provider, ask())).rejects.toMatchObject({ message: expect.stringMatching(/bad x-team \(key\)$/) });
  await http.close();
  expect(server.seen.at(-1)?.headers).toMatchObject({
    'x-team': 'ops-secret-1',
    'user-agent': 'mine',
    authorization: 'Bearer key-0123456789',
  });
  expect(demoProfile.extraHeaders).toEqual({});
});
