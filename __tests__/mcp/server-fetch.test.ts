/** What a server over HTTP is asked: with its headers, other hosts without, and its stream of events not without end. */

import { serverFetch } from '../../lib/mcp/server-fetch.js';
import { FakeClock } from '../support/fake-clock.js';

function started() {
  const clock = new FakeClock();
  const heard: (readonly [url: string, key: string | null])[] = [];
  const fetch = serverFetch(
    (input, init) => {
      heard.push([String(input), new Headers(init?.headers).get('x-api-key')]);
      return Promise.resolve(new Response(''));
    },
    { url: 'https://tracker.example/mcp', headers: { 'X-Api-Key': 'k3y' }, clock },
  );
  return { clock, heard, fetch };
}

test('its headers go to it, and to no other host, port or plain http', async () => {
  const { fetch, heard } = started();
  const places = [
    'https://tracker.example/mcp',
    'https://tracker.example/.well-known/oauth-protected-resource',
    'https://login.example/meta',
    'https://tracker.example:8443/meta',
    'http://tracker.example/mcp',
  ];
  for (const place of places) await fetch(place, { method: 'POST' });
  expect(heard).toEqual(places.map((place, at) => [place, at < 2 ? 'k3y' : null]));
});

test('a stream of events that ends at once is opened once a second, and a pause ends with its signal', async () => {
  const { fetch, heard, clock } = started();
  const open = (signal?: AbortSignal) =>
    fetch('https://tracker.example/mcp', { headers: { accept: 'text/event-stream' }, ...(signal === undefined ? {} : { signal }) });
  await open();
  const second = open();
  await clock.advance(999);
  expect(heard).toHaveLength(1);
  await clock.advance(1);
  await second;
  expect(heard).toHaveLength(2);
  const ended = new AbortController();
  const third = open(ended.signal);
  ended.abort();
  await expect(third).rejects.toMatchObject({ name: 'AbortError' });
  expect(heard).toHaveLength(2);
});

test('of requests that nobody answers there are 64 at a time', async () => {
  const answers: (() => void)[] = [];
  const fetch = serverFetch(() => new Promise((resolve) => answers.push(() => resolve(new Response('')))), {
    ...{ url: 'https://tracker.example/mcp', headers: {}, clock: new FakeClock() },
  });
  const post = () => fetch('https://tracker.example/mcp', { method: 'POST' });
  const waiting = Array.from({ length: 64 }, post);
  await expect(post()).rejects.toThrow('it leaves too many requests without an answer');
  answers[0]?.();
  await waiting[0];
  const next = post();
  for (const answer of answers) answer();
  await Promise.all([...waiting, next]);
  expect(answers).toHaveLength(65);
});
