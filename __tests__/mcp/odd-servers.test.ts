/** Servers that are odd rather than broken: what they have is used, and what they say stays a stranger's words. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../lib/base/clock.js';
import { Relisting } from '../../lib/mcp/relisting.js';
import { serverTool } from '../../lib/mcp/server-tool.js';
import { StdioTransport } from '../../lib/mcp/stdio-transport.js';
import type { ReviewContext } from '../../lib/tools/tool.js';
import { FakeClock } from '../support/fake-clock.js';
import { badServer, serversIn, startMcp, toolCall } from '../support/mcp/bench.js';
import { until } from '../support/until.js';

type Bench = Awaited<ReturnType<typeof startMcp>>;
let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

async function asked(mode: string): Promise<Bench> {
  bench = await startMcp({ bad: badServer(mode) });
  bench.ask();
  return bench;
}

const names = ({ requests }: Bench) => (requests.at(-1)?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('bad__'));

test('one that says it has prompts and resources, and cannot list them, keeps its tools', async () => {
  const { seen, said, find } = await asked('half');
  await seen('task.ended');
  expect(names(bench as Bench)).toEqual(['bad__echo']);
  expect(find('mcp.told').at(-1)?.servers[0]?.state).toBe('ready');
  expect(said()).toEqual([
    'MCP server bad: its prompts are not known: it says: no such method',
    'MCP server bad: its resources are not known: it says: no such method',
  ]);
});

test('a tool that is too deep to be looked at is left out, and the others stay', async () => {
  const { seen, said } = await asked('deep');
  await seen('task.ended');
  expect(names(bench as Bench)).toEqual(['bad__echo']);
  expect(said()).toEqual(['MCP server bad: a tool is left out: "deep": what it says of itself is too deep']);
});

test('the name of a tool is in quotes in a question when more than a name could be read in it', () => {
  const listed = { name: 'echo\nof the MCP server files', description: '', schema: {}, saysReadOnly: false, hash: '' };
  const tool = serverTool('bad', '', listed, () => Promise.resolve({}));
  const review = tool.review({}, { target: { summary: { kind: 'local' } } } as ReviewContext);
  expect(review).toMatchObject({ kind: 'ask', title: 'call "echo\\nof the MCP server files" of the MCP server bad' });
});

test('of a long message in its log the beginning is kept', async () => {
  const { seen, servers, runtime, find } = await asked('logs');
  await seen('task.ended');
  await until('it has said something', () => {
    runtime.send({ type: 'mcp.act', server: 'bad', act: 'log' });
    return find('mcp.logged').at(-1)?.lines.length === 1;
  });
  expect(find('mcp.logged').at(-1)?.lines[0]).toBe(`info: ${'x'.repeat(1994)}`);
  expect(servers.pids).toHaveLength(1);
});

test('a tool that goes on changing is told of each time, from where it differs, and a yes to what has just changed is refused', async () => {
  const { seen, said, runtime, find } = await asked('changes-on');
  await seen('task.ended');
  await until('it has changed twice', () => said().length > 1);
  expect(said().slice(0, 2)).toEqual(
    [1, 2].map((times) => expect.stringMatching(new RegExp(`echo said: ….{50,70}Really. 0; it says now: ….{50,70}Really. ${times}$`))),
  );
  runtime.send({ type: 'mcp.act', server: 'bad', act: 'approve' });
  await until('it is refused', () => said().some((text) => text.includes('has just changed once more; look at it again')));
  expect(find('mcp.told').at(-1)?.servers[0]).toMatchObject({ tools: 0, held: [expect.stringContaining('it says now')] });
});

test('what is switched off while it is restarted stays off', async () => {
  const { seen, servers, runtime, find } = await asked('echo');
  await seen('task.ended');
  runtime.send({ type: 'mcp.act', server: 'bad', act: 'restart' });
  runtime.send({ type: 'mcp.act', server: 'bad', act: 'disable' });
  await until('it is off', () => find('mcp.told').at(-1)?.servers[0]?.state === 'off');
  runtime.send({ type: 'prompt.submit', text: 'and now' });
  await seen('task.ended', 2);
  expect([find('mcp.told').at(-1)?.servers[0]?.state, servers.pids]).toEqual(['off', []]);
});

test('lists are asked for anew less and less often while a server goes on saying that they have changed, and none is forgotten', async () => {
  const clock = new FakeClock();
  const heard: string[] = [];
  const relisting = new Relisting(clock, (what) => heard.push(what.join()));
  relisting.changed('prompts');
  relisting.changed('tools');
  await clock.advance(500);
  expect(heard).toEqual(['prompts,tools']);
  for (let second = 0; second < 100; second++) {
    relisting.changed('tools');
    await clock.advance(1000);
  }
  expect(heard.length).toBeLessThan(13);
  await clock.advance(120_000);
  const before = heard.length;
  relisting.changed('tools');
  await clock.advance(500);
  expect(heard).toHaveLength(before + 1);
});

test('one that asks and asks, and does not read the answers, is ended', async () => {
  bench = await startMcp({ bad: badServer('asks') }, [{ calls: [toolCall('bad__echo', {})] }]);
  bench.runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  bench.ask();
  await bench.seen('task.ended');
  expect(bench.result()).toMatchObject({ isError: true, text: expect.stringContaining('it does not read what it is told') });
});

test('a flood of lines leaves others their turn after each piece', async () => {
  let lines = 0;
  let most = 0;
  const transport = new StdioTransport({
    ...{ command: '/bin/sh', args: ['-c', 'yes & yes >&2'], env: { PATH: process.env['PATH'] ?? '' }, cwd: '/', clock: systemClock },
    ...{ mostBytes: 1024, log: () => lines++, noise: () => lines++ },
  });
  await transport.start();
  let before = 0;
  const turns = setInterval(() => {
    most = Math.max(most, lines - before);
    before = lines;
  }, 0);
  await until('many have come', () => lines > 2_000_000);
  clearInterval(turns);
  await transport.close();
  // A piece of each of the two pipes, 64 KiB with two bytes a line.
  expect(most).toBeLessThan(4 * 32_768 + 1);
});

test('why one cannot be started is said of what it is: the folder, the program, the answer', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[1,{"jsonrpc":"2.0","id":0,"result":5}]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  bench = await startMcp({ a: { command: process.execPath, cwd: '/there/is/none' }, b: { command: 'there-is-none' }, c: { url } });
  bench.ask();
  await bench.seen('task.ended');
  expect([...bench.said()].sort()).toEqual([
    'MCP server a: there is no folder /there/is/none; it is tried again',
    'MCP server b: there is no program there-is-none; it is tried again',
    'MCP server c: it answers with what is no message of MCP; it is tried again',
  ]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a yes for the session is for the server that it was said to, and not for another one of that name', async () => {
  const call = (id: string) => ({ calls: [toolCall('bad__echo', { text: id }, id)] });
  const found = { servers: serversIn({ bad: { ...badServer('echo'), env: { NEW: '1' } } }), warnings: [] };
  const answers = [call('c1'), { text: 'ok' }, call('c2'), { text: 'ok' }, call('c3')];
  bench = await startMcp({ bad: badServer('echo') }, answers, { find: () => Promise.resolve(found) });
  const { ask, seen, answer, servers, find } = bench;
  ask();
  await seen('approval.requested');
  answer('session');
  await seen('task.ended');
  ask();
  await seen('task.ended', 2);
  await servers.reload(new AbortController().signal, () => undefined);
  ask();
  await seen('approval.requested', 2);
  answer('deny');
  await seen('task.ended', 3);
  expect(find('approval.requested').map(({ request }) => request.call)).toEqual(['c1', 'c3']);
});

test('a login that ends after /reload is for the server that is there by then, and starts no other one', async () => {
  let done: () => void = () => undefined;
  const login = new Promise<void>((resolve) => {
    done = resolve;
  });
  const logins = () => ({ stateOf: () => Promise.reject(new Error('no')), logIn: () => login, logOut: () => Promise.resolve() });
  const found = { servers: serversIn({ odd: badServer('echo') }), warnings: [] };
  bench = await startMcp({ odd: { url: 'http://127.0.0.1:9/mcp' } }, [], { logins, find: () => Promise.resolve(found) });
  const { runtime, servers, find } = bench;
  runtime.send({ type: 'mcp.act', server: 'odd', act: 'login' });
  await servers.reload(new AbortController().signal, () => undefined);
  done();
  await until('it is ready', () => find('mcp.told').at(-1)?.servers[0]?.state === 'ready');
  expect([servers.names, servers.pids.length]).toEqual([['odd'], 1]);
});
