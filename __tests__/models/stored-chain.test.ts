/** Responses that the server keeps (`store = true`): only what is new is sent, and all of it whenever that would not be the same. */

import type { HttpClient } from '../../lib/base/http.js';
import type { ModelProvider } from '../../lib/models/provider.js';
import { storeRefusal } from '../../lib/models/stored-chain.js';
import type { Message } from '../../lib/protocol/messages.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { type StoringServer, type StoringWays, startStoringServer } from './storing-server.js';

const user = (text: string): Message => ({ role: 'user', text });
const result = (callId: string, text = 'done'): Message => ({ role: 'tool', callId, name: 'run_shell', text, isError: false });
const call = { id: 'call_a', name: 'run_shell', args: ['{"command":"ls"}'] };

let server: StoringServer;
let http: HttpClient;
let provider: ModelProvider;
async function open(ways: StoringWays = {}, store = true): Promise<void> {
  server = await startStoringServer(ways);
  ({ provider, http } = await openProvider(profileFor('responses', server.baseUrl, { store })));
}
afterEach(async () => {
  await http.close();
  await server.close();
});

/** Asks, and gives the answer as the history holds it. */
const answer = async (...messages: readonly Message[]) => (await collect(provider, ask(...messages))).done.message;
const sent = () => server.seen.map(({ body, input }) => [body['previous_response_id'] ?? null, input.length]);

test('left out, nothing is kept and everything is sent', async () => {
  await open({}, false);
  const first = await answer(user('one'));
  await answer(user('one'), first, user('two'));
  expect(sent()).toEqual([
    [null, 1],
    [null, 3],
  ]);
  expect(server.seen.every(({ body }) => body['store'] === false)).toBe(true);
});

test('a turn with calls: each request names the answer before it and holds what is new', async () => {
  await open();
  server.script({ text: ['I look.'], calls: [call, { ...call, id: 'call_b' }] }, { text: ['Two files.'] });
  const history: Message[] = [user('what is here?')];
  history.push(await answer(...history));
  history.push(result('call_a'), result('call_b'));
  history.push(await answer(...history));
  history.push(user('thanks'));
  history.push(await answer(...history));
  expect(sent()).toEqual([
    [null, 1],
    ['resp_1', 2],
    ['resp_2', 1],
  ]);
  expect(server.seen.every(({ body }) => body['store'] === true && body['instructions'] === 'Be brief.')).toBe(true);
  // What the server has in the end is the whole conversation, each part once.
  expect(server.seen.at(-1)?.whole.map((item) => item['type'] ?? item['role'])).toEqual([
    'user',
    'message',
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
    'message',
    'user',
  ]);
  expect(server.refusals).toEqual([]);
});

test('what was of a moment only does not break the chain; after ten of them everything is sent without them', async () => {
  await open();
  const history: Message[] = [user('begin')];
  for (let turn = 0; turn < 13; turn++) {
    history.push(await answer(...history, user(`<terminal-now>${turn}`)), user(`next ${turn}`));
  }
  const starts = server.seen.flatMap(({ body }, at) => ('previous_response_id' in body ? [] : [at]));
  expect(starts).toEqual([0, 11]);
  expect(JSON.stringify(server.seen[11]?.whole)).not.toContain('<terminal-now>9');
  expect(server.refusals).toEqual([]);
});

test.each<readonly [string, (history: readonly Message[]) => readonly Message[]]>([
  ['its beginning was left out', (history) => history.slice(2)],
  ['a text in it was shortened', (history) => [user('on…'), ...history.slice(1)]],
  ['an answer in it was changed', ([first, second, ...rest]) => [first, { ...second, text: 'other' }, ...rest] as readonly Message[]],
])('all of it is sent when %s', async (_, changed) => {
  await open();
  const first = await answer(user('one'));
  const second = await answer(user('one'), first, user('two'));
  const history = [user('one'), first, user('two'), second, user('three')];
  await answer(...changed(history));
  expect(server.seen.at(-1)?.body).not.toHaveProperty('previous_response_id');
  // And from there on the chain holds again.
  const third = await answer(...changed(history));
  await answer(...changed(history), third, user('four'));
  expect(server.seen.at(-1)?.input).toHaveLength(1);
  expect(server.refusals).toEqual([]);
});

test('another session does not go on where the last one was', async () => {
  await open();
  const first = await answer(user('one'));
  await collect(provider, { ...ask(user('one'), first, user('two')), session: 'session-2' });
  expect(sent().at(-1)).toEqual([null, 3]);
});

test('another provider never names an id of this one', async () => {
  await open();
  const first = await answer(user('one'));
  const other = await openProvider(profileFor('responses', server.baseUrl, { store: true, name: 'other' }));
  await collect(other.provider, ask(user('one'), first, user('two')));
  await other.http.close();
  expect(sent().at(-1)).toEqual([null, 3]);
});

const refusal = (status: number, error: object) => () => ({ status, error: error as Readonly<Record<string, unknown>> });

test.each<readonly [string, StoringWays]>([
  ['OpenAI', {}],
  [
    'vLLM',
    {
      unknownId: refusal(404, {
        message: "Response with id 'resp_1' not found.",
        type: 'invalid_request_error',
        param: 'response_id',
        code: 404,
      }),
    },
  ],
  ['one that says it in words alone', { unknownId: refusal(404, { message: 'previous_response_id is unknown or has expired' }) }],
])('a server that has forgotten (%s) gets everything, once, and the chain goes on', async (_, ways) => {
  await open(ways);
  server.script({ calls: [call] }, { text: ['so'] });
  const history: Message[] = [user('one')];
  history.push(await answer(...history), result('call_a'));
  server.forget();
  history.push(await answer(...history), user('two'));
  history.push(await answer(...history));
  expect(server.refusals).toHaveLength(1);
  expect(sent()).toEqual([
    [null, 1],
    [null, 3],
    ['resp_2', 1],
  ]);
});

test('one that forgets at once is asked twice and then no more', async () => {
  await open();
  const history: Message[] = [user('one')];
  for (let turn = 0; turn < 5; turn++) {
    history.push(await answer(...history), user(`more ${turn}`));
    server.forget();
  }
  expect(server.refusals).toHaveLength(2);
  expect(server.seen).toHaveLength(5);
});

test.each([
  [400, { detail: 'Store must be set to false' }],
  [400, { error: { message: "Unsupported parameter: 'store'", param: 'store' } }],
])('one that keeps nothing is taken at its word (%d %j)', async (status, body) => {
  await open({ refuse: { status, body } });
  const first = await answer(user('one'));
  await answer(user('one'), first, user('two'));
  expect(server.refusals).toHaveLength(1);
  expect(sent()).toEqual([
    [null, 1],
    [null, 3],
  ]);
});

test('an answer whose call was given another id is not gone on from: the server knows it under its own', async () => {
  await open();
  server.script({ calls: [call] }, { calls: [call] }, { text: ['so'] });
  const history: Message[] = [user('one')];
  history.push(await answer(...history), result('call_a'));
  const again = await answer(...history);
  expect(again.calls.map(({ id }) => id)).toEqual(['call_a_2']);
  history.push(again, result('call_a_2'));
  await answer(...history);
  expect(server.refusals).toEqual([]);
  expect(server.seen.at(-1)?.body['previous_response_id']).not.toBe('resp_2');
});

test('other errors are no matter of the store', () => {
  const body = (error: object) => JSON.stringify({ error });
  expect(storeRefusal(404, body({ message: 'The model `x` does not exist', code: 'model_not_found' }))).toBeNull();
  expect(storeRefusal(400, body({ message: 'No tool output found for function call x.', param: 'input' }))).toBeNull();
  expect(storeRefusal(500, body({ code: 'previous_response_not_found' }))).toBeNull();
});
