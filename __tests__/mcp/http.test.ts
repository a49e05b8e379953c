/** The official example server over HTTP: called, lost and found again, and what it can be told apart by. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeClock } from '../support/fake-clock.js';
import { startMcp, toolCall } from '../support/mcp/bench.js';
import { startEverything } from '../support/mcp/http-server.js';
import { until } from '../support/until.js';

type Bench = Awaited<ReturnType<typeof startMcp>>;
let bench: Bench | null = null;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await bench?.close();
  bench = null;
  for (const close of closing.splice(0)) await close();
});

const echo = (message: string, id = 'c1') => ({ calls: [toolCall('all__echo', { message }, id)] });

test('streamable HTTP: its tools are called, with progress and a cancel; a server that came back is found again', async () => {
  const server = await startEverything('streamableHttp');
  closing.push(server.close);
  const long = { calls: [toolCall('all__trigger-long-running-operation', { duration: 60, steps: 300 }, 'c2')] };
  bench = await startMcp({ all: { url: server.url } }, [
    echo('over http'),
    { text: 'ok' },
    long,
    echo('before', 'c3'),
    echo('after', 'c4'),
    { text: 'ok' },
  ]);
  const { runtime, ask, seen, result, events, find } = bench;
  runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  ask();
  await seen('task.ended');
  expect(result()?.text).toBe('Echo: over http');
  ask('now long');
  await until('progress came', () => events.some((event) => event.type === 'tool.output' && /1\/300/.test(event.text)));
  runtime.send({ type: 'task.cancel', task: '2' });
  await seen('task.ended', 2);
  expect(find('task.ended')[1]?.outcome).toBe('cancelled');
  await server.close();
  const again = await startEverything('streamableHttp', server.port);
  closing.push(again.close);
  ask('after it came back');
  await seen('task.ended', 3);
  // The first call finds out that the session is gone; the next one, of the same prompt, makes another.
  expect(find('tool.ended').slice(-2)).toMatchObject([{ isError: true }, { isError: false, text: 'Echo: after' }]);
  const { text } = await bench.servers.readResource('all', 'demo://resource/static/document/architecture.md', new AbortController().signal);
  expect(text).toContain('# Everything Server');
});

test('a server that only knows the older way is spoken to in it', async () => {
  const server = await startEverything('sse');
  closing.push(server.close);
  bench = await startMcp({ all: { url: server.url } }, [echo('over sse')]);
  bench.runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  bench.ask();
  await bench.seen('task.ended');
  expect(bench.result()?.text).toBe('Echo: over sse');
});

test('an address where nobody is fails with its reason, and headers go where they belong', async () => {
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(500).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  bench = await startMcp({ all: { url, bearer_token_env: 'TOKEN' } }, [], { variable: (name) => (name === 'TOKEN' ? 's3cret' : null) });
  bench.ask();
  await bench.seen('task.ended');
  expect(heard[0]).toBe('Bearer s3cret');
  expect(bench.said()).toEqual([expect.stringMatching(/^MCP server all: .*500.*; it is tried again$/)]);
});

test('an answer without end is cut off while it is read', async () => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += String(text);
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body || '{}') as { id?: number; method?: string; params?: { protocolVersion?: string } };
      const serverInfo = { name: 'bad', version: '1' };
      const capabilities = { tools: {} };
      const tool = { name: 'echo', inputSchema: { type: 'object' } };
      const results: Readonly<Record<string, object>> = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities, serverInfo },
        'tools/list': { tools: [tool] },
      };
      if (id === undefined) return void response.writeHead(request.method === 'GET' ? 405 : 202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      const result = results[method ?? ''];
      if (result !== undefined) return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      response.write('{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"');
      const more = () => {
        if (response.destroyed) return;
        while (response.write('x'.repeat(1 << 20)) && !response.destroyed);
        response.once('drain', more);
      };
      more();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  bench = await startMcp({ all: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` } }, [echo('x')]);
  bench.runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  bench.ask();
  await bench.seen('task.ended');
  expect(bench.result()).toMatchObject({ isError: true, text: expect.stringContaining('more than 16 MiB') });
  expect(bench.said()).toEqual(['MCP server all: it sent a message of more than 16 MiB']);
});

test('a stream that opens and says nothing is a start that failed, when its time is over', async () => {
  const clock = new FakeClock();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const opened = new Promise((resolve) => server.once('request', resolve));
  bench = await startMcp({ all: { type: 'sse', url, start_secs: 1 } }, [], { clock });
  const { ask, seen, find, said } = bench;
  ask();
  await opened;
  await clock.advance(1000);
  await seen('task.ended');
  await clock.advance(5000);
  await until('it is tried again', () => find('mcp.told').at(-1)?.servers[0]?.state === 'waiting');
  expect(said().at(-1)).toBe('MCP server all: it was not there within 6 s; it is tried again');
});
