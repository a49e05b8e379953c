/** What goes wrong on the wire, and what is said about it. */

import { existsSync, readFileSync } from 'node:fs';
import { BuddyError, isAbort } from '../../lib/base/errors.js';
import type { ModelDelta, ModelProvider } from '../../lib/models/provider.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { ask, collect, modelHost, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, type ScriptedAnswer, startReplayServer } from './replay-server.js';

let server: ReplayServer;
beforeEach(async () => {
  server = await startReplayServer();
});
afterEach(() => server.close());

type Api = 'chat' | 'responses' | 'anthropic';
const apis: readonly Api[] = ['chat', 'responses', 'anthropic'];
const path: Readonly<Record<Api, string>> = { chat: '/v1/chat/completions', responses: '/v1/responses', anthropic: '/v1/messages' };

function chunk(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`;
}

function event(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

const someText: Readonly<Record<Api, string>> = {
  chat: chunk({ role: 'assistant', content: 'one ' }) + chunk({ content: 'two' }),
  responses:
    event({ type: 'response.output_text.delta', output_index: 0, delta: 'one ' }) +
    event({ type: 'response.output_text.delta', output_index: 0, delta: 'two' }),
  anthropic:
    event({ type: 'message_start', message: { usage: { input_tokens: 1 } } }) +
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'one ' } }) +
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'two' } }),
};

interface Failed {
  readonly error: BuddyError;
  readonly shown: string;
}

async function failing(api: Api, answer: ScriptedAnswer, more: Parameters<typeof openProvider>[1] = {}): Promise<Failed> {
  server.script(answer);
  const { provider, http } = await openProvider(profileFor(api, server.baseUrl), more);
  let shown = '';
  try {
    for await (const delta of provider.stream(ask(), new AbortController().signal)) {
      if (delta.type === 'text') shown += delta.text;
      if (delta.type === 'done') throw new Error(`it did not fail: ${JSON.stringify(delta)}`);
    }
    throw new Error('it ended without done');
  } catch (thrown) {
    if (thrown instanceof BuddyError) return { error: thrown, shown };
    throw thrown;
  } finally {
    await http.close();
  }
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

describe.each(apis)('%s', (api) => {
  test('a stream cut in the middle keeps what was shown and is not asked again', async () => {
    for (const end of ['close', 'cut'] as const) {
      const { error, shown } = await failing(api, { body: someText[api], end });
      expect({ code: error.code, retryable: error.retryable, shown }).toEqual({ code: 'model.stream', retryable: false, shown: 'one two' });
    }
  });

  test('a stream that ends before anything was shown may be asked again', async () => {
    for (const body of ['', ': keep-alive\n\n', 'data: {"choices":[]}\n\n']) {
      const { error } = await failing(api, { body });
      expect({ code: error.code, retryable: error.retryable }).toEqual({ code: 'model.stream', retryable: true });
    }
  });

  test('a garbled event ends the answer', async () => {
    const { error } = await failing(api, { body: `${someText[api]}data: {"choices": [{"del\n\n` });
    expect({ code: error.code, retryable: error.retryable }).toEqual({ code: 'model.stream', retryable: false });
  });

  test('a web page instead of an answer names the base URL', async () => {
    const page = '<!DOCTYPE html>\n<html><body><h1>It works</h1></body></html>';
    const cases = { 200: 'model.request', 403: 'model.auth', 404: 'model.not-found', 502: 'model.server' };
    for (const [status, code] of Object.entries(cases)) {
      const { error } = await failing(api, { status: Number(status), headers: { 'content-type': 'text/html' }, body: page });
      expect(error.message).toBe(`${server.baseUrl} answered with a web page (status ${status}), not as a model server`);
      expect(error.hint).toContain('base URL');
      expect({ code: error.code, retryable: error.retryable }).toEqual({ code, retryable: status === '502' });
    }
  });

  test('some other text instead of an answer is quoted', async () => {
    const { error } = await failing(api, { headers: { 'content-type': 'text/plain' }, body: 'Ollama is running' });
    expect(error.message).toBe(`${server.baseUrl} does not answer as a model server; it says: Ollama is running`);
    expect((await failing(api, json(200, { hello: 'world' }))).error.code).toBe('model.request');
  });

  test('the classes of errors', async () => {
    const cases: readonly (readonly [number, object, string, boolean])[] = [
      [400, { error: { message: 'bad field' } }, 'model.request', false],
      [400, { detail: 'Store must be set to false' }, 'model.request', false],
      [400, { message: 'bad field', code: 400 }, 'model.request', false],
      [400, { error: { message: 'too long', code: 'context_length_exceeded' } }, 'model.context', false],
      [400, { error: { message: "This model's maximum context length is 8192 tokens." } }, 'model.context', false],
      [401, { error: { message: 'Incorrect API key provided' } }, 'model.auth', false],
      [402, { error: { message: 'Insufficient credits' } }, 'model.quota', false],
      [403, { error: { message: 'no access' } }, 'model.auth', false],
      [404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }, 'model.not-found', false],
      [408, { error: { message: 'slow' } }, 'model.timeout', true],
      [413, { error: { message: 'large' } }, 'model.context', false],
      [429, { error: { message: 'slow down', type: 'requests' } }, 'model.rate', true],
      [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'model.quota', false],
      [429, { error: { type: 'usage_limit_reached', message: 'limit' } }, 'model.quota', false],
      [500, { error: 'internal' }, 'model.server', true],
      [503, [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }], 'model.server', true],
      [529, { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'model.server', true],
    ];
    for (const [status, body, code, retryable] of cases) {
      const { error } = await failing(api, json(status, body));
      expect({ status, body, code: error.code, retryable: error.retryable }).toEqual({ status, body, code, retryable });
      expect(error.message).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}: \\S`));
    }
  });

  test('404 on the whole path hints at the other protocol', async () => {
    const { error } = await failing(api, json(404, { detail: 'Not Found' }));
    expect(error.code).toBe('model.not-found');
    expect(error.hint).toContain(api === 'chat' ? 'api = "responses"' : 'api = "completions"');
  });

  test('how long to wait, in every form', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1));
    const cases: readonly (readonly [Readonly<Record<string, string>>, string, number | undefined])[] = [
      [{ 'retry-after': '7' }, 'x', 7000],
      [{ 'retry-after': '0.5' }, 'x', 500],
      [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:30 GMT' }, 'x', 90_000],
      [{ 'retry-after-ms': '250', 'retry-after': '9' }, 'x', 250],
      [{}, 'Please try again in 1.3s.', 1300],
      [{}, 'Please try again in 20ms.', 20],
      [{ 'retry-after': 'soon' }, 'x', undefined],
    ];
    for (const [headers, message, wanted] of cases) {
      const { error } = await failing(api, json(429, { error: { message } }, headers), { clock });
      expect([headers, message, error.retryAfterMs]).toEqual([headers, message, wanted]);
    }
  });

  test('a server that says not to come back is believed', async () => {
    const { error } = await failing(api, json(500, { error: { message: 'x' } }, { 'x-should-retry': 'false' }));
    expect(error.retryable).toBe(false);
  });

  test('the key is never shown', async () => {
    const { error } = await failing(api, json(401, { error: { message: 'Incorrect API key: key-0123456789' } }));
    expect(error.message).toMatch(/Incorrect API key: \(key\)$/);
  });

  test('nobody listens', async () => {
    const gone = await startReplayServer();
    await gone.close();
    const { provider, http } = await openProvider(profileFor(api, gone.baseUrl));
    const error = (await collect(provider, ask()).catch((thrown: unknown) => thrown)) as BuddyError;
    await http.close();
    expect({ code: error.code, retryable: error.retryable, message: error.message }).toEqual({
      code: 'model.connection',
      retryable: true,
      message: `${gone.baseUrl} cannot be reached: connection refused`,
    });
  });

  test('silence: before the first byte, and between two', async () => {
    for (const body of ['', someText[api]]) {
      const clock = new FakeClock();
      server.script({ body, end: 'hang' });
      const { provider, http } = await openProvider(profileFor(api, server.baseUrl), { clock, timeoutSecs: 30 });
      const deltas: ModelDelta[] = [];
      const failed = readInto(deltas, provider, new AbortController().signal);
      await until('the request has arrived', () => server.seen.length === (body === '' ? 1 : 2));
      await until('what was sent is shown', () => deltas.length === (body === '' ? 0 : 2));
      await clock.advance(29_000);
      expect(clock.pending).toBe(1);
      // Bytes may still have been on their way when the clock moved: then the watchdog counts from them.
      await clock.advance(60_000);
      const error = (await failed) as BuddyError;
      expect({ code: error.code, retryable: error.retryable }).toEqual({ code: 'model.timeout', retryable: body === '' });
      expect(error.message).toContain('was silent for 30 s');
      expect(clock.pending).toBe(0);
      await http.close();
    }
  });

  test('cancelling: at once, with an AbortError, and the server is let go', async () => {
    for (const body of ['', someText[api]]) {
      const before = server.aborted();
      server.script({ body, end: 'hang' });
      const clock = new FakeClock();
      const { provider, http } = await openProvider(profileFor(api, server.baseUrl), { clock });
      const controller = new AbortController();
      const deltas: ModelDelta[] = [];
      const failed = readInto(deltas, provider, controller.signal);
      await until('the request has arrived', () => server.seen.length === (body === '' ? 1 : 2));
      await until('what was sent is shown', () => deltas.length === (body === '' ? 0 : 2));
      controller.abort();
      expect(isAbort(await failed)).toBe(true);
      await until('the server saw the connection close', () => server.aborted() === before + 1);
      expect(clock.pending).toBe(0);
      await http.close();
    }
  });

  test('a signal that has fired already sends nothing', async () => {
    const { provider, http } = await openProvider(profileFor(api, server.baseUrl));
    expect(isAbort(await collect(provider, ask(), AbortSignal.abort()).catch((thrown: unknown) => thrown))).toBe(true);
    expect(server.seen).toEqual([]);
    await http.close();
  });

  test('nothing of OPENAI_* goes out, nothing of the SDK either', async () => {
    const names = ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_CUSTOM_HEADERS', 'OPENAI_BASE_URL'] as const;
    const before = names.map((name) => process.env[name]);
    const values = ['sk-leak', 'org-leak', 'proj-leak', 'X-Leak: leak', 'http://127.0.0.1:9'];
    for (const [at, name] of names.entries()) process.env[name] = values[at];
    try {
      await failing(api, json(400, { error: { message: 'x' } }));
    } finally {
      for (const [at, name] of names.entries()) {
        const value = before[at];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    const headers = server.seen[0]?.headers ?? {};
    expect(server.seen[0]?.url).toBe(path[api]);
    expect(JSON.stringify(headers)).not.toMatch(/leak|stainless|openai/i);
    expect({ authorization: headers.authorization, agent: headers['user-agent'] }).toEqual({
      authorization: 'Bearer key-0123456789',
      agent: 'buddy-tui/0.0.0-test',
    });
  });

  test('a profile without a key sends none; one whose key is missing says where it should be', async () => {
    server.script(json(400, { error: { message: 'x' } }));
    const open = await openProvider(profileFor(api, server.baseUrl, { key: null }));
    await collect(open.provider, ask()).catch(() => undefined);
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
    await open.http.close();

    const named = profileFor(api, server.baseUrl, { key: { kind: 'env', name: 'SOME_KEY' } });
    const missing = await openProvider(named);
    const error = (await collect(missing.provider, ask()).catch((thrown: unknown) => thrown)) as BuddyError;
    expect({ code: error.code, message: error.message }).toEqual({
      code: 'model.auth',
      message: 'SOME_KEY is not set, and profile test takes its key from there',
    });
    await missing.http.close();

    server.script(json(400, { error: { message: 'x' } }));
    const set = await openProvider(named, { host: modelHost({ SOME_KEY: 'abc\n' }) });
    await collect(set.provider, ask()).catch(() => undefined);
    expect(server.seen[1]?.headers.authorization).toBe('Bearer abc');
    await set.http.close();
  });
});

async function readInto(deltas: ModelDelta[], provider: ModelProvider, signal: AbortSignal): Promise<unknown> {
  try {
    for await (const delta of provider.stream(ask(), signal)) deltas.push(delta);
    return new Error('it did not fail');
  } catch (thrown) {
    return thrown;
  }
}

describe('errors inside a stream', () => {
  test('chat: an error object after text is final, before text it is judged', async () => {
    const error = event({ error: { message: 'Provider disconnected', code: 502 } });
    expect((await failing('chat', { body: error })).error).toMatchObject({ code: 'model.server', retryable: true });
    expect((await failing('chat', { body: someText.chat + error })).error).toMatchObject({ code: 'model.server', retryable: false });
    const quota = event({ error: { message: 'x', code: 'insufficient_quota' } });
    expect((await failing('chat', { body: quota })).error).toMatchObject({ code: 'model.quota', retryable: false });
  });

  test('responses: failed, error, and an error in a whole answer', async () => {
    const failed = (code: string) =>
      event({ type: 'response.failed', response: { status: 'failed', error: { code, message: 'so it is' } } });
    const cases = {
      server_is_overloaded: ['model.server', true],
      rate_limit_exceeded: ['model.rate', true],
      context_length_exceeded: ['model.context', false],
      insufficient_quota: ['model.quota', false],
      usage_not_included: ['model.quota', false],
      invalid_prompt: ['model.request', false],
    } as const;
    for (const [code, [wanted, retryable]] of Object.entries(cases)) {
      const { error } = await failing('responses', { body: failed(code) });
      expect(error).toMatchObject({ code: wanted, retryable, message: expect.stringMatching(/reports: so it is$/) });
    }
    const flat = event({ type: 'error', code: 'server_error', message: 'oh' });
    expect((await failing('responses', { body: flat })).error).toMatchObject({ code: 'model.server', retryable: true });
    expect((await failing('responses', json(200, { error: { message: 'oh', type: 'server_error' } }))).error.code).toBe('model.server');
  });
});

const QUOTED = '../shared/fixtures/errors-from-issues.json';
(existsSync(QUOTED) ? test : test.skip)(`bodies quoted in issues (${QUOTED})`, async () => {
  const rows = JSON.parse(readFileSync(QUOTED, 'utf8')) as readonly {
    readonly id: string;
    readonly protocol: Api;
    readonly status: number;
    readonly json: unknown;
  }[];
  const got: Record<string, string> = {};
  for (const row of rows) {
    const answer = row.status === 200 ? { body: event(row.json as object) } : json(row.status, row.json);
    const { error } = await failing(row.protocol, answer);
    got[row.id] = `${error.code}${error.retryable ? ' again' : ''}: ${error.message.replace(/^.*?(answered \d+|reports): /, '')}`;
  }
  expect(got).toEqual({
    'openai-401':
      'model.auth: Incorrect API key provided: sk-REDACTED. You can find your API key at https://platform.openai.com/account/api-keys.',
    'openai-500':
      'model.server again: The server experienced an error while processing your request. Sorry about that! You can retry your request, or contact us through our help center at help.openai.com if the error persists.',
    'anthropic-500': 'model.server again: Internal server error',
    'anthropic-529': 'model.server again: Overloaded',
    'gemini-503': 'model.server again: The model is overloaded. Please try again later.',
    'codex-stream-overloaded': 'model.server again: Our servers are currently overloaded. Please try again later.',
    'codex-400-store': 'model.request: Store must be set to false',
    'codex-400-stream': 'model.request: Stream must be set to true',
    'codex-400-instructions': 'model.request: Instructions are required',
    'codex-400-system': 'model.request: System messages are not allowed',
    'codex-400-param': 'model.request: Unsupported parameter: max_output_tokens',
  });
});
