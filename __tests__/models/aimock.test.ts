/** The three protocols against aimock: parallel calls with their results sent back, and reasoning. */

import { LLMock } from '@copilotkit/aimock';
import type { Message } from '../../lib/protocol/messages.js';
import { ask, collect, openProvider, profileFor, type UnderTest } from './provider-under-test.js';

const mock = new LLMock({ port: 0 });

beforeAll(async () => {
  mock.onMessage('weather', {
    content: 'I look at both.',
    toolCalls: [
      { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { name: 'get_weather', arguments: '{"city":"Rome"}' },
    ],
  });
  mock.onMessage('hello', { content: 'Hi there!', reasoning: 'A greeting.' });
  await mock.start();
});
afterAll(() => mock.stop());

describe.each(['chat', 'responses', 'anthropic'] as const)('%s', (api) => {
  let under: UnderTest;
  beforeEach(async () => {
    under = await openProvider(profileFor(api, `${mock.url}/v1`));
  });
  afterEach(() => under.http.close());

  test('text and reasoning', async () => {
    const { done, text, reasoning } = await collect(under.provider, ask({ role: 'user', text: 'hello' }));
    expect({ text, reasoning, finish: done.finish }).toEqual({ text: 'Hi there!', reasoning: 'A greeting.', finish: 'stop' });
    expect(done.message).toMatchObject({ text: 'Hi there!', reasoning: 'A greeting.', calls: [], incomplete: false });
  });

  test('two calls at once; the answer to their results goes out under the same ids', async () => {
    const first = await collect(under.provider, ask({ role: 'user', text: 'weather' }));
    const { calls } = first.done.message;
    expect(calls.map(({ name, argsText }) => [name, argsText])).toEqual([
      ['get_weather', '{"city":"Oslo"}'],
      ['get_weather', '{"city":"Rome"}'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(first.done).toMatchObject({ finish: 'tool-calls', message: { text: 'I look at both.' } });

    const results = calls.map(
      (call): Message => ({ role: 'tool', callId: call.id, name: call.name, text: '{"result":"rain"}', isError: false }),
    );
    await collect(under.provider, ask({ role: 'user', text: 'weather' }, first.done.message, ...results, { role: 'user', text: 'hello' }));
    const sent = JSON.stringify(mock.getLastRequest()?.body);
    for (const { id } of calls) expect(sent.split(`"${id}"`).length - 1).toBe(2);
  });
});
