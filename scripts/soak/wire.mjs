/** An answer as servers of each protocol stream it: a list of events, each as it stands in the stream. */

const sse = (json) => `data: ${JSON.stringify(json)}\n\n`;

function chat({ reasoning, text, calls }) {
  const chunk = (delta, finish = null) =>
    sse({ id: 'a', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
  return [
    chunk({ role: 'assistant', content: null }),
    ...(reasoning === '' ? [] : [chunk({ reasoning_content: reasoning })]),
    ...pieces(text).map((content) => chunk({ content })),
    ...calls.map(({ id, name }, index) => chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })),
    ...calls.flatMap(({ args }, index) => pieces(args).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }))),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    sse({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
    'data: [DONE]\n\n',
  ];
}

function responses({ reasoning, text, calls }, number) {
  const items = [
    ...(reasoning === ''
      ? []
      : [{ type: 'reasoning', id: `rs_${number}`, summary: [{ type: 'summary_text', text: reasoning }], encrypted_content: 'sealed' }]),
    ...(text === '' ? [] : [{ type: 'message', id: `msg_${number}`, role: 'assistant', content: [{ type: 'output_text', text }] }]),
    ...calls.map(({ id, name, args }, at) => ({ type: 'function_call', id: `fc_${number}_${at}`, call_id: id, name, arguments: args })),
  ];
  const before = items.length - calls.length;
  const deltas = items.flatMap(({ type }, at) => {
    if (type === 'reasoning')
      return [{ type: 'response.reasoning_summary_text.delta', output_index: at, summary_index: 0, delta: reasoning }];
    return type === 'message'
      ? pieces(text).map((delta) => ({ type: 'response.output_text.delta', output_index: at, content_index: 0, delta }))
      : [];
  });
  const usage = { input_tokens: 100, output_tokens: 20, input_tokens_details: { cached_tokens: 0 } };
  return [
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    ...items.map((item, at) => ({ type: 'response.output_item.added', output_index: at, item: { ...item, arguments: '', content: [] } })),
    ...deltas,
    ...calls.flatMap(({ args }, at) =>
      pieces(args).map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: before + at, delta })),
    ),
    ...items.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
    { type: 'response.completed', response: { status: 'completed', output: items, usage } },
  ].map(sse);
}

function anthropic({ reasoning, text, calls }) {
  const blocks = [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: '', signature: '' }]),
    ...(text === '' ? [] : [{ type: 'text', text: '' }]),
    ...calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} })),
  ];
  const before = blocks.length - calls.length;
  const delta = (index, of) => ({ type: 'content_block_delta', index, delta: of });
  return [
    { type: 'message_start', message: { content: [], usage: { input_tokens: 100, output_tokens: 1 } } },
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    ...(reasoning === ''
      ? []
      : [delta(0, { type: 'thinking_delta', thinking: reasoning }), delta(0, { type: 'signature_delta', signature: 'signed' })]),
    ...pieces(text).map((piece) => delta(before - 1, { type: 'text_delta', text: piece })),
    ...calls.flatMap(({ args }, at) => pieces(args).map((part) => delta(before + at, { type: 'input_json_delta', partial_json: part }))),
    ...blocks.map((_, index) => ({ type: 'content_block_stop', index })),
    { type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ].map(sse);
}

/** A text in two, as it comes in a stream; none for an empty one. */
function pieces(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}

const PROTOCOLS = { chat, responses, anthropic };
export const apis = Object.keys(PROTOCOLS);

/** The events of `{ text, reasoning, calls: [{ id, name, args }] }`; `number` makes the ids of its items. */
export const eventsOf = (api, says, number) => PROTOCOLS[api](says, number);
