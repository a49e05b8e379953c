/** Pictures in a request: where each protocol puts them, what becomes of those that are not taken, and what stays the same from one request to the next. */

import type { ModelProfile } from '../../lib/config/profiles.js';
import { anthropicProtocol } from '../../lib/models/anthropic.js';
import { chatProtocol } from '../../lib/models/chat.js';
import { imageLimits, withSendableImages } from '../../lib/models/images.js';
import { responsesProtocol } from '../../lib/models/responses.js';
import type { AssistantMessage, ImagePart, Message } from '../../lib/protocol/messages.js';
import { png } from '../support/pictures.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { startReplayServer } from './replay-server.js';
import { faultOf } from './strict-requests.js';

const tuning = { temperature: null, topP: null, contextTokens: 100_000, maxOutputTokens: null };
const data = png(2, 2).toString('base64');
const url = `data:image/png;base64,${data}`;
const picture = (name: string): ImagePart => ({ mediaType: 'image/png', data, name, width: 2, height: 2 });

const calling: AssistantMessage = {
  role: 'assistant',
  text: '',
  reasoning: '',
  calls: [
    { id: 'a', name: 'look', argsText: '{}' },
    { id: 'b', name: 'look', argsText: '{}' },
  ],
  extras: {},
  incomplete: false,
};
const attached = [{ kind: 'file', name: 'n.md', bytes: 2, text: '<file path="n.md">\nhi\n</file>' }] as const;
const conversation: readonly Message[] = [
  { role: 'user', text: 'what is this?', attached, images: [picture('x.png')] },
  calling,
  { role: 'tool', callId: 'a', name: 'look', text: '{"result":1}', isError: false, images: [picture('shot.png')] },
  { role: 'tool', callId: 'b', name: 'look', text: '{"error":"no"}', isError: true, images: [picture('y.png')] },
];
const words = 'what is this?\n\n<file path="n.md">\nhi\n</file>';

describe('chat', () => {
  const messagesOf = (messages: readonly Message[], more: Partial<ModelProfile> = {}) =>
    chatProtocol.body(ask(...messages), profileFor('chat', 'http://x/v1', more), tuning)['messages'];
  const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
  const image = { type: 'image_url', image_url: { url } };
  const ofUser = { role: 'user', content: [{ type: 'text', text: words }, image] };
  const results = [
    { role: 'tool', tool_call_id: 'a', content: '{"result":1}' },
    { role: 'tool', tool_call_id: 'b', content: '{"error":"no"}' },
  ];
  const ofResults = {
    role: 'user',
    content: [{ type: 'text', text: '[harness] Images of the results above: shot.png, y.png' }, image, image],
  };

  test('those of results come behind the last of them', () => {
    expect(messagesOf(conversation)).toEqual([
      { role: 'system', content: 'Be brief.' },
      ofUser,
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      ...results,
      ofResults,
    ]);
  });

  test('what was sent stays as it is when the conversation goes on', () => {
    const answer: AssistantMessage = { ...calling, calls: [], text: 'A square.' };
    const later = messagesOf([...conversation, answer, { role: 'user', text: 'thanks' }]) as readonly unknown[];
    expect(later.slice(0, 6)).toEqual(messagesOf(conversation));
    expect(later.slice(6)).toEqual([
      { role: 'assistant', content: 'A square.' },
      { role: 'user', content: 'thanks' },
    ]);
  });

  test('Mistral: an answer stands between, and words of the user that follow are of the same message', () => {
    const body = chatProtocol.body(
      ask(...conversation, { role: 'user', text: 'and quick' }),
      profileFor('chat', 'http://x/v1', { provider: 'mistral' }),
      tuning,
    );
    const messages = body['messages'] as readonly unknown[];
    expect(messages.slice(5)).toEqual([
      { role: 'assistant', content: 'I have read the results.' },
      { role: 'user', content: [...ofResults.content, { type: 'text', text: 'and quick' }] },
    ]);
    expect(faultOf('chat', body, 'mistral')).toBeNull();
  });

  test('a cache mark goes onto the text of a message with pictures', () => {
    const messages = messagesOf([...conversation, { role: 'user', text: 'now' }], {
      provider: 'openrouter',
      model: 'anthropic/claude-sonnet-4.5',
    }) as readonly unknown[];
    const [first, ...others] = ofResults.content;
    expect(messages[5]).toEqual({ role: 'user', content: [{ ...first, cache_control: { type: 'ephemeral' } }, ...others] });
  });
});

test('responses: in the content of the user, and in the output of a call', () => {
  const { input } = responsesProtocol.body(ask(...conversation), profileFor('responses', 'http://x/v1'), tuning);
  const image = { type: 'input_image', image_url: url, detail: 'auto' };
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' });
  const output = (id: string, text: string) => ({
    type: 'function_call_output',
    call_id: id,
    output: [{ type: 'input_text', text }, image],
  });
  expect(input).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: words }, image] },
    call('a'),
    call('b'),
    output('a', '{"result":1}'),
    output('b', '{"error":"no"}'),
  ]);
});

test('anthropic: as blocks, also of a result, but never of an error; the room for the answer does not count their base64', () => {
  const body = anthropicProtocol.body(ask(...conversation), profileFor('anthropic', 'http://x/v1'), tuning);
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
  expect(body['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: words }, image] },
    { role: 'assistant', content: [use('a'), use('b')] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'text', text: '{"result":1}' }, image],
          cache_control: { type: 'ephemeral' },
        },
        { type: 'tool_result', tool_use_id: 'b', content: '{"error":"no"}', is_error: true },
      ],
    },
  ]);
  const large: Message = { role: 'user', text: 'see', images: [{ ...picture('l.png'), data: 'A'.repeat(3_000_000) }] };
  expect(anthropicProtocol.body(ask(large), profileFor('anthropic', 'http://x/v1'), tuning)['max_tokens']).toBe(8192);
});

test.each(['chat', 'responses', 'anthropic'] as const)('%s: a strict server takes it', (api) => {
  const protocol = { chat: chatProtocol, responses: responsesProtocol, anthropic: anthropicProtocol }[api];
  expect(faultOf(api, protocol.body(ask(...conversation), profileFor(api, 'http://x/v1'), tuning))).toBeNull();
});

describe('what is not sent', () => {
  const limitsOf = (more: Partial<ModelProfile>, takes = true) => imageLimits(profileFor('chat', 'http://x/v1', more), takes);

  test('a model that takes none reads of each what it was', () => {
    expect(withSendableImages(conversation, limitsOf({}, false))).toEqual([
      { role: 'user', text: 'what is this?\n[image x.png, 75 B: not shown, this model takes no images]', attached },
      calling,
      {
        role: 'tool',
        callId: 'a',
        name: 'look',
        text: '{"result":1}\n[image shot.png, 75 B: not shown, this model takes no images]',
        isError: false,
      },
      {
        role: 'tool',
        callId: 'b',
        name: 'look',
        text: '{"error":"no"}\n[image y.png, 75 B: not shown, this model takes no images]',
        isError: true,
      },
    ]);
  });

  test('of more than a server takes the newest are sent, and none that is too large', () => {
    const images = ['1', '2', '3', '4', '5', '6'].map(picture);
    const message: Message = { role: 'user', text: 'see', images };
    const [sent] = withSendableImages([message], limitsOf({ provider: 'groq' }));
    expect(sent).toEqual({ role: 'user', text: 'see\n[image 1, 75 B: not shown, there are newer ones]', images: images.slice(1) });
    const large: Message = { role: 'user', text: 'see', images: [{ ...picture('l.png'), data: 'A'.repeat(4_000_004) }] };
    expect(withSendableImages([large], limitsOf({ provider: 'groq' }))).toEqual([
      { role: 'user', text: 'see\n[image l.png, 3.0 MB: not shown, it is too large]' },
    ]);
  });

  test('of more than all of a request may be, the newest are sent', () => {
    const page = (name: string): ImagePart => ({ ...picture(name), data: 'A'.repeat(4_000_000) });
    const shown = (of: readonly Message[], api: 'anthropic' | 'chat') =>
      withSendableImages(of, imageLimits(profileFor(api, 'http://x/v1'), true)).map(({ text }) => text.split('\n').slice(1).join());
    const messages = ['1', '2', '3', '4', '5', '6', '7', '8'].map((name): Message => ({ role: 'user', text: 'see', images: [page(name)] }));
    const left = (name: string) => `[image ${name}, 3.0 MB: not shown, there are newer ones]`;
    expect(shown(messages, 'anthropic')).toEqual([left('1'), left('2'), '', '', '', '', '', '']);
    expect(shown(messages, 'chat')).toEqual([left('1'), left('2'), left('3'), left('4'), '', '', '', '']);
    // One that is not sent in any case takes no room.
    const large: Message = { role: 'user', text: 'see', images: [{ ...picture('l'), data: 'A'.repeat(30_000_000) }] };
    expect(shown([...messages.slice(0, 6), large], 'anthropic')).toEqual([
      ...['', '', '', '', '', ''],
      '[image l, 22.5 MB: not shown, it is too large]',
    ]);
  });

  test('without pictures it is the very same list', () => {
    const plain: readonly Message[] = [{ role: 'user', text: 'hello' }];
    expect(withSendableImages(plain, limitsOf({}, false))).toBe(plain);
  });

  test.each([
    ['the catalogue knows that it takes them', { model: 'gpt-4o' }, true],
    ['the catalogue knows that it does not', { model: 'deepseek-v3.2' }, false],
    ['nobody knows', { model: 'some-model' }, false],
    ['the profile says yes', { model: 'some-model', images: true }, true],
    ['the profile says no', { model: 'gpt-4o', images: false }, false],
  ])('%s', async (_, more, isSent) => {
    const server = await startReplayServer();
    server.script({
      headers: { 'content-type': 'application/json' },
      body: '{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}',
    });
    const { provider, http } = await openProvider(profileFor('chat', server.baseUrl, more));
    await collect(provider, ask({ role: 'user', text: 'see', images: [picture('x.png')] }));
    await http.close();
    expect(JSON.stringify(server.seen.at(-1)?.json).includes(data)).toBe(isSent);
    await server.close();
  });
});
