/**
 * A server that does everything wrong, on a real socket, with the turn of the runtime before it: each fault ends as it must,
 * and what was called is done once.
 */

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { BuddyError } from '../../lib/base/errors.js';
import { Limits } from '../../lib/config/limits.js';
import { defaultSettings } from '../../lib/config/settings.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { Message } from '../../lib/protocol/messages.js';
import { ContextMeter } from '../../lib/runtime/context-meter.js';
import { wholeRequest } from '../../lib/runtime/context-window.js';
import { callModel } from '../../lib/runtime/model-call.js';
import { runTurn } from '../../lib/runtime/turn.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { type FaultMode, faultModes } from './fault-modes.js';
import { ask, openProvider, profileFor } from './provider-under-test.js';
import { type Api, apis, eventsOf } from './spoken.js';
import { faultOf } from './strict-requests.js';

/** Where in the turn the fault comes: instead of the call, or after its result was sent. */
type Place = 'before the call' | 'after the result';

const IDLE_SECS = 3600;
/** Tries that the runtime makes in all. */
const ATTEMPTS = 4;

/** What happened. */
interface Played {
  readonly error: BuddyError | null;
  readonly requests: number;
  readonly executed: readonly string[];
  readonly messages: readonly Message[];
  readonly faults: readonly string[];
  readonly waitsMs: readonly number[];
  readonly timersLeft: number;
}

/** The requests of one connection, as soon as each is whole. */
function onRequests(socket: Socket, take: (body: Record<string, unknown>) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(bytes.subarray(0, end).toString('latin1'))?.[1] ?? 0);
      if (bytes.length < end + 4 + length) return;
      const body = bytes.subarray(end + 4, end + 4 + length).toString('utf8');
      bytes = bytes.subarray(end + 4 + length);
      take(JSON.parse(body));
    }
  });
}

async function play(api: Api, mode: FaultMode, place: Place): Promise<Played> {
  const faults: string[] = [];
  const sockets = new Set<Socket>();
  let requests = 0;
  let spoiled = 0;
  let shownText = '';
  let onShown = () => undefined as undefined;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    onRequests(socket, (body) => {
      requests++;
      const fault = faultOf(api, body);
      if (fault !== null) faults.push(fault);
      const isAfter = JSON.stringify(body).includes('the file is touched');
      const spoken = isAfter ? { text: ['done'] } : { calls: [{ id: 'c', name: 'touch', args: ['{"file":', '"x"}'] }] };
      const good = eventsOf(api, spoken).join('');
      if (isAfter === (place === 'after the result') && (mode.always === true || spoiled === 0)) {
        spoiled++;
        const shown = new Promise<void>((resolve) => {
          const wanted = mode.partial ?? (mode.outcome === 'answers' && isAfter ? 'done' : '');
          onShown = () => {
            if (shownText.endsWith(wanted)) resolve();
            return undefined;
          };
          onShown();
        });
        void mode.play(socket, { api, good, shown });
        return;
      }
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${Buffer.byteLength(good)}\r\n\r\n${good}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clock = new FakeClock();
  const profile = profileFor(api, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const { provider, http } = await openProvider(profile, { clock, timeoutSecs: IDLE_SECS });
  const messages: Message[] = [{ role: 'user', text: 'touch it' }];
  const executed: string[] = [];
  const waitsMs: number[] = [];
  let retryAtMs: number | null = null;
  let ended = false;
  const emit = (event: RuntimeEvent) => {
    if (event.type === 'model.text') {
      shownText += event.text;
      onShown();
    }
    if (event.type !== 'model.retrying') return;
    waitsMs.push(event.atMs - clock.now());
    retryAtMs = event.atMs;
  };
  const limits = new Limits({ ...defaultSettings(), 'agent.max_iterations': 10 });
  const signal = new AbortController().signal;
  const window = { messages, meter: new ContextMeter(), windowTokens: 100_000, instructions: 'Be brief.', toolSpecs: ask().tools };
  const turn = runTurn(
    {
      task: 'task-1' as never,
      session: 'session-1',
      messages,
      window,
      budget: { limits, check: () => undefined },
      emit,
      refused: () => null,
      takeSteering: () => [],
      say: () => Promise.resolve(),
      takeNotes: () => [],
      terminal: async () => null,
      fit: async (extra) => wholeRequest(window, extra),
      refit: (_extra, _refused, error) => Promise.reject(error),
      call: (request, abort) => callModel(request, { task: 'task-1' as never, clock, provider, limits, emit }, abort),
      async runCalls(calls) {
        return calls.map((call) => {
          executed.push(`${call.name} ${call.argsText}`);
          return { role: 'tool', callId: call.id, name: call.name, text: 'the file is touched', isError: false };
        });
      },
    },
    signal,
  );
  const outcome = turn.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  void outcome.then(() => {
    ended = true;
  });
  // Time moves for the waits between tries, and where the server says no more: then a second at a time, so that what is on
  // its way has all the time there is to arrive.
  const patience = Date.now() + 15_000;
  while (!ended && Date.now() < patience) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (retryAtMs !== null) {
      const waitMs = retryAtMs - clock.now();
      retryAtMs = null;
      await clock.advance(waitMs);
    } else if (mode.silent === true && spoiled > 0 && shownText.endsWith(mode.partial ?? '')) {
      await clock.advance(mode.outcome === 'answers' ? 1000 : (IDLE_SECS * 1000) / 4);
    }
  }
  const thrown = ended ? await outcome : new Error(`${mode.name}: it did not end`);
  await http.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  // What is read behind the end of an answer ends with its connection, in its own time.
  await until('no timer is left', () => clock.pending === 0, 5000).catch(() => undefined);
  if (thrown !== null && !(thrown instanceof BuddyError)) throw thrown;
  return { error: thrown, requests, executed, messages, faults, waitsMs, timersLeft: clock.pending };
}

test('there are enough faults', () => {
  expect(faultModes.length).toBeGreaterThan(60);
  expect(new Set(faultModes.map(({ name }) => name)).size).toBe(faultModes.length);
});

describe.each(apis)('%s', (api) => {
  describe.each(['before the call', 'after the result'] as const)('%s', (place) => {
    test.each(faultModes)('$name: $outcome', async (mode) => {
      const { error, requests, executed, messages, faults, waitsMs, timersLeft } = await play(api, mode, place);
      const ends = mode.outcome === 'answers' || mode.outcome === 'recovers';
      expect(error === null ? 'done' : error.code).toBe(ends ? 'done' : mode.outcome);
      // What was called is done once, and never on the word of half an answer.
      const called = place === 'after the result' || ends;
      expect(executed).toEqual(called ? ['touch {"file":"x"}'] : []);
      const before = place === 'after the result' ? 1 : 0;
      const spoiled = mode.outcome === 'recovers' ? 2 : mode.always === true ? ATTEMPTS : 1;
      expect(requests).toBe(before + spoiled + (ends && place === 'before the call' ? 1 : 0));
      expect(waitsMs.length).toBe(spoiled - 1);
      if (mode.waitsMs !== undefined) expect(waitsMs[0]).toBe(mode.waitsMs);
      for (const waitMs of waitsMs) expect(waitMs).toBeGreaterThan(400);
      const last = messages.at(-1);
      if (ends) expect(last).toMatchObject({ role: 'assistant', text: 'done', incomplete: false });
      else if (mode.partial !== undefined)
        expect(last).toMatchObject({ role: 'assistant', text: mode.partial, incomplete: true, calls: [] });
      expect(faults).toEqual([]);
      expect(timersLeft).toBe(0);
    });
  });
});
