/** What goes out: conversations as each protocol writes them, and what a provider gets back of its own. */

import { demoProfile, type ModelProfile } from '../../lib/config/profiles.js';
import { chatProtocol } from '../../lib/models/chat.js';
import { responsesProtocol } from '../../lib/models/responses.js';
import type { AssistantMessage, Message } from '../../lib/protocol/messages.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';
import { faultOf } from './strict-requests.js';

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer();
});
afterAll(() => server.close());

const plainTuning = { temperature: null, topP: null, contextTokens: 100_000, maxOutputTokens: null };

function answer(calls: AssistantMessage['calls'], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return { role: 'assistant', text: '', reasoning: '', calls, extras: {}, incomplete: false, ...more };
}

const conversation: readonly Message[] = [
  { role: 'user', text: 'how full?' },
  answer([{ id: 'a', name: 'run_shell', argsText: '{"command":"df"}' }], { text: 'I look.' }),
  { role: 'tool', callId: 'a', name: 'run_shell', text: '{"result":1}', isError: false },
  answer([{ id: 'b', name: 'run_shell', argsText: '{"command":' }]),
  { role: 'tool', callId: 'b', name: 'run_shell', text: '{"error":"no JSON"}', isError: true },
  answer([]),
];

describe('chat', () => {
  test('the whole body', () => {
    const profile = profileFor('chat', 'http://x/v1');
    expect(chatProtocol.body(ask(...conversation), profile, { ...plainTuning, temperature: 0.5, topP: 0.9 })).toEqual({
      model: 'some-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'how full?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'run_shell', arguments: '{"command":"df"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '{"result":1}' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'b', type: 'function', function: { name: 'run_shell', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'b', content: '{"error":"no JSON"}' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'run_shell',
            description: 'Runs a command.',
            parameters: { type: 'object', properties: { command: { type: 'string' } } },
          },
        },
      ],
      temperature: 0.5,
      top_p: 0.9,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('effort and cache key go where they are understood', () => {
    const body = (more: Partial<ModelProfile>) =>
      chatProtocol.body(ask(), profileFor('chat', 'http://x/v1', { reasoningEffort: 'high', ...more }), plainTuning);
    expect(body({ provider: 'openai' })).toMatchObject({ reasoning_effort: 'high', prompt_cache_key: 'session-1' });
    expect(body({ provider: 'openrouter' })).toMatchObject({ reasoning: { effort: 'high' } });
    expect(body({ provider: 'openrouter' })).not.toHaveProperty('prompt_cache_key');
  });
});

test('responses: the whole body, stateless', () => {
  const profile = profileFor('responses', 'http://x/v1', { provider: 'openai', reasoningEffort: 'low' });
  expect(responsesProtocol.body(ask(...conversation), profile, plainTuning)).toEqual({
    model: 'some-model',
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: 'how full?' },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'a', name: 'run_shell', arguments: '{"command":"df"}' },
      { type: 'function_call_output', call_id: 'a', output: '{"result":1}' },
      { type: 'function_call', call_id: 'b', name: 'run_shell', arguments: '{}' },
      { type: 'function_call_output', call_id: 'b', output: '{"error":"no JSON"}' },
    ],
    tools: [
      {
        type: 'function',
        name: 'run_shell',
        description: 'Runs a command.',
        parameters: { type: 'object', properties: { command: { type: 'string' } } },
        strict: false,
      },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'low', summary: 'auto' },
    prompt_cache_key: 'session-1',
    include: ['reasoning.encrypted_content'],
    store: false,
    stream: true,
  });
});

test('halves of an emoji become U+FFFD, in words, names, and arguments that are JSON within JSON', async () => {
  const half = '\ud83d';
  const history: readonly Message[] = [
    { role: 'user', text: `cut ${half}` },
    answer([{ id: 'a', name: 'run_shell', argsText: '{"command":"echo \\ud83d","x\\udc00":"\\ud83d\\ude00"}' }]),
    { role: 'tool', callId: 'a', name: 'run_shell', text: half, isError: false },
  ];
  for (const api of ['chat', 'responses', 'anthropic'] as const) {
    server.script({ headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"enough"}}', status: 400 });
    const { provider, http } = await openProvider(profileFor(api, server.baseUrl));
    await collect(provider, ask(...history)).catch(() => undefined);
    await http.close();
    const sent = server.seen.at(-1)?.json ?? {};
    expect(faultOf(api, sent)).toBeNull();
    expect(JSON.stringify(sent)).toContain('echo \ufffd');
    expect(JSON.stringify(sent)).toContain('😀');
  }
});

describe('what a provider sent besides goes back to it alone', () => {
  async function answered(profile: ModelProfile, body: unknown): Promise<AssistantMessage> {
    server.script({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const { provider, http } = await openProvider(profile);
    const { done } = await collect(provider, ask());
    await http.close();
    return done.message;
  }

  const details = [{ type: 'reasoning.encrypted', data: 'abc', index: 0 }];
  const chatAnswer = {
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          reasoning_details: details,
          annotations: [],
          tool_calls: [
            {
              id: '',
              type: 'function',
              function: { name: 'time', arguments: '{}' },
              extra_content: { google: { thought_signature: 's1' } },
            },
            { id: '', type: 'function', function: { name: 'time', arguments: '{}' } },
          ],
        },
      },
    ],
  };

  test('chat: reasoning, details and signatures', async () => {
    const profile = profileFor('chat', server.baseUrl);
    const message = await answered(profile, chatAnswer);
    expect(message.calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    const own = chatProtocol.body(ask(message), profile, plainTuning) as { messages: unknown[] };
    const function_ = { name: 'time', arguments: '{}' };
    expect(own.messages[1]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      reasoning_details: details,
      tool_calls: [
        { id: 'call_1', type: 'function', function: function_, extra_content: { google: { thought_signature: 's1' } } },
        { id: 'call_2', type: 'function', function: function_ },
      ],
    });
    const other = chatProtocol.body(ask(message), { ...profile, model: 'another' }, plainTuning) as { messages: unknown[] };
    expect(other.messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: function_ },
        { id: 'call_2', type: 'function', function: function_ },
      ],
    });
  });

  const items = [
    { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'enc' },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
    },
    { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'time', arguments: '{}' },
  ];

  test('responses: whole items, with encrypted reasoning', async () => {
    const profile = profileFor('responses', server.baseUrl);
    const message = await answered(profile, { object: 'response', status: 'completed', output: items });
    expect((responsesProtocol.body(ask(message), profile, plainTuning) as { input: unknown }).input).toEqual(items);
    const plain = [
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'c1', name: 'time', arguments: '{}' },
    ];
    const input = (changed: AssistantMessage, to: ModelProfile = profile) =>
      (responsesProtocol.body(ask(changed), to, plainTuning) as { input: unknown }).input;
    expect(input(message, { ...profile, baseUrl: 'http://elsewhere/v1' })).toEqual(plain);
    // A history that lost a call, or an answer that broke off, is written anew.
    expect(input({ ...message, calls: [] })).toEqual(plain.slice(0, 1));
    expect(input({ ...message, incomplete: true })).toEqual(plain);
    expect(chatProtocol.body(ask(message), { ...demoProfile, api: 'chat' }, plainTuning)).toMatchObject({
      messages: [{ role: 'system' }, { role: 'assistant', content: 'I look.' }],
    });
  });

  test('ids that were used before in the conversation are made unique', async () => {
    const profile = profileFor('responses', server.baseUrl);
    server.script({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ object: 'response', output: items.slice(2) }),
    });
    const { provider, http } = await openProvider(profile);
    const before = answer([{ id: 'c1', name: 'time', argsText: '{}' }]);
    const { done } = await collect(provider, ask(before));
    await http.close();
    expect(done.message.calls).toEqual([{ id: 'c1_2', name: 'time', argsText: '{}' }]);
    expect(done.message.extras['items']).toEqual([{ ...items[2], call_id: 'c1_2' }]);
  });
});
