/** What every provider keeps, whatever protocol it speaks: one suite for all of them. */

import { BuddyError, isAbort } from '../../lib/base/errors.js';
import type { Message, ToolCall } from '../../lib/protocol/messages.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { ask, type Collected, collect, openProvider, profileFor, type UnderTest } from './provider-under-test.js';
import { type ReplayServer, startReplayServer } from './replay-server.js';
import { apis, eventsOf, failureEvent, type Spoken } from './spoken.js';
import { faultOf } from './strict-requests.js';

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer();
});
afterAll(() => server.close());

const whole: Spoken = {
  reasoning: 'Hm.',
  text: ['Grüße, ', '世界 ', '👋🏽'],
  calls: [
    { id: 'a', name: 'run_shell', args: ['{"command":', '"df -h"}'] },
    { id: 'b', name: 'run_shell', args: ['{"comm', 'and":"ü"', '}'] },
  ],
  usage: { input: 100, output: 20, cached: 60 },
};

function result({ id, name }: ToolCall): Message {
  return { role: 'tool', callId: id, name, text: '{"result":1}', isError: false };
}

describe.each(apis)('%s', (api) => {
  let under: UnderTest;
  beforeEach(async () => {
    under = await openProvider(profileFor(api, server.baseUrl));
  });
  afterEach(() => under.http.close());

  async function answered(spoken: Spoken, ...messages: readonly Message[]): Promise<Collected> {
    server.script({ body: eventsOf(api, spoken).join('') });
    return collect(under.provider, ask(...messages));
  }

  test('an answer with everything in it', async () => {
    const { done, text, reasoning } = await answered(whole);
    expect({ text, reasoning }).toEqual({ text: 'Grüße, 世界 👋🏽', reasoning: 'Hm.' });
    expect(done).toMatchObject({
      finish: 'tool-calls',
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 60 },
      message: {
        text,
        reasoning,
        incomplete: false,
        calls: [
          { id: 'a', name: 'run_shell', argsText: '{"command":"df -h"}' },
          { id: 'b', name: 'run_shell', argsText: '{"command":"ü"}' },
        ],
      },
    });
  });

  test('ids given twice, given before, or not at all are made unique, and their results find them', async () => {
    const first = await answered({ calls: [{ id: 'x', name: 'time', args: ['{}'] }] });
    const calls = first.done.message.calls;
    const history: readonly Message[] = [{ role: 'user', text: 'hello' }, first.done.message, ...calls.map(result)];
    const second = await answered(
      {
        calls: [
          { id: 'x', name: 'time', args: ['{}'] },
          { id: 'x', name: 'time', args: ['{"n":2}'] },
          { name: 'time', args: ['{"n":3}'] },
          { name: 'time', args: ['{"n":4}'] },
        ],
      },
      ...history,
    );
    const again = second.done.message.calls;
    expect(again.map(({ argsText }) => argsText)).toEqual(['{}', '{"n":2}', '{"n":3}', '{"n":4}']);
    expect(new Set([...calls, ...again].map(({ id }) => id)).size).toBe(5);
    await answered({ text: ['ok'] }, ...history, second.done.message, ...again.map(result));
    const sent = server.seen.at(-1)?.json ?? {};
    expect(faultOf(api, sent)).toBeNull();
    for (const { id } of again) expect(JSON.stringify(sent).split(`"${id}"`).length - 1).toBe(2);
  });

  test('arguments that are missing, broken or no object are handed over as they are, and sent back as an object', async () => {
    const { done } = await answered({
      calls: [
        { id: 'a', name: 'time' },
        { id: 'b', name: 'time', args: ['{"command":"rm'] },
        { id: 'c', name: 'time', args: ['[1]'] },
        { id: 'd', name: 'no such tool!', args: ['"text"'] },
      ],
    });
    expect(done.message.calls.map(({ argsText }) => argsText)).toEqual(['{}', '{"command":"rm', '[1]', '"text"']);
    await answered({ text: ['ok'] }, { role: 'user', text: 'hello' }, done.message, ...done.message.calls.map(result));
    expect(faultOf(api, server.seen.at(-1)?.json ?? {})).toBeNull();
  });

  test('nothing said is an empty answer', async () => {
    const { done, deltas } = await answered({});
    expect(deltas).toEqual([done]);
    expect(done).toMatchObject({ finish: 'stop', message: { text: '', reasoning: '', calls: [], incomplete: false } });
  });

  test('fields that nobody knows come back to the same server, and go to no other', async () => {
    const { done } = await answered({ ...whole, unknown: { vendor_field: { deep: ['kept'] } } });
    const history: readonly Message[] = [{ role: 'user', text: 'hello' }, done.message, ...done.message.calls.map(result)];
    await answered({ text: ['ok'] }, ...history);
    const sent = server.seen.at(-1)?.json ?? {};
    expect(JSON.stringify(sent).split('"vendor_field":{"deep":["kept"]}').length - 1).toBeGreaterThan(1);
    expect(faultOf(api, sent)).toBeNull();
    for (const other of apis) {
      const elsewhere = await openProvider(profileFor(other, server.baseUrl, { model: 'another' }));
      server.script({ body: eventsOf(other, { text: ['ok'] }).join('') });
      await collect(elsewhere.provider, ask(...history));
      await elsewhere.http.close();
      expect(JSON.stringify(server.seen.at(-1)?.json)).not.toContain('vendor_field');
      expect(faultOf(other, server.seen.at(-1)?.json ?? {})).toBeNull();
    }
  });

  test('an answer cut short by its limit hands over no call', async () => {
    const { done } = await answered({ ...whole, cutShort: true });
    expect(done).toMatchObject({ finish: 'length', message: { text: 'Grüße, 世界 👋🏽', calls: [], incomplete: true } });
  });

  test('a failure inside the stream is one: to be tried again only while nothing was shown', async () => {
    const code = api === 'anthropic' ? 'overloaded_error' : 'server_error';
    for (const [before, retryable] of [
      [[], true],
      [eventsOf(api, { text: ['one '] }).slice(0, -2), false],
    ] as const) {
      server.script({ body: [...before, failureEvent(api, code, 'so it is')].join('') });
      const thrown = await collect(under.provider, ask()).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(BuddyError);
      expect(thrown).toMatchObject({ code: 'model.server', retryable, message: expect.stringMatching(/reports: so it is$/) });
    }
  });

  test('cut after any byte, it is an error and never an answer with calls', async () => {
    const body = Buffer.from(eventsOf(api, whole).join(''), 'utf8');
    const end = body.toString('latin1').trimEnd().length;
    const open = async (upTo: number) => {
      const bytes = body.subarray(0, upTo);
      const fetch = async () => new Response(new Uint8Array(bytes), { headers: { 'content-type': 'text/event-stream' } });
      return (await openProvider(profileFor(api, 'http://127.0.0.1:1/v1'), { fetch })).provider;
    };
    for (let upTo = 0; upTo <= body.length; upTo += upTo > end - 200 ? 1 : 13) {
      const got = await collect(await open(upTo), ask()).catch((error: unknown) => error);
      if (got instanceof BuddyError) expect(got.code).toMatch(/^model\.(stream|request)$/);
      else {
        // Chat completions are whole with their finish_reason; the others with their last event.
        expect((got as Collected).done.message.calls.map(({ argsText }) => argsText)).toEqual(['{"command":"df -h"}', '{"command":"ü"}']);
        expect(body.subarray(0, upTo).toString('utf8')).toMatch(/finish_reason":"tool_calls"|response\.completed|message_stop/);
      }
    }
  });

  test('interrupted after any of its deltas: an AbortError at once, and nothing is left behind', async () => {
    const count = (await answered(whole)).deltas.length;
    for (let after = 0; after < count; after++) {
      const clock = new FakeClock();
      const interrupted = await openProvider(profileFor(api, server.baseUrl), { clock });
      server.script({ body: eventsOf(api, whole).join(''), chunkBytes: 40, end: 'hang' });
      const controller = new AbortController();
      let seen = 0;
      const read = async () => {
        for await (const delta of interrupted.provider.stream(ask(), controller.signal)) {
          if (seen++ === after) controller.abort();
          if (delta.type === 'done' && seen <= after) throw new Error('it ended before');
        }
      };
      const reading = read().then(
        () => 'ended',
        (thrown: unknown) => (isAbort(thrown) ? 'aborted' : thrown),
      );
      const end = await until('it ends', async () => {
        await clock.advance(after === count - 1 ? 1000 : 0);
        return Promise.race([reading, false]);
      });
      // Whoever stops at the very last delta has the answer.
      expect([after, end]).toEqual([after, after === count - 1 ? 'ended' : 'aborted']);
      expect(clock.pending).toBe(0);
      await interrupted.http.close();
    }
  });

  test('a server that keeps the line open after its end does not hold the answer up', async () => {
    const clock = new FakeClock();
    const patient = await openProvider(profileFor(api, server.baseUrl), { clock, timeoutSecs: 600 });
    server.script({ body: eventsOf(api, whole).join(''), end: 'hang' });
    let got: Collected | null = null;
    const reading = collect(patient.provider, ask()).then((answer) => {
      got = answer;
    });
    await until('the answer is handed over', async () => {
      await clock.advance(1000);
      return got !== null;
    });
    await reading;
    expect((got as Collected | null)?.done.message.calls).toHaveLength(2);
    expect(clock.pending).toBe(0);
    await patient.http.close();
  });
});
