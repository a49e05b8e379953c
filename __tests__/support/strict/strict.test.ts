/** The judge itself: requests that real servers take, and each with one thing wrong, refused for that. */

import type { ProviderName } from '../../../lib/config/profiles.js';
import { faultOf } from '../../models/strict-requests.js';
import { png } from '../pictures.js';
import { type Json, sealFor } from './rules.js';

const schema = {
  type: 'object',
  properties: { command: { type: 'string' }, wait: { anyOf: [{ type: 'boolean' }] } },
  required: ['command'],
};
/** A path into a body and what is put there; undefined takes it away. */
type Change = readonly [path: string, value: unknown];

/** A copy of `body` with something else at a place. */
function changed(body: Json, [path, value]: Change): Json {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

describe('chat completions', () => {
  const call = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'run_shell', arguments: args } });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: '' });
  const good: Json = {
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: null, tool_calls: [call('a12345678'), call('b12345678')] },
      result('b12345678'),
      result('a12345678'),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'go on' },
    ],
    tools: [{ type: 'function', function: { name: 'run_shell', description: 'Runs.', parameters: schema } }],
  };
  const besideCalls = changed(good, ['messages.2.reasoning_content', '']);

  test.each<readonly [ProviderName, Json]>([
    ['other', good],
    ['openai', good],
    ['mistral', good],
    ['groq', good],
    ['deepseek', besideCalls],
    ['moonshot', besideCalls],
    ['gemini', changed(good, ['messages.2.tool_calls.0.extra_content', { google: { thought_signature: 's' } }])],
  ])('%s takes a sound one', (provider, body) => {
    expect(faultOf('chat', body, provider)).toBeNull();
  });

  const rows: readonly (readonly [string, Change, string, ProviderName?])[] = [
    ['no model', ['model', undefined], 'you must provide a model'],
    ['no messages', ['messages', []], 'empty array'],
    ['an unknown role', ['messages.1.role', 'function'], "Invalid value: 'function'"],
    ['the system in the middle', ['messages.1.role', 'system'], 'must be at the beginning'],
    ['a prompt of nothing', ['messages.1.content', ''], 'expected a string'],
    ['an answer of nothing', ['messages.5.content', null], 'either content or tool_calls'],
    ['an empty list of calls', ['messages.5.tool_calls', []], 'empty array'],
    ['a call without a result', ['messages.3', { role: 'user', content: 'x' }], 'did not have response messages: a12345678, b12345678'],
    ['a result without a call', ['messages.5', result('c')], 'must be a response to a preceeding message'],
    ['a result twice', ['messages.4', result('b12345678')], 'must be a response to a preceeding message'],
    ['the same id twice in a message', ['messages.2.tool_calls.1', call('a12345678')], 'is there twice'],
    ['the same id again later', ['messages.5', { role: 'assistant', tool_calls: [call('a12345678')] }], 'is there twice'],
    ['an id of 41 characters', ['messages.2.tool_calls.0.id', 'x'.repeat(41)], 'does not match'],
    ['no id', ['messages.2.tool_calls.0.id', undefined], 'does not match'],
    ['a name with a dot', ['messages.2.tool_calls.0.function.name', 'a.b'], 'does not match pattern'],
    ['half arguments', ['messages.2.tool_calls.0.function.arguments', '{"a":'], 'no JSON object'],
    ['arguments that are a list', ['messages.2.tool_calls.0.function.arguments', '[]'], 'no JSON object'],
    ['a result of null', ['messages.3.content', null], "Invalid type for 'messages[3].content'"],
    ['stream_options alone', ['stream', undefined], 'only allowed when'],
    ['no tools in the list', ['tools', []], 'empty array'],
    ['a tool whose schema is no object', ['tools.0.function.parameters', { type: 'string' }], '\'type: "object"\''],
    ['a property without a type', ['tools.0.function.parameters.properties.command', {}], "must have a 'type' key"],
    ['a list of types', ['tools.0.function.parameters.properties.command', { type: ['string', 'null'] }], 'no single type'],
    ['a list without items', ['tools.0.function.parameters.properties.command', { type: 'array' }], 'missing items'],
    ['a required property that is none', ['tools.0.function.parameters.required', ['nothing']], 'no property'],
    ['half a surrogate pair', ['messages.1.content', 'x\ud83d'], 'no low surrogate'],
    ['Mistral: an id of its own shape only', ['messages.2.tool_calls.0.id', 'call_1'], 'does not match', 'mistral'],
    ['Mistral: the user after a tool', ['messages.5', { role: 'user', content: 'x' }], "'user' after role 'tool'", 'mistral'],
    ['Mistral: an answer at the end', ['messages.6', { role: 'assistant', content: 'x' }], 'Expected last role', 'mistral'],
    ['Mistral: an unknown field', ['messages.5.reasoning', 'x'], 'unsupported', 'mistral'],
    ['Ministral anywhere: the user twice', ['messages.0.role', 'user'], 'must alternate', 'vllm'],
    ['Groq: an unknown field', ['messages.5.reasoning', 'x'], 'unsupported', 'groq'],
    ['DeepSeek: calls without reasoning', ['model', 'm'], 'Missing `reasoning_content`', 'deepseek'],
    ['Gemini: an unsigned call', ['model', 'm'], 'missing a thought_signature', 'gemini'],
  ];
  test.each(rows.map(([what, change, words, provider = 'other']) => [what, change, words, provider] as const))(
    '%s',
    (_, change, words, provider) => {
      const sound = words === 'only allowed when' ? changed(good, ['stream_options', {}]) : good;
      const body = provider === 'vllm' ? { ...sound, model: 'Ministral-3-8B' } : sound;
      expect(faultOf('chat', changed(body, change), provider)).toContain(words);
    },
  );

  test('calls at the end have no results', () => {
    const messages = [...(good['messages'] as readonly Json[]).slice(0, 3)];
    expect(faultOf('chat', { ...good, messages })).toContain('did not have response messages');
  });
});

describe('responses', () => {
  const call = (id: string, item: string) => ({ type: 'function_call', id: item, call_id: id, name: 'run_shell', arguments: '{}' });
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: '' });
  const good: Json = {
    model: 'm',
    instructions: 'Be brief.',
    store: false,
    input: [
      { role: 'user', content: 'hello' },
      { type: 'reasoning', id: 'rs_r1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: sealFor('m', 'Hm.') },
      { type: 'message', id: 'msg_r1', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      call('a', 'fc_r1_0'),
      call('b', 'fc_r1_1'),
      output('a'),
      output('b'),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'go on' },
    ],
    tools: [{ type: 'function', name: 'run_shell', description: 'Runs.', parameters: schema, strict: false }],
  };

  test('takes a sound one', () => {
    expect(faultOf('responses', good)).toBeNull();
  });

  test.each<readonly [string, Change, string]>([
    ['no model', ['model', ''], "'model'"],
    ['no instructions', ['instructions', ''], 'Instructions are required'],
    ['a store', ['store', true], 'Store must be set to false'],
    ['no input', ['input', []], "'input'"],
    ['a system message', ['input.0.role', 'system'], 'System messages are not allowed'],
    ['an unknown role', ['input.0.role', 'tool'], "Invalid value: 'tool'"],
    ['an unknown item', ['input.0.type', 'thing'], "Invalid value: 'thing'"],
    ['a prompt of nothing', ['input.0.content', ''], 'it is empty'],
    ['a message without content', ['input.0.content', undefined], "'input[0].content'"],
    ['what the assistant never says', ['input.2.content.0.type', 'input_text'], 'output_text'],
    ['reasoning without its content', ['input.1.encrypted_content', undefined], 'not persisted'],
    ['reasoning of another model', ['input.1.encrypted_content', sealFor('other', 'Hm.')], 'could not be verified'],
    ['reasoning that was changed', ['input.1.summary.0.text', 'Ah.'], 'could not be verified'],
    ['reasoning that nothing follows', ['input.2', { role: 'user', content: 'x' }], 'required following item'],
    ['what followed reasoning, without it', ['input.1', { role: 'user', content: 'x' }], "required 'reasoning' item"],
    ['an item twice', ['input.4.id', 'fc_r1_0'], 'Duplicate item'],
    ['the id of another kind of item', ['input.3.id', 'msg_7'], "begins with 'fc'"],
    ['a call without an output', ['input.6', { role: 'user', content: 'x' }], 'No tool output found for function call b'],
    ['an output without a call', ['input.7', output('c')], 'No tool call found'],
    ['an output twice', ['input.6', output('a')], 'No tool call found'],
    ['a call id twice', ['input.4.call_id', 'a'], 'is there twice'],
    ['a call id of 65 characters', ['input.3.call_id', 'x'.repeat(65)], 'maximum length of 64'],
    ['a name with a blank', ['input.3.name', 'a b'], 'does not match pattern'],
    ['half arguments', ['input.3.arguments', '{"a"'], 'no JSON object'],
    ['an output of null', ['input.5.output', null], "'input[5].output'"],
    ['a tool of the other protocol', ['tools.0', { type: 'function', function: { name: 'x', parameters: schema } }], "'tools[0].name'"],
    ['half a surrogate pair', ['input.5.output', '\udc00'], 'no low surrogate'],
  ])('%s', (_, change, words) => {
    expect(faultOf('responses', changed(good, change))).toContain(words);
  });

  test('a call at the end has no output', () => {
    expect(faultOf('responses', { ...good, input: [...(good['input'] as readonly Json[]), call('c', 'fc_p2_0')] })).toContain(
      'No tool output found',
    );
  });
});

describe('anthropic', () => {
  const use = (id: string) => ({ type: 'tool_use', id, name: 'run_shell', input: {} });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
  const words = (said: string) => ({ type: 'text', text: said });
  const good: Json = {
    model: 'm',
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [words('hello')] },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'Hm.', signature: sealFor('m', 'Hm.') }, words('I look.'), use('a'), use('b')],
      },
      { role: 'user', content: [result('b'), result('a'), words('and be quick')] },
    ],
    tools: [{ name: 'run_shell', description: 'Runs.', input_schema: schema }],
  };

  test('takes a sound one', () => {
    expect(faultOf('anthropic', good)).toBeNull();
  });

  const mark = { cache_control: { type: 'ephemeral' } };
  test.each<readonly [string, Change, string]>([
    ['no model', ['model', undefined], 'model: Field required'],
    ['no limit', ['max_tokens', undefined], 'max_tokens'],
    ['a field that is not known', ['stream_options', {}], 'stream_options: Extra inputs'],
    ['no messages', ['messages', []], 'at least one message'],
    ['the assistant first', ['messages.0.role', 'assistant'], 'first message must use the "user" role'],
    ['two of the user in a row', ['messages.1.role', 'user'], 'roles must alternate'],
    ['a role of the other protocol', ['messages.0.role', 'system'], "'user' or 'assistant'"],
    ['an empty message', ['messages.0.content', []], 'non-empty content'],
    ['an empty text', ['messages.0.content.0.text', ''], 'must be non-empty'],
    ['blanks alone', ['messages.0.content.0.text', ' \n'], 'non-whitespace'],
    ['an empty system prompt', ['system.0.text', ''], 'system: text content blocks'],
    ['a call without a result', ['messages.2.content', [result('b')]], 'without `tool_result` blocks immediately after: a'],
    ['words before the results', ['messages.2.content', [words('x'), result('a'), result('b')]], 'immediately after: a, b'],
    ['words between the results', ['messages.2.content', [result('a'), words('x'), result('b')]], 'immediately after: b'],
    ['a result without a call', ['messages.2.content', [result('a'), result('b'), result('c')]], 'unexpected `tool_use_id`'],
    ['a result twice', ['messages.2.content', [result('a'), result('b'), result('a')]], 'a single result'],
    ['an id twice', ['messages.1.content.3', use('a')], 'ids must be unique'],
    ['an id with a dot', ['messages.1.content.2', use('functions.x:0')], 'tool_use.id'],
    ['an id of 65 characters', ['messages.1.content.2', use('x'.repeat(65))], 'tool_use.id'],
    ['a name with a blank', ['messages.1.content.2.name', 'a b'], 'tool_use.name'],
    ['input that is text', ['messages.1.content.2.input', '{}'], 'valid dictionary'],
    ['a call of the user', ['messages.0.content', [use('c')]], 'not expected'],
    ['an error of nothing', ['messages.2.content.0', { ...result('b'), content: '', is_error: true }], 'cannot be empty'],
    ['thoughts without a signature', ['messages.1.content.0.signature', ''], 'signature: Field required'],
    ['thoughts of another model', ['messages.1.content.0.signature', sealFor('other', 'Hm.')], 'Invalid `signature`'],
    ['thoughts that were changed', ['messages.1.content.0.thinking', 'Ah.'], 'Invalid `signature`'],
    ['thoughts at the end', ['messages.1.content.4', { type: 'thinking', thinking: 'x', signature: 's' }], 'final block'],
    ['thoughts that are gone', ['messages.1.content.0', words('x')], 'Expected `thinking`'],
    ['thoughts that bear a mark', ['messages.1.content.0.cache_control', mark.cache_control], 'Extra inputs'],
    ['a budget above the limit', ['max_tokens', 1000], '`max_tokens` must be greater'],
    ['a small budget', ['thinking.budget_tokens', 100], 'greater than or equal to 1024'],
    ['thoughts at another temperature', ['temperature', 0.5], '`temperature` may only be set to 1'],
    [
      'five marks',
      ['messages.2.content', [{ ...result('a'), ...mark }, { ...result('b'), ...mark }, ...[1, 2].map(() => ({ ...words('x'), ...mark }))]],
      'A maximum of 4',
    ],
    ['calls without tools', ['tools', undefined], 'must define tools'],
    ['a tool twice', ['tools.1', { name: 'run_shell', input_schema: schema }], 'Tool names must be unique'],
    ['half a surrogate pair', ['messages.1.content.2.input', { command: '\ud83d' }], 'no low surrogate'],
  ])('%s', (_, change, said) => {
    // The fifth mark is on a tool.
    const body = said === 'A maximum of 4' ? changed(good, ['tools.0.cache_control', mark.cache_control]) : good;
    expect(faultOf('anthropic', changed(body, change))).toContain(said);
  });

  test.each([
    ['the assistant last', { role: 'assistant', content: [words('x')] }, 'end with a user message'],
    ['calls last', { role: 'assistant', content: [use('c')] }, 'without `tool_result` blocks'],
  ])('%s', (_, message, said) => {
    expect(faultOf('anthropic', { ...good, thinking: undefined, messages: [...(good['messages'] as readonly Json[]), message] })).toContain(
      said,
    );
  });
});

describe('pictures', () => {
  const data = png(2, 2).toString('base64');
  const noPicture = Buffer.from('no picture').toString('base64');
  const url = (of: string, type = 'image/png') => `data:${type};base64,${of}`;
  const chat = (role: string, image: unknown): Json => ({
    model: 'm',
    messages: [
      { role: 'user', content: 'hello' },
      { role, content: [{ type: 'text', text: 'look' }, image] },
    ],
  });
  const inChat = (of: string) => ({ type: 'image_url', image_url: { url: of } });
  const responses = (of: unknown): Json => ({
    model: 'm',
    instructions: 'x',
    store: false,
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: of }] }],
  });
  const block = (of: string, type = 'image/png') => ({ type: 'image', source: { type: 'base64', media_type: type, data: of } });
  const anthropic = (image: unknown): Json => ({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [image] }] });
  const result = (more: Json): Json => ({
    model: 'm',
    max_tokens: 1,
    tools: [{ name: 'x', input_schema: schema }],
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [block(data)], ...more }] },
    ],
  });

  test('sound ones are taken', () => {
    expect(faultOf('chat', chat('user', inChat(url(data))))).toBeNull();
    expect(faultOf('responses', responses(url(data)))).toBeNull();
    expect(faultOf('anthropic', anthropic(block(data)))).toBeNull();
    expect(faultOf('anthropic', result({}))).toBeNull();
  });

  test.each<readonly [string, 'chat' | 'responses' | 'anthropic', Json, string]>([
    ['of the assistant', 'chat', chat('assistant', inChat(url(data))), "only allowed for messages with role 'user'"],
    ['an address elsewhere', 'chat', chat('user', inChat('file:///x.png')), 'base64-encoded data URL'],
    ['bytes that are none', 'chat', chat('user', inChat(url(noPicture))), 'could not be processed'],
    ['another type than the bytes', 'responses', responses(url(data, 'image/jpeg')), 'not to be of the type image/jpeg'],
    ['a type that is not taken', 'responses', responses(url(data, 'image/bmp')), 'Input should be'],
    ['line ends in the base64', 'anthropic', anthropic(block(`${data}\n`)), 'invalid base64'],
    ['more than 5 MB', 'anthropic', anthropic(block('A'.repeat(5 * 1024 * 1024 + 4))), 'exceeds'],
    ['a long side', 'anthropic', anthropic(block(png(8001, 1).toString('base64'))), '8000 pixels'],
    ['one that is cut off', 'anthropic', anthropic(block(png(2, 2).subarray(0, 40).toString('base64'))), 'could not be processed'],
    ['in the result of an error', 'anthropic', result({ is_error: true }), 'must be type "text"'],
  ])('%s', (_, api, body, words) => {
    expect(faultOf(api, body)).toContain(words);
  });
});
