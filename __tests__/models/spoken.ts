/** Answers as the servers of each protocol stream them, written once for all three. */

import { sealFor } from '../support/strict/rules.js';

export type Api = 'chat' | 'responses' | 'anthropic';

export const apis: readonly Api[] = ['chat', 'responses', 'anthropic'];

export interface SpokenCall {
  /** Left out: the server gives none. */
  readonly id?: string;
  readonly name: string;
  /** Pieces of the arguments; left out: the server sends none. */
  readonly args?: readonly string[];
}

/** What a server says. */
export interface Spoken {
  readonly reasoning?: string;
  readonly text?: readonly string[];
  readonly calls?: readonly SpokenCall[];
  /** Why it ends; 'calls' or 'stop' when left out. */
  readonly cutShort?: boolean;
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number };
  /** Fields that nobody knows, on the answer and on each call. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  /** The answer's number and the model that gives it: ids of items are made of the one, thoughts are sealed for the other. */
  readonly by?: { readonly answer: number; readonly model: string };
}

/** What stands on thoughts: `plain` when nobody is named. */
function sealOf({ by, reasoning = '' }: Spoken, plain: string): string {
  return by === undefined ? plain : sealFor(by.model, reasoning);
}

/** One event as it stands in the stream. */
export function sse(json: unknown): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

function chatEvents({ reasoning, text = [], calls = [], cutShort = false, usage, unknown = {} }: Spoken): readonly string[] {
  const chunk = (delta: object, finish: string | null = null) => sse({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
  return [
    chunk({ role: 'assistant', content: null, ...unknown }),
    ...(reasoning === undefined ? [] : [chunk({ content: null, reasoning_content: reasoning })]),
    ...text.map((content) => chunk({ content })),
    ...calls.map(({ id, name, args }, index) =>
      call(index, {
        ...(id === undefined ? {} : { id }),
        type: 'function',
        function: { name, ...(args === undefined ? {} : { arguments: '' }) },
        ...unknown,
      }),
    ),
    ...turnByTurn(calls).map(([index, piece]) => call(index, { function: { arguments: piece } })),
    chunk({}, cutShort ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
    ...(usage === undefined
      ? []
      : [
          sse({
            choices: [],
            usage: { prompt_tokens: usage.input, completion_tokens: usage.output, prompt_tokens_details: { cached_tokens: usage.cached } },
          }),
        ]),
    'data: [DONE]\n\n',
  ];
}

/** The pieces of all arguments, one of each call in turn: as parallel calls come. */
function turnByTurn(calls: readonly SpokenCall[]): readonly (readonly [number, string])[] {
  const rounds = Math.max(0, ...calls.map(({ args = [] }) => args.length));
  return Array.from({ length: rounds }, (_, round) =>
    calls.flatMap(({ args = [] }, index) => (args[round] === undefined ? [] : [[index, args[round]] as const])),
  ).flat();
}

function responsesEvents(spoken: Spoken): readonly string[] {
  const { reasoning, text = [], calls = [], cutShort = false, usage, unknown = {}, by } = spoken;
  // The letter tells whether there were thoughts: what follows them may not come back without them.
  const key = by === undefined ? '1' : `${reasoning === undefined ? 'p' : 'r'}${by.answer}`;
  const encrypted = sealOf(spoken, 'enc');
  const items = [
    ...(reasoning === undefined
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${key}`,
            summary: [{ type: 'summary_text', text: reasoning }],
            encrypted_content: encrypted,
            ...unknown,
          },
        ]),
    ...(text.length === 0
      ? []
      : [{ type: 'message', id: `msg_${key}`, role: 'assistant', content: [{ type: 'output_text', text: text.join('') }], ...unknown }]),
    ...calls.map(({ id, name, args = [] }, at) => ({
      type: 'function_call',
      ...(by === undefined ? {} : { id: `fc_${key}_${at}` }),
      ...(id === undefined ? {} : { call_id: id }),
      name,
      arguments: args.join(''),
      ...unknown,
    })),
  ];
  const before = items.length - calls.length;
  const deltas = items.flatMap(({ type }, at): readonly object[] => {
    if (type === 'reasoning')
      return [{ type: 'response.reasoning_summary_text.delta', output_index: at, summary_index: 0, delta: reasoning }];
    return type === 'message'
      ? text.map((delta) => ({ type: 'response.output_text.delta', output_index: at, content_index: 0, delta }))
      : [];
  });
  const response = {
    status: cutShort ? 'incomplete' : 'completed',
    ...(cutShort ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output: items,
    ...(usage === undefined
      ? {}
      : { usage: { input_tokens: usage.input, output_tokens: usage.output, input_tokens_details: { cached_tokens: usage.cached } } }),
  };
  return [
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    ...items.map((item, at) => ({ type: 'response.output_item.added', output_index: at, item: { ...item, arguments: '', content: [] } })),
    ...deltas,
    ...turnByTurn(calls).map(([index, delta]) => ({ type: 'response.function_call_arguments.delta', output_index: before + index, delta })),
    ...items.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
    { type: `response.${response.status}`, response },
  ].map(sse);
}

function anthropicEvents(spoken: Spoken): readonly string[] {
  const { reasoning, text = [], calls = [], cutShort = false, usage, unknown = {} } = spoken;
  const blocks = [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: '', signature: '', ...unknown }]),
    ...(text.length === 0 ? [] : [{ type: 'text', text: '', ...unknown }]),
    ...calls.map(({ id, name }) => ({ type: 'tool_use', ...(id === undefined ? {} : { id }), name, input: {}, ...unknown })),
  ];
  const before = blocks.length - calls.length;
  const delta = (index: number, of: object) => ({ type: 'content_block_delta', index, delta: of });
  return [
    {
      type: 'message_start',
      message: {
        content: [],
        usage:
          usage === undefined ? {} : { input_tokens: usage.input - usage.cached, cache_read_input_tokens: usage.cached, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    ...(reasoning === undefined
      ? []
      : [
          delta(0, { type: 'thinking_delta', thinking: reasoning }),
          delta(0, { type: 'signature_delta', signature: sealOf(spoken, 'signed') }),
        ]),
    ...text.map((piece) => delta(before - 1, { type: 'text_delta', text: piece })),
    ...turnByTurn(calls).map(([index, piece]) => delta(before + index, { type: 'input_json_delta', partial_json: piece })),
    ...blocks.map((_, index) => ({ type: 'content_block_stop', index })),
    {
      type: 'message_delta',
      delta: { stop_reason: cutShort ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn' },
      usage: usage === undefined ? {} : { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ].map(sse);
}

const writers: Readonly<Record<Api, (spoken: Spoken) => readonly string[]>> = {
  chat: chatEvents,
  responses: responsesEvents,
  anthropic: anthropicEvents,
};

/** The events of an answer, the last one being the end that the protocol demands. */
export function eventsOf(api: Api, spoken: Spoken): readonly string[] {
  return writers[api](spoken);
}

/** How each protocol reports a failure inside a stream that began well. */
export function failureEvent(api: Api, code: string, message: string): string {
  if (api === 'responses') return sse({ type: 'response.failed', response: { status: 'failed', error: { code, message } } });
  return api === 'anthropic'
    ? `event: error\n${sse({ type: 'error', error: { type: code, message } })}`
    : sse({ error: { code, message } });
}
