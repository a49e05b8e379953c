/** An answer that seemed to be whole and goes on: it is watched, and its failures count, as before. */

import { Exchange } from '../../lib/models/exchange.js';
import { FakeClock } from '../support/fake-clock.js';
import { profileFor } from './provider-under-test.js';

const IDLE_MS = 1000;
const event = (text: string) => Buffer.from(`data: ${JSON.stringify({ text })}\n\n`);

/** An exchange whose server says what the test pushes, and what has been read of it. */
async function open() {
  let line: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      line = controller;
    },
  });
  const clock = new FakeClock();
  const exchange = new Exchange(
    {
      fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
      clock,
      idleMs: IDLE_MS,
      most: { event: 1 << 20, answer: 1 << 24 },
      headers: {},
      context: { profile: profileFor('anthropic', 'http://127.0.0.1:9/v1'), secrets: [], nowMs: 0 },
      wholeAnswer: () => null,
    },
    new AbortController().signal,
  );
  const response = await exchange.fetch('http://127.0.0.1:9/v1', {});
  const reader = response.body?.getReader();
  if (reader === undefined || line === null) throw new Error('there is no body');
  const controller: ReadableStreamDefaultController<Uint8Array> = line;
  const next = async () => Buffer.from((await reader.read()).value ?? '').toString();
  const says = async (text: string) => {
    controller.enqueue(event(text));
    return next();
  };
  return { exchange, clock, controller, says, next };
}

test('the silence is measured anew with each piece of what goes on', async () => {
  const { exchange, clock, says } = await open();
  await says('one answer');
  exchange.settle(100);
  await says('and another begins');
  exchange.settle(null);
  for (let piece = 0; piece < 5; piece++) {
    await clock.advance(IDLE_MS * 0.9);
    expect(await says(`piece ${piece}`)).toContain(`piece ${piece}`);
  }
  expect(exchange.signal.aborted).toBe(false);
  await clock.advance(IDLE_MS + 1);
  expect(exchange.signal.aborted).toBe(true);
  exchange.dispose();
});

test('a line that breaks in it is a failure; behind a whole answer it is none', async () => {
  const goesOn = await open();
  await goesOn.says('one answer');
  goesOn.exchange.settle(100);
  await goesOn.says('and another begins');
  goesOn.exchange.settle(null);
  goesOn.controller.error(new Error('cut'));
  await expect(goesOn.next()).rejects.toMatchObject({ code: 'model.stream' });
  goesOn.exchange.dispose();
  const whole = await open();
  await whole.says('one answer');
  whole.exchange.settle(100);
  whole.controller.error(new Error('cut'));
  expect(await whole.next()).toBe('');
  whole.exchange.dispose();
});
