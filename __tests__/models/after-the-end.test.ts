/** Servers that leave the line open behind a whole answer, silent or talking: the answer is there at its last event, and no line is left over. */

import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { ask, collect, openProvider, profileFor } from './provider-under-test.js';
import { type Api, apis, eventsOf, sse } from './spoken.js';

/** What the server does behind the answer. */
type After = 'ends' | 'is silent' | 'sends comments' | 'sends events';

const noise: Readonly<Partial<Record<After, string>>> = { 'sends comments': ': ping\n\n', 'sends events': sse({ type: 'ping' }) };

async function startServer(body: string, after: After) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(body);
    if (after === 'ends') response.end();
    const more = noise[after];
    if (more === undefined) return;
    const talking = setInterval(() => response.write(more), 20);
    response.on('close', () => clearInterval(talking));
  });
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    open: () => sockets.size,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const spoken = { text: ['all ', 'of it'], usage: { input: 7, output: 3, cached: 2 } };

/** The answer without the `[DONE]` line, which many servers leave out. */
function unmarked(api: Api): string {
  return eventsOf(api, spoken)
    .filter((event) => !event.includes('[DONE]'))
    .join('');
}

describe.each(apis)('%s', (api) => {
  test.each(['is silent', 'sends comments', 'sends events'] as const)('a server that %s for ever', async (after) => {
    const server = await startServer(unmarked(api), after);
    const { provider, http } = await openProvider(profileFor(api, server.baseUrl), { timeoutSecs: 3600 });
    try {
      const before = readdirSync('/proc/self/fd').length;
      const answers = await Promise.all(Array.from({ length: 12 }, () => collect(provider, ask())));
      for (const { done } of answers) {
        expect(done).toMatchObject({ message: { text: 'all of it', incomplete: false }, usage: { inputTokens: 7, outputTokens: 3 } });
      }
      if (after !== 'sends comments') return;
      await until('every line is closed', () => server.open() === 0);
      await until('no descriptor is left', () => readdirSync('/proc/self/fd').length <= before);
    } finally {
      await http.close();
      await server.close();
    }
  });

  test('behind the [DONE] line nothing is waited for, not even by the clock', async () => {
    const server = await startServer(`${unmarked(api)}data: [DONE]\n\n`, 'sends comments');
    const clock = new FakeClock();
    const { provider, http } = await openProvider(profileFor(api, server.baseUrl), { clock, timeoutSecs: 3600 });
    try {
      expect((await collect(provider, ask())).text).toBe('all of it');
      // The line is given up when its end does not come.
      await clock.advance(1000);
      await until('the line is closed', () => server.open() === 0);
      expect(clock.pending).toBe(0);
    } finally {
      await http.close();
      await server.close();
    }
  });

  test('a line that was read to its end is used again', async () => {
    const server = await startServer(`${unmarked(api)}data: [DONE]\n\n`, 'ends');
    const { provider, http } = await openProvider(profileFor(api, server.baseUrl));
    try {
      for (let request = 0; request < 8; request++) expect((await collect(provider, ask())).text).toBe('all of it');
      // The next one may begin before the end of the last was read.
      expect(server.connections()).toBeLessThan(3);
    } finally {
      await http.close();
      await server.close();
    }
  });
});

test('chat completions whose figures never come end all the same', async () => {
  const { usage: _, ...plain } = spoken;
  const server = await startServer(eventsOf('chat', plain).slice(0, -1).join(''), 'sends comments');
  const clock = new FakeClock();
  const { provider, http } = await openProvider(profileFor('chat', server.baseUrl), { clock, timeoutSecs: 3600 });
  try {
    const answer = collect(provider, ask());
    let ended = false;
    void answer.finally(() => {
      ended = true;
    });
    await until('it ended', async () => {
      await clock.advance(500);
      return ended;
    });
    expect((await answer).done).toMatchObject({ message: { text: 'all of it', incomplete: false }, usage: null });
  } finally {
    await http.close();
    await server.close();
  }
});
