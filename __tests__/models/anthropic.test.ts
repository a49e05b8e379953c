/** The messages protocol: what goes out, what goes back, and what its streams amount to. */

import { existsSync, readFileSync } from 'node:fs';
import type { ModelProfile } from '../../lib/config/profiles.js';
import { anthropicProtocol } from '../../lib/models/anthropic.js';
import { assembleAnthropic } from '../../lib/models/assemble-anthropic.js';
import type { JsonObject } from '../../lib/models/json.js';
import type { AssistantMessage, Message } from '../../lib/protocol/messages.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';

const tuning = { temperature: null, topP: null, contextTokens: 200_000, maxOutputTokens: 64_000 };
const profile = profileFor('anthropic', 'http://x/v1', { provider: 'anthropic', model: 'claude-sonnet-4-5' });

function answer(calls: AssistantMessage['calls'], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return { role: 'assistant', text: '', reasoning: '', calls, extras: {}, incomplete: false, ...more };
}

function result(callId: string, text: string, isError = false): Message {
  return { role: 'tool', callId, name: 'run_shell', text, isError };
}

function bodyOf(messages: readonly Message[], more: Partial<ModelProfile> = {}, tuned: Partial<typeof tuning> = {}): JsonObject {
  return anthropicProtocol.body(ask(...messages), { ...profile, ...more }, { ...tuning, ...tuned });
}

const mark = { cache_control: { type: 'ephemeral' } };

describe('what goes out', () => {
  test('the whole body: turns that alternate, results first, marks on what stays', () => {
    const two = [
      { id: 'toolu_1', name: 'run_shell', argsText: '{"command":"df"}' },
      { id: 'toolu_2', name: 'run_shell', argsText: '{"command":' },
    ];
    expect(
      bodyOf([
        { role: 'user', text: 'how full?' },
        answer(two, { text: 'I look.' }),
        result('toolu_1', '{"result":1}'),
        result('toolu_2', '{"error":"no JSON"}', true),
        { role: 'user', text: 'the terminal now' },
      ]),
    ).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 64_000,
      system: [{ type: 'text', text: 'Be brief.', ...mark }],
      tools: [
        {
          name: 'run_shell',
          description: 'Runs a command.',
          input_schema: { type: 'object', properties: { command: { type: 'string' } } },
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'how full?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'toolu_1', name: 'run_shell', input: { command: 'df' } },
            { type: 'tool_use', id: 'toolu_2', name: 'run_shell', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: '{"result":1}' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: '{"error":"no JSON"}', is_error: true, ...mark },
            { type: 'text', text: 'the terminal now' },
          ],
        },
      ],
      stream: true,
    });
  });

  test('what is cached of one request begins the next one', () => {
    const history: Message[] = [{ role: 'user', text: 'one' }];
    let cached: readonly unknown[] = [];
    for (let step = 0; step < 5; step++) {
      const body = bodyOf([...history, { role: 'user', text: `the terminal at ${step}` }]);
      const turns = body['messages'] as readonly { readonly role: string; readonly content: readonly JsonObject[] }[];
      const blocks = turns.flatMap(({ role, content }) => content.map(({ cache_control: marked, ...block }) => ({ role, block, marked })));
      const plain = blocks.map(({ role, block }) => ({ role, block }));
      expect(plain.slice(0, cached.length)).toEqual(cached);
      cached = plain.slice(0, blocks.findLastIndex(({ marked }) => marked !== undefined) + 1);
      expect(cached).toHaveLength(blocks.length - 1);
      history.push(answer([{ id: `t${step}`, name: 'run_shell', argsText: '{}' }]), result(`t${step}`, `result ${step}`));
    }
  });

  test('nothing that is refused: empty words, ids and names of other providers, an answer first', () => {
    const body = bodyOf([
      answer([{ id: 'functions.run_shell:0', name: 'run shell!', argsText: '[1]' }], { text: ' \n' }),
      result('functions.run_shell:0', ''),
      { role: 'user', text: '' },
      { role: 'user', text: 'go on' },
    ]);
    const turns = body['messages'] as readonly { readonly role: string; readonly content: readonly JsonObject[] }[];
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const call = turns[1]?.content[0];
    expect(call).toMatchObject({ type: 'tool_use', name: 'run_shell_', input: {}, id: expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/) });
    expect(turns[2]?.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: call?.['id'] });
    expect(JSON.stringify(body)).not.toContain('"text":""');
  });

  test('max_tokens: what the catalogue says, a careful guess, and no more than the window leaves', () => {
    const hello: readonly Message[] = [{ role: 'user', text: 'hello' }];
    expect(bodyOf(hello)['max_tokens']).toBe(64_000);
    expect(bodyOf(hello, {}, { maxOutputTokens: null as never })['max_tokens']).toBe(8192);
    const long = bodyOf([{ role: 'user', text: 'x'.repeat(450_000) }])['max_tokens'] as number;
    expect(long).toBeGreaterThan(40_000);
    expect(long).toBeLessThan(51_000);
    expect(bodyOf([{ role: 'user', text: 'x'.repeat(900_000) }])['max_tokens']).toBe(1024);
  });

  test('thinking: a budget for older models, an effort for newer ones, and what must not stand beside it', () => {
    const thought = (model: string, reasoningEffort: ModelProfile['reasoningEffort'], more: Partial<typeof tuning> = {}) => {
      const body = bodyOf(
        [{ role: 'user', text: 'x' }],
        { model, reasoningEffort },
        { temperature: 0.5 as never, topP: 0.9 as never, ...more },
      );
      return [body['thinking'], body['output_config'], body['temperature'], body['top_p']];
    };
    expect(thought('claude-sonnet-4-5-20250929', null)).toEqual([undefined, undefined, 0.5, undefined]);
    expect(thought('claude-opus-4-8', null)).toEqual([undefined, undefined, undefined, undefined]);
    expect(thought('claude-3-7-sonnet-latest', 'none')).toEqual([undefined, undefined, 0.5, undefined]);
    for (const model of [
      'claude-sonnet-4-5-20250929',
      'claude-opus-4-20250514',
      'claude-3-7-sonnet-20250219',
      'claude-haiku-4-5',
      'kimi-k2.5',
    ])
      expect([model, thought(model, 'medium')]).toEqual([
        model,
        [{ type: 'enabled', budget_tokens: 10_240 }, undefined, undefined, undefined],
      ]);
    expect(thought('claude-3-5-haiku-20241022', 'high')).toEqual([undefined, undefined, 0.5, undefined]);
    expect(thought('claude-opus-4-6', 'xhigh')).toEqual([{ type: 'adaptive' }, { effort: 'high' }, undefined, undefined]);
    for (const model of ['claude-opus-4-7', 'claude-sonnet-5-5', 'anthropic/claude-opus-5', 'claude-fable-5-2'])
      expect([model, thought(model, 'xhigh')]).toEqual([
        model,
        [{ type: 'adaptive', display: 'summarized' }, { effort: 'xhigh' }, undefined, undefined],
      ]);
    expect(thought('claude-haiku-4-5', 'high', { maxOutputTokens: 1500 })[0]).toBeUndefined();
  });

  test('no budget in the middle of calls that another model began without thoughts', () => {
    const began = (extras: AssistantMessage['extras']) =>
      bodyOf([{ role: 'user', text: 'x' }, answer([{ id: 'a', name: 'time', argsText: '{}' }], { extras }), result('a', '1')], {
        reasoningEffort: 'low',
      })['thinking'];
    expect(began({})).toBeUndefined();
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'tool_use', id: 'a', name: 'time', input: {} },
    ];
    expect(began({ origin: { api: 'anthropic', baseUrl: 'http://x/v1', model: profile.model }, blocks })).toEqual({
      type: 'enabled',
      budget_tokens: 4096,
    });
  });
});

const RECORDED = '../shared/fixtures/recordings';

/** Requests of a recorded client that went on from a recorded answer. */
(existsSync(RECORDED) ? test : test.skip).each(['anthropic-parallel-tools', 'anthropic-tool-with-thinking', 'anthropic-redacted-thinking'])(
  'what goes back after %s is what was accepted',
  async (name) => {
    const { interactions } = JSON.parse(readFileSync(`${RECORDED}/${name}.json`, 'utf8')) as {
      readonly interactions: readonly {
        readonly request: {
          readonly json: { readonly messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[] };
        };
        readonly response: { readonly json: JsonObject };
      }[];
    };
    const recorded = interactions[1]?.request.json.messages ?? [];
    const fetch = async () =>
      new Response(JSON.stringify(interactions[0]?.response.json), { headers: { 'content-type': 'application/json' } });
    const { provider } = await openProvider(profile, { fetch });
    const { done } = await collect(provider, ask());
    // The person's part as it was recorded, the model's part as it was read from the answer.
    const history = recorded.flatMap(({ role, content }): readonly Message[] => {
      if (role === 'assistant') return [done.message];
      return content.map((block) =>
        block['type'] === 'tool_result'
          ? result(String(block['tool_use_id']), String(block['content']))
          : { role: 'user', text: String(block['text']) },
      );
    });
    const sent = bodyOf(history)['messages'] as readonly { readonly role: string; readonly content: readonly JsonObject[] }[];
    const plain = sent.map(({ role, content }) => ({ role, content: content.map(({ cache_control: _, ...block }) => block) }));
    const accepted = recorded.map(({ role, content }) => ({
      role,
      content: content.map(({ is_error: failed, ...block }) => (failed === true ? { ...block, is_error: true } : block)),
    }));
    expect(plain).toEqual(accepted);
  },
);

describe('over the wire', () => {
  let server: ReplayServer;
  beforeAll(async () => {
    server = await startReplayServer();
  });
  afterAll(() => server.close());

  const content = [
    { type: 'thinking', thinking: '', signature: 'signed' },
    { type: 'redacted_thinking', data: 'abc' },
    { type: 'text', text: '' },
    { type: 'text', text: 'I look.', citations: null },
    { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
    { type: 'tool_use', id: 'toolu_1', name: 'time', input: { zone: 'UTC' }, caller: { type: 'direct' } },
  ];
  const whole = JSON.stringify({
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 4 },
  });

  test('the address, the key and the version', async () => {
    for (const [provider, wanted] of [
      ['anthropic', { 'x-api-key': 'key-0123456789', authorization: undefined }],
      ['other', { 'x-api-key': 'key-0123456789', authorization: 'Bearer key-0123456789' }],
    ] as const) {
      server.script({ headers: { 'content-type': 'application/json' }, body: whole });
      const under = await openProvider(profileFor('anthropic', server.baseUrl, { provider }));
      await collect(under.provider, ask());
      await under.http.close();
      const seen = server.seen.at(-1);
      expect({ url: seen?.url, 'x-api-key': seen?.headers['x-api-key'], authorization: seen?.headers.authorization }).toEqual({
        url: '/v1/messages',
        ...wanted,
      });
      expect(seen?.headers['anthropic-version']).toBe('2023-06-01');
      expect(JSON.stringify(seen?.headers)).not.toMatch(/stainless|openai/i);
    }
  });

  test('thoughts, signatures and blocks that nobody knows go back untouched, to the same model alone', async () => {
    server.script({ headers: { 'content-type': 'application/json' }, body: whole });
    const own = profileFor('anthropic', server.baseUrl);
    const under = await openProvider(own);
    const { done } = await collect(under.provider, ask());
    await under.http.close();
    expect(done.message.calls).toEqual([{ id: 'toolu_1', name: 'time', argsText: '{"zone":"UTC"}' }]);
    const back = (more: Partial<ModelProfile>, message = done.message) => {
      const body = anthropicProtocol.body(ask({ role: 'user', text: 'x' }, message, result('toolu_1', '1')), { ...own, ...more }, tuning);
      const turn = (body['messages'] as readonly { readonly content: readonly JsonObject[] }[])[1];
      return turn?.content.map(({ cache_control: _, ...block }) => block);
    };
    expect(back({})).toEqual(content.filter((block) => block.type !== 'text' || block.text !== ''));
    const plain = [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'time', input: { zone: 'UTC' } },
    ];
    expect(back({ model: 'another' })).toEqual(plain);
    expect(back({}, { ...done.message, incomplete: true })).toEqual(plain);
    expect(back({}, { ...done.message, calls: [] })).toEqual(plain.slice(0, 1));
  });
});

describe('what streams amount to', () => {
  function run(events: readonly object[]) {
    const assembler = assembleAnthropic({ profile, usedIds: new Set(['toolu_1']), failure: { profile, secrets: [], nowMs: 0 } });
    const shown = events
      .flatMap((event) => assembler.take(event))
      .map((delta) => (delta.type === 'done' ? '' : `${delta.type}:${delta.text}`));
    return { done: assembler.finish(false), shown: shown.join('|'), ended: assembler.restMs !== null };
  }
  const delta = (index: number, of: object) => ({ type: 'content_block_delta', index, delta: of });
  const begin = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
  const end = (reason: string, usage: object = {}) => [
    { type: 'message_delta', delta: { stop_reason: reason }, usage },
    { type: 'message_stop' },
  ];

  test('what was read from and written to the cache is input; later figures replace earlier ones', () => {
    const { done } = run([
      {
        type: 'message_start',
        message: { usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 30, output_tokens: 1 } },
      },
      begin(0, { type: 'text', text: 'x' }),
      ...end('end_turn', { output_tokens: 7, input_tokens: null }),
    ]);
    expect(done).toMatchObject({
      usage: { inputTokens: 140, outputTokens: 7, cachedTokens: 100, cacheWriteTokens: 30, reasoningTokens: null },
    });
  });

  test('calls side by side, ids in use before, arguments that are broken, whole or left out', () => {
    const { done } = run([
      begin(0, { type: 'tool_use', id: 'toolu_1', name: 'a', input: {} }),
      begin(1, { type: 'tool_use', id: 'toolu_1', name: 'b', input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '{"n":' }),
      delta(0, { type: 'input_json_delta', partial_json: '{"n":1}' }),
      begin(2, { type: 'tool_use', id: '', name: 'c', input: { whole: true } }),
      begin(3, { type: 'tool_use', id: 'x', name: 'd' }),
      ...end('tool_use'),
    ]);
    expect(done).toMatchObject({
      finish: 'tool-calls',
      message: {
        calls: [
          { id: 'toolu_1_2', name: 'a', argsText: '{"n":1}' },
          { id: 'toolu_1_3', name: 'b', argsText: '{"n":' },
          { id: 'call_1', name: 'c', argsText: '{"whole":true}' },
          { id: 'x', name: 'd', argsText: '{}' },
        ],
      },
    });
  });

  test('thoughts apart, citations kept, and blocks that were never announced', () => {
    const { done, shown } = run([
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'si' }),
      delta(0, { type: 'signature_delta', signature: 'gn' }),
      delta(1, { type: 'thinking_delta', thinking: 'so' }),
      delta(2, { type: 'text_delta', text: 'yes' }),
      delta(2, { type: 'citations_delta', citation: { url: 'u' } }),
      ...end('end_turn'),
    ]);
    expect(shown).toBe('reasoning:hm|reasoning:\n\nso|text:yes');
    expect(done).toMatchObject({
      message: {
        text: 'yes',
        reasoning: 'hm\n\nso',
        extras: { blocks: [{ type: 'thinking', signature: 'sign' }, {}, { citations: [{ url: 'u' }] }] },
      },
    });
  });

  test.each([
    ['max_tokens', 'length', true],
    ['model_context_window_exceeded', 'length', true],
    ['refusal', 'refusal', false],
    ['pause_turn', 'other', true],
    ['stop_sequence', 'tool-calls', false],
  ] as const)('stop_reason %s', (reason, finish, incomplete) => {
    const { done } = run([begin(0, { type: 'tool_use', id: 'a', name: 'x', input: {} }), ...end(reason)]);
    expect(done).toMatchObject({ finish, raw: reason, message: { incomplete, calls: incomplete ? [] : [{ id: 'a' }] } });
  });

  test('without message_stop it has not ended', () => {
    const events = [begin(0, { type: 'text', text: 'x' }), ...end('end_turn')];
    expect(run(events.slice(0, -1))).toMatchObject({ done: null, ended: false });
    expect(run(events).ended).toBe(true);
  });
});
