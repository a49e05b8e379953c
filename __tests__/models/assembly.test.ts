/** Answers put together from streams that real servers bend in their own ways. */

import { assembleChat } from '../../lib/models/assemble-chat.js';
import { assembleResponses } from '../../lib/models/assemble-responses.js';
import type { ModelDelta } from '../../lib/models/provider.js';
import type { Assembler } from '../../lib/models/wire.js';
import { profileFor } from './provider-under-test.js';

type Done = Extract<ModelDelta, { type: 'done' }>;

function run(
  make: typeof assembleChat,
  api: 'chat' | 'responses',
  events: readonly unknown[],
  sawDone = true,
): { done: Done; shown: string } {
  const profile = profileFor(api, 'http://x/v1');
  const assembler: Assembler = make({ profile, usedIds: new Set(), failure: { profile, secrets: [], nowMs: 0 } });
  const shown = events
    .flatMap((event) => assembler.take(event))
    .map((delta) => (delta.type === 'done' ? '' : `${delta.type}:${delta.text}`))
    .join('|');
  const done = assembler.finish(sawDone);
  if (done?.type !== 'done') throw new Error('no done');
  return { done, shown };
}

function chat(deltas: readonly object[], finish: string | null = 'tool_calls') {
  const events = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
  return run(assembleChat, 'chat', [...events, { choices: [{ index: 0, delta: {}, finish_reason: finish }] }]);
}

function calls(...pieces: readonly object[]): readonly object[] {
  return pieces.map((piece) => ({ tool_calls: [piece] }));
}

describe('chat: tool calls', () => {
  const f = (name: string | null, args: unknown) => ({ ...(name === null ? {} : { name }), arguments: args });
  const two = [
    { id: 'a', name: 'x', argsText: '{"n":1}' },
    { id: 'b', name: 'y', argsText: '{"n":2}' },
  ];
  test.each([
    [
      'interleaved by index',
      calls(
        { index: 0, id: 'a', function: f('x', '') },
        { index: 1, id: 'b', function: f('y', '{"n"') },
        { index: 0, function: f(null, '{"n":1}') },
        { index: 1, function: f(null, ':2}') },
      ),
    ],
    [
      'without index, by id',
      calls({ id: 'a', function: f('x', '{"n"') }, { id: 'b', function: f('y', '{"n":2}') }, { id: 'a', function: f(null, ':1}') }),
    ],
    [
      'without index, later pieces without id',
      calls({ id: 'a', function: f('x', '{"n"') }, { function: f(null, ':1}') }, { id: 'b', function: f('y', '{"n":2}') }),
    ],
    [
      'the same index for both',
      calls({ index: 0, id: 'a', function: f('x', '{"n":1}') }, { index: 0, id: 'b', function: f('y', '{"n":2}') }),
    ],
    ['arguments as objects', calls({ index: 0, id: 'a', function: f('x', { n: 1 }) }, { index: 1, id: 'b', function: f('y', { n: 2 }) })],
    [
      'both in one chunk',
      [
        {
          tool_calls: [
            { index: 0, id: 'a', function: f('x', '{"n":1}') },
            { index: 1, id: 'b', function: f('y', '{"n":2}') },
          ],
        },
      ],
    ],
    [
      'name and id in every piece',
      calls(
        { index: 0, id: 'a', function: f('x', '{"n"') },
        { index: 0, id: 'a', function: f('x', ':1}') },
        { index: 1, id: 'b', function: f('y', '{"n":2}') },
      ),
    ],
    [
      'null for what is not said',
      calls(
        { index: 0, id: 'a', function: f('x', null) },
        { index: 0, id: null, function: { name: null, arguments: '{"n":1}' } },
        { index: 1, id: 'b', function: f('y', '{"n":2}') },
      ),
    ],
  ] as const)('%s', (_, deltas) => {
    const { done } = chat(deltas);
    expect(done.message.calls).toEqual(two);
    expect(done.finish).toBe('tool-calls');
  });

  test('ids given twice or not at all become unique', () => {
    const same = { function: f('x', '{}') };
    expect(
      chat(
        calls({ index: 0, id: 'a', ...same }, { index: 1, id: 'a', ...same }, { index: 2, ...same }, { index: 3, id: '', ...same }),
      ).done.message.calls.map(({ id }) => id),
    ).toEqual(['a', 'a_2', 'call_1', 'call_2']);
  });

  test('a call without arguments has an empty object', () => {
    expect(chat(calls({ index: 0, id: 'a', function: { name: 'x' } })).done.message.calls).toEqual([
      { id: 'a', name: 'x', argsText: '{}' },
    ]);
  });

  test('calls under finish_reason "stop" are calls all the same', () => {
    expect(chat(calls({ index: 0, id: 'a', function: f('x', '{}') }), 'stop').done.finish).toBe('tool-calls');
  });
});

test.each([
  [{ prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 2 } }, { cachedTokens: 7, cacheWriteTokens: 2 }],
  [{ prompt_cache_hit_tokens: 7 }, { cachedTokens: 7 }],
  [{ cached_tokens: 7 }, { cachedTokens: 7 }],
  [{}, { cachedTokens: null }],
])('chat: what came from a cache, wherever it is told: %j', (more, wanted) => {
  const usage = { prompt_tokens: 10, completion_tokens: 3, ...more };
  const { done } = run(assembleChat, 'chat', [{ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }], usage }]);
  expect(done.usage).toEqual({ inputTokens: 10, outputTokens: 3, reasoningTokens: null, ...wanted });
});

describe('chat: text', () => {
  test('content as a list of parts, with thoughts', () => {
    const { done, shown } = chat(
      [
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
        { content: [{ type: 'text', text: 'yes' }] },
        { content: null },
      ],
      'stop',
    );
    expect(shown).toBe('reasoning:hm|text:yes');
    expect(done).toMatchObject({ finish: 'stop', message: { text: 'yes', reasoning: 'hm', incomplete: false } });
  });

  test.each([
    ['length', 'length', true],
    ['content_filter', 'refusal', false],
    ['weird', 'other', false],
  ] as const)('finish_reason %s', (raw, finish, incomplete) => {
    expect(chat([{ content: 'x' }], raw).done).toMatchObject({ finish, raw, message: { incomplete } });
  });

  test('a call of an answer that was cut short is not handed over', () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{"path":"/etc/pass' } }] };
    expect(chat([{ content: 'I write.' }, call], 'length').done).toMatchObject({
      finish: 'length',
      message: { text: 'I write.', calls: [], incomplete: true },
    });
    const item = { type: 'function_call', call_id: 'a', name: 'x', arguments: '{}' };
    const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [item] };
    const { done } = run(assembleResponses, 'responses', [{ type: 'response.incomplete', response }]);
    expect(done).toMatchObject({ finish: 'length', message: { calls: [], incomplete: true } });
  });

  test('a refusal is text and says so', () => {
    expect(chat([{ refusal: 'I cannot.' }], 'stop').done).toMatchObject({ finish: 'refusal', message: { text: 'I cannot.' } });
  });

  test('an end without finish_reason counts when [DONE] came, else not', () => {
    const events = [{ choices: [{ delta: { content: 'x' } }] }];
    expect(run(assembleChat, 'chat', events).done).toMatchObject({ finish: 'stop', raw: null });
    expect(() => run(assembleChat, 'chat', events, false)).toThrow('no done');
  });

  test('pieces of reasoning details become whole ones, others stay apart', () => {
    const piece = (text: string, index = 0, more = {}) => ({ reasoning_details: [{ type: 'reasoning.text', index, text, ...more }] });
    const { done } = chat(
      [piece('a'), piece('b', 0, { signature: 's' }), piece('c', 1), { reasoning_details: [{ type: 'reasoning.encrypted', data: 'd' }] }],
      'stop',
    );
    expect((done.message.extras['message'] as Record<string, unknown>)['reasoning_details']).toEqual([
      { type: 'reasoning.text', index: 0, text: 'ab', signature: 's' },
      { type: 'reasoning.text', index: 1, text: 'c' },
      { type: 'reasoning.encrypted', data: 'd' },
    ]);
  });
});

describe('responses', () => {
  const responses = (events: readonly unknown[]) => run(assembleResponses, 'responses', events);
  const ended = (response: object) => ({ type: 'response.completed', response: { status: 'completed', output: [], ...response } });

  test('item ids that change between events, and a last event without output', () => {
    const { done } = responses([
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'x', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_2', delta: '{"n"' },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_3', delta: ':1}' },
      { type: 'codex.rate_limits', plan_type: 'plus' },
      ended({}),
    ]);
    expect(done.message.calls).toEqual([{ id: 'c1', name: 'x', argsText: '{"n":1}' }]);
    expect(done.finish).toBe('tool-calls');
  });

  test('two messages and two parts of a summary stand apart, shown as kept', () => {
    const message = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] });
    const { done, shown } = responses([
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'A' },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'B' },
      { type: 'response.output_text.delta', output_index: 1, delta: 'one' },
      { type: 'response.output_text.delta', output_index: 2, delta: 'two' },
      ended({
        output: [
          {
            type: 'reasoning',
            summary: [
              { type: 'summary_text', text: 'A' },
              { type: 'summary_text', text: 'B' },
            ],
          },
          message('one'),
          message('two'),
        ],
      }),
    ]);
    expect(shown).toBe('reasoning:A|reasoning:\n\nB|text:one|text:\n\ntwo');
    expect(done.message).toMatchObject({ text: 'one\n\ntwo', reasoning: 'A\n\nB' });
  });

  test('incomplete is marked with its reason', () => {
    const incomplete = (reason: string) =>
      responses([
        { type: 'response.output_text.delta', output_index: 0, delta: 'x' },
        { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason } } },
      ]).done;
    expect(incomplete('max_output_tokens')).toMatchObject({
      finish: 'length',
      raw: 'incomplete',
      message: { text: 'x', incomplete: true },
    });
    expect(incomplete('content_filter')).toMatchObject({ finish: 'refusal', message: { incomplete: true } });
  });

  test('the older name of the last event is taken too', () => {
    expect(
      responses([
        { type: 'response.output_text.delta', output_index: 0, delta: 'x' },
        { type: 'response.done', response: {} },
      ]).done.message.text,
    ).toBe('x');
  });
});
