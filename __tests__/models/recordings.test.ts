/** Recorded traffic of real servers, replayed byte for byte through the real SDK. */

import { createHash } from 'node:crypto';
import { BuddyError } from '../../lib/base/errors.js';
import type { Fetch } from '../../lib/base/http.js';
import type { ModelProvider } from '../../lib/models/provider.js';
import { ask, type Collected, collect, openProvider, profileFor } from './provider-under-test.js';
import { type Answered, type Expected, FOLDER, type Protocol, recorded as rows, type Shortened } from './recorded.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';

function expectText(got: string, wanted: Shortened | undefined): void {
  if (wanted === undefined) expect(got).toBe('');
  else if (typeof wanted === 'string') expect(got).toBe(wanted);
  else
    expect({ len: [...got].length, sha256: createHash('sha256').update(got).digest('hex') }).toEqual({
      len: wanted.len,
      sha256: wanted.sha256,
    });
}

/** Arguments that came as an object are written by us, so they are compared as what they mean. */
function expectArguments(got: string, wanted: Shortened | undefined): void {
  if (typeof wanted === 'string') expect(JSON.parse(got)).toEqual(JSON.parse(wanted));
  else expectText(got, wanted);
}

function finishOf({ finish, tool_calls: calls = [] }: Expected): string {
  if (finish === 'refusal') return 'refusal';
  return calls.length > 0 ? 'tool-calls' : 'stop';
}

function expectAnswer(got: Collected, wanted: Expected, protocol: Protocol): void {
  const { message, usage, raw } = got.done;
  const items = (message.extras['items'] ?? []) as readonly Record<string, unknown>[];
  // Two messages of one answer stand apart.
  const apart = items.filter((item) => item['type'] === 'message').length > 1;
  expectText(apart ? message.text.replace('\n\n', '') : message.text, wanted.text);
  expectText(message.reasoning, wanted.reasoning);
  // In one file the pieces were shortened by hand: the last event has the whole.
  if (wanted.text_from_deltas === undefined) expect(got.text).toBe(message.text);
  // After a second beginning only that one counts, but what was shown was shown.
  if (wanted.message_starts === 2 || wanted.reasoning_from_deltas !== undefined)
    expect(got.reasoning.endsWith(message.reasoning)).toBe(true);
  else expect(got.reasoning).toBe(message.reasoning);
  expect(message.calls.map(({ id, name }) => ({ id, name }))).toEqual(
    // A call without an id gets one of ours.
    (wanted.tool_calls ?? []).map(({ id, name }, at) => ({ id: id === '' ? `call_${at + 1}` : id, name })),
  );
  for (const [at, call] of message.calls.entries()) expectArguments(call.argsText, wanted.tool_calls?.[at]?.arguments);
  expect(raw ?? '').toBe(wanted.finish ?? '');
  expect(got.done.finish).toBe(finishOf(wanted));
  expect(message.incomplete).toBe(false);
  if (wanted.usage !== undefined && wanted.usage !== null) {
    const { input, output, cached, reasoning = null, cache_write: written } = wanted.usage;
    const { cacheWriteTokens, ...rest } = usage ?? {};
    const cachedTokens = protocol === 'anthropic' ? (usage?.cachedTokens ?? 0) : usage?.cachedTokens;
    expect({ ...rest, cachedTokens }).toEqual({
      inputTokens: input,
      outputTokens: output,
      cachedTokens: cached,
      reasoningTokens: reasoning,
    });
    if (written !== undefined) expect(cacheWriteTokens ?? 0).toBe(written);
  }
  const unknown = message.extras['message'] as Record<string, unknown> | undefined;
  if (wanted.extras?.includes('reasoning_details') === true) expect(unknown?.['reasoning_details']).toEqual(expect.any(Array));
  for (const field of wanted.extras ?? []) expect(JSON.stringify(message.extras)).toContain(`"${field}":`);
  const kept = (message.extras['items'] ?? message.extras['blocks'] ?? []) as readonly Record<string, unknown>[];
  const types = wanted.item_types ?? wanted.block_types;
  if (types !== undefined) expect(kept.map((item) => item['type'])).toEqual(types);
  const count = (test: (item: Record<string, unknown>) => boolean) => kept.filter(test).length;
  if (wanted.item_types !== undefined) {
    expect(count((item) => item['type'] === 'reasoning' && typeof item['encrypted_content'] === 'string')).toBe(
      wanted.encrypted_reasoning_items ?? 0,
    );
  }
  if (wanted.signatures !== undefined) expect(count((block) => (block['signature'] ?? '') !== '')).toBe(wanted.signatures);
  if (wanted.redacted !== undefined) expect(count((block) => block['type'] === 'redacted_thinking')).toBe(wanted.redacted);
}

/** Classes of the recorded errors that are not plain refusals of the request. */
function classOf({ status, error }: Expected): { readonly code: string; readonly retryable: boolean } {
  if (error?.code === 'insufficient_quota') return { code: 'model.quota', retryable: false };
  if (status === 429 || error?.code === 429) return { code: 'model.rate', retryable: true };
  if (error?.code === 'model_not_found' || error?.type === 'not_found_error') return { code: 'model.not-found', retryable: false };
  return { code: 'model.request', retryable: false };
}

function expectError(thrown: unknown, wanted: Expected, sent: string): void {
  expect(thrown).toBeInstanceOf(BuddyError);
  const error = thrown as BuddyError;
  const words = wanted.error?.body ?? wanted.error?.message ?? '';
  expect(error.message).toContain(words.replace(/\s+/g, ' ').slice(0, 200));
  // Groq could not read the call that the model wrote: asked again, it may write a better one.
  if (/tool_use_failed/.test(sent)) expect(error).toMatchObject({ code: 'model.call' });
  else expect({ code: error.code, retryable: error.retryable }).toEqual(classOf(wanted));
}

/** A fetch that gives `body` in pieces of one byte, without a server between. */
function byteByByte({ status, headers }: Answered, body: string): Fetch {
  async function* bytes() {
    for (const byte of Buffer.from(body, 'utf8')) yield Uint8Array.of(byte);
  }
  return async () =>
    new Response(ReadableStream.from(bytes()) as unknown as ReadableStream<Uint8Array>, {
      status,
      ...(headers === undefined ? {} : { headers }),
    });
}

const whenThere = rows.length > 0 ? describe : describe.skip;
if (rows.length === 0) test.skip(`${FOLDER} is not here: recorded traffic is not replayed`, () => undefined);

whenThere('recorded traffic', () => {
  let server: ReplayServer;
  beforeAll(async () => {
    server = await startReplayServer();
  });
  afterAll(() => server.close());

  test('there is enough of it', () => {
    expect(rows.length).toBeGreaterThan(110);
    for (const protocol of ['chat', 'responses', 'anthropic'])
      expect(rows.filter((row) => row.protocol === protocol).length).toBeGreaterThan(15);
  });

  test.each(rows)('$name', async ({ protocol, wanted, response }) => {
    const body = response.text ?? JSON.stringify(response.json);
    const headers = { 'content-type': response.headers?.['content-type'] ?? 'application/json' };
    const judge = async (provider: ModelProvider) => {
      if (wanted.error === undefined) expectAnswer(await collect(provider, ask()), wanted, protocol);
      else expectError(await collect(provider, ask()).catch((error: unknown) => error), wanted, body);
    };
    // The expected text is as it was sent; `<think>` in it has its own test.
    const profile = profileFor(protocol, server.baseUrl, { provider: body.includes('"<think>') ? 'openai' : 'other' });
    const { provider, http } = await openProvider(profile);
    const isShort = body.length < 2000;
    try {
      // Over a socket: whole, in pieces that split every line and character, in pieces of a packet's size, and with the other line ends.
      // A piece that holds the whole body would be the first case again.
      const cuts = [undefined, isShort ? 1 : body.length < 20_000 ? 31 : 1013, ...(body.length > 4096 ? [4096] : [])];
      const bodies = response.text === undefined ? [body] : [body, body.replaceAll('\n', '\r\n'), body.replaceAll('\n', '\r')];
      for (const [at, text] of bodies.entries()) {
        for (const chunkBytes of at === 0 ? cuts : [997]) {
          server.script({ status: response.status, headers, body: text, ...(chunkBytes === undefined ? {} : { chunkBytes }) });
          await judge(provider);
        }
      }
    } finally {
      await http.close();
    }
    // Byte by byte: a short one came so over the socket, and a body without line ends is the same under both.
    const crlf = body.replaceAll('\n', '\r\n');
    for (const text of isShort ? [crlf] : new Set([body, crlf])) {
      await judge((await openProvider(profile, { fetch: byteByByte({ ...response, headers }, text) })).provider);
    }
  });
});
