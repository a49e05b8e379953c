/** The official example server over stdio: what it has is listed, called, cancelled and read, through the runtime and its questions. */

import { groupExists } from '../../lib/base/process.js';
import { resourceSource } from '../../lib/mcp/mentions.js';
import { packaged, serversIn, startMcp, toolCall } from '../support/mcp/bench.js';
import type { ScriptedAnswer } from '../support/scripted-model.js';
import { until } from '../support/until.js';

type Bench = Awaited<ReturnType<typeof startMcp>>;
let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

const server = packaged('@modelcontextprotocol/server-everything', 'stdio');

async function started(...answers: readonly ScriptedAnswer[]): Promise<Bench> {
  bench = await startMcp({ all: { ...server, start_secs: 30 } }, answers);
  return bench;
}

function calls(name: string, args: object = {}): ScriptedAnswer {
  return { calls: [toolCall(`all__${name}`, args)] };
}

test('nothing is started before the first prompt; then its tools are offered, and a call is asked about with its arguments', async () => {
  const { servers, ask, seen, find, answer, requests, result } = await started(calls('echo', { message: 'hello there' }));
  expect(servers.pids).toEqual([]);
  ask();
  await seen('approval.requested');
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['run_shell', 'all__echo', 'all__get-sum']));
  expect(find('approval.requested')[0]?.request).toMatchObject({
    tool: 'all__echo',
    title: 'call echo of the MCP server all (which says that it only reads)',
    body: '{\n  "message": "hello there"\n}',
    notes: ['a yes for the session is for every call of all__echo, whatever its arguments are'],
  });
  answer('once');
  await seen('task.ended');
  expect(result()).toMatchObject({ isError: false, text: 'Echo: hello there', summary: 'ok · 1 line' });
  expect(JSON.stringify(requests[1]?.messages)).toContain('Echo: hello there');
});

test('a yes for the session is for the tool, and for no other', async () => {
  const { ask, seen, find, answer } = await started(
    calls('echo', { message: 'one' }),
    { calls: [toolCall('all__echo', { message: 'two' }, 'c2')] },
    { calls: [toolCall('all__get-sum', { a: 1, b: 2 }, 'c3')] },
  );
  ask();
  await seen('approval.requested');
  answer('session');
  await seen('approval.requested', 2);
  expect(find('approval.requested').map(({ request }) => request.tool)).toEqual(['all__echo', 'all__get-sum']);
  answer('deny');
  await seen('task.ended');
  expect(find('tool.ended').map(({ text }) => text.split('.')[0])).toEqual(['Echo: one', 'Echo: two', 'The user said no; nothing ran']);
});

test('pictures, links, structured answers and faults come as what they are', async () => {
  const { ask, seen, requests, find } = await started(
    calls('get-tiny-image'),
    { calls: [toolCall('all__get-structured-content', { location: 'Chicago' }, 'c2')] },
    { calls: [toolCall('all__get-resource-links', { count: 2 }, 'c3')] },
    { calls: [toolCall('all__get-sum', { a: 'x' }, 'c4')] },
  );
  bench?.runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  ask();
  await seen('task.ended');
  const tools = requests.at(-1)?.messages.filter((message) => message.role === 'tool') ?? [];
  expect(tools[0]).toMatchObject({ images: [{ mediaType: 'image/png', name: 'MCP server all: picture 1' }] });
  expect(tools.map(({ isError }) => isError)).toEqual([false, false, false, true]);
  expect(find('tool.ended')[1]?.text).toContain('"temperature"');
  expect(find('tool.ended')[2]?.text).toContain('[resource demo://resource/');
  expect(find('tool.ended')[3]?.text).toMatch(/expected number/i);
});

test('progress is shown while it runs; a cancel ends the call at once and the server goes on', async () => {
  const { ask, seen, runtime, find, events, answer } = await started(
    calls('trigger-long-running-operation', { duration: 60, steps: 300 }),
    { calls: [toolCall('all__echo', { message: 'still here' }, 'c2')] },
  );
  ask();
  await seen('approval.requested');
  answer('once');
  await until('progress came', () => events.some((event) => event.type === 'tool.output' && /1\/300/.test(event.text)));
  runtime.send({ type: 'task.cancel', task: '1' });
  await seen('task.ended');
  expect(find('task.ended')[0]?.outcome).toBe('cancelled');
  ask('again');
  await seen('approval.requested', 2);
  answer('once');
  await seen('task.ended', 2);
  expect(find('tool.ended').at(-1)?.text).toBe('Echo: still here');
});

test('its prompts are commands, with their arguments; a missing one is one sentence', async () => {
  const { ask, seen, runtime, find, said, requests } = await started();
  ask();
  await seen('task.ended');
  const names = find('commands.offered')
    .at(-1)
    ?.commands.map(({ name, args }) => `${name} ${args}`.trim());
  expect(names).toContain('all:args-prompt <city=…> [state=…]');
  runtime.send({ type: 'command.invoke', name: 'all:args-prompt', args: '' });
  await until('it said what is missing', () => said().some((of) => of.includes('it needs city=…')));
  runtime.send({ type: 'command.invoke', name: 'all:args-prompt', args: 'city="New York" state=NY' });
  await seen('task.ended', 2);
  expect(requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('New York, NY') });
  // They are the words of the server, whoever asked for them.
  expect(find('task.attached').at(-1)?.attached).toEqual([{ kind: 'resource', name: 'all:args-prompt', bytes: expect.any(Number) }]);
});

test('its resources are offered while a person types, and read', async () => {
  const { ask, seen, servers, runtime, find } = await started();
  ask();
  await seen('task.ended');
  runtime.send({ type: 'mentions.tell', text: 'what is in @all:demo://resource/static/document/arch' });
  await seen('mentions.told');
  const choice = { word: 'all:demo://resource/static/document/architecture.md', says: 'architecture.md' };
  expect(find('mentions.told')[0]?.choices).toEqual([choice]);
  const { text } = await servers.readResource('all', choice.word.slice('all:'.length), new AbortController().signal);
  expect(text).toContain('# Everything Server');
  await expect(servers.readResource('all', 'demo://nothing', new AbortController().signal)).rejects.toThrow('it says: ');
});

test('@server:uri brings a resource along with a prompt, and starts the server when it has to', async () => {
  const { ask, seen, requests, find, said } = await started();
  ask('what does @all:demo://resource/static/document/architecture.md say?');
  await seen('task.ended');
  expect(said()).toEqual([]);
  expect(JSON.stringify(requests[0]?.messages)).toContain('# Everything Server');
  expect(find('task.attached')[0]?.attached).toMatchObject([
    { kind: 'resource', name: 'all:demo://resource/static/document/architecture.md' },
  ]);
});

test('/reload ends it, and what the files name now is started with the next prompt', async () => {
  const found = { servers: serversIn({ other: { ...server, start_secs: 30, tools: ['echo'] } }), warnings: ['a file is odd'] };
  bench = await startMcp({ all: { ...server, start_secs: 30 } }, [], { find: () => Promise.resolve(found) });
  const { ask, seen, servers, requests } = bench;
  ask();
  await seen('task.ended');
  const [pid = 0] = servers.pids;
  const warnings: string[] = [];
  await servers.reload(new AbortController().signal, (warning) => void warnings.push(warning));
  expect(groupExists(pid)).toBe(false);
  expect(warnings).toEqual(['a file is odd']);
  ask();
  await seen('task.ended', 2);
  expect(requests[1]?.tools.map(({ name }) => name).filter((name) => name.includes('__'))).toEqual(['other__echo']);
});

test('it is told of the working folder, and ends with the program', async () => {
  const { ask, seen, servers, runtime, result, folder } = await started(calls('get-roots-list'));
  runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  ask();
  await seen('task.ended');
  expect(result()?.text).toContain(folder);
  const [pid = 0] = servers.pids;
  expect(groupExists(pid)).toBe(true);
  runtime.send({ type: 'runtime.shutdown' });
  await runtime.closed;
  await until('its group is gone', () => !groupExists(pid));
});

test('what a resource shows as a picture goes along as one', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
  const image = { mediaType: 'image/png', data: png, name: 'MCP server all: x:1' } as const;
  const source = resourceSource({
    names: ['all'],
    completeResources: () => [],
    readResource: () => Promise.resolve({ text: '', images: [image] }),
  });
  const look = { mostBytes: 8000, whole: true };
  expect(source.fits('all:x:1')).toBe(true);
  expect(['all:x', 'other:x:1', ':x:1', 'all'].map((word) => source.fits(word))).toEqual([false, false, false, false]);
  expect(await source.find('all:x:1', look, new AbortController().signal)).toMatchObject({
    kind: 'resource',
    name: 'all:x:1',
    image,
  });
  const several = resourceSource({
    names: ['all'],
    completeResources: () => [],
    readResource: () => Promise.resolve({ text: 'words', images: [image, image] }),
  });
  expect(await several.find('all:x:1', look, new AbortController().signal)).toMatchObject({
    text: 'words',
    image,
    note: 'the first of 2 pictures',
  });
});
