/** Recorded traffic of real servers, replayed byte for byte through the real SDK. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { BuddyError } from '../../lib/base/errors.js';
import { ask, type Collected, collect, openProvider, profileFor } from './provider-under-test.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';

const FOLDER = '../shared/fixtures';
const NAMES = /^(?:chat-openai-|chat-deepseek-|chat-openrouter-|responses-)/;

type Shortened = string | { readonly len: number; readonly sha256: string };

interface Expected {
  readonly status: number;
  readonly skip?: boolean;
  readonly text?: Shortened;
  readonly reasoning?: Shortened;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: Shortened }[];
  readonly finish?: string | null;
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number | null; readonly reasoning: number | null };
  readonly extras?: readonly string[];
  readonly item_types?: readonly string[];
  readonly encrypted_reasoning_items?: number;
  readonly error?: { readonly message: string; readonly code?: string | number };
}

interface Recording {
  readonly interactions: readonly {
    readonly response: {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly text?: string;
      readonly json?: unknown;
    };
  }[];
}

const index: readonly { readonly id: string; readonly file: string; readonly protocol: string; readonly expected: readonly Expected[] }[] =
  existsSync(`${FOLDER}/index.json`) ? JSON.parse(readFileSync(`${FOLDER}/index.json`, 'utf8')) : [];

const rows = index
  .filter(({ id }) => NAMES.test(id))
  .flatMap(({ id, file, protocol, expected }) => {
    const recording = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Recording;
    return expected.flatMap((wanted, at) => {
      const response = recording.interactions[at]?.response;
      if (wanted.skip === true || response === undefined) return [];
      return [{ name: `${id} ${at}`, protocol: protocol as 'chat' | 'responses', wanted, response }];
    });
  });

function expectText(got: string, wanted: Shortened | undefined): void {
  if (wanted === undefined) expect(got).toBe('');
  else if (typeof wanted === 'string') expect(got).toBe(wanted);
  else
    expect({ len: [...got].length, sha256: createHash('sha256').update(got).digest('hex') }).toEqual({
      len: wanted.len,
      sha256: wanted.sha256,
    });
}

function expectAnswer(got: Collected, wanted: Expected): void {
  const { message, usage, raw } = got.done;
  expectText(message.text, wanted.text);
  expectText(message.reasoning, wanted.reasoning);
  expect(got.text).toBe(message.text);
  expect(got.reasoning).toBe(message.reasoning);
  expect(message.calls.map(({ id, name }) => ({ id, name }))).toEqual((wanted.tool_calls ?? []).map(({ id, name }) => ({ id, name })));
  for (const [at, call] of message.calls.entries()) expectText(call.argsText, wanted.tool_calls?.[at]?.arguments);
  expect(raw).toBe(wanted.finish ?? null);
  expect(got.done.finish).toBe((wanted.tool_calls ?? []).length > 0 ? 'tool-calls' : 'stop');
  expect(message.incomplete).toBe(false);
  if (wanted.usage !== undefined) {
    const { input, output, cached, reasoning } = wanted.usage;
    expect(usage).toEqual({ inputTokens: input, outputTokens: output, cachedTokens: cached, reasoningTokens: reasoning });
  }
  const unknown = message.extras['message'] as Record<string, unknown> | undefined;
  if (wanted.extras?.includes('reasoning_details')) expect(unknown?.['reasoning_details']).toEqual(expect.any(Array));
  const items = (message.extras['items'] ?? []) as readonly Record<string, unknown>[];
  if (wanted.item_types !== undefined) {
    expect(items.map((item) => item['type'])).toEqual(wanted.item_types);
    expect(items.filter((item) => item['type'] === 'reasoning' && typeof item['encrypted_content'] === 'string')).toHaveLength(
      wanted.encrypted_reasoning_items ?? 0,
    );
  }
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
    expect(rows.length).toBeGreaterThan(40);
  });

  test.each(rows)('$name', async ({ protocol, wanted, response }) => {
    const body = response.text ?? JSON.stringify(response.json);
    const headers = { 'content-type': response.headers?.['content-type'] ?? 'application/json' };
    const { provider, http } = await openProvider(profileFor(protocol, server.baseUrl));
    try {
      // Whole, in pieces that split every line and character, and in pieces of a packet's size.
      for (const chunkBytes of [undefined, body.length < 20_000 ? 7 : 1013, 4096]) {
        server.script({ status: response.status, headers, body, ...(chunkBytes === undefined ? {} : { chunkBytes }) });
        if (wanted.error === undefined) {
          expectAnswer(await collect(provider, ask()), wanted);
          continue;
        }
        const thrown = await collect(provider, ask()).catch((error: unknown) => error);
        expect(thrown).toBeInstanceOf(BuddyError);
        const error = thrown as BuddyError;
        expect(error.message).toContain(wanted.error.message.replace(/\s+/g, ' ').slice(0, 200));
        expect({ code: error.code, retryable: error.retryable }).toEqual(
          wanted.status === 429
            ? { code: 'model.rate', retryable: true }
            : { code: wanted.error.code === 'model_not_found' ? 'model.not-found' : 'model.request', retryable: false },
        );
      }
    } finally {
      await http.close();
    }
  });
});
