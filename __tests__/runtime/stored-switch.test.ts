/** A session over servers that keep the conversation, with switches between profiles, a new session and a summary. */

import { openProvider, profileFor } from '../models/provider-under-test.js';
import { startStoringServer } from '../models/storing-server.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

test('no id crosses a switch or a new session; calls and their results stay pairs', async () => {
  const servers = { scripted: await startStoringServer(), other: await startStoringServer() };
  const clients: { close(): Promise<void> }[] = [];
  const openModel = async (profile: string) => {
    const { baseUrl } = servers[profile as keyof typeof servers];
    const { provider, http } = await openProvider(profileFor('responses', baseUrl, { store: true, name: profile }));
    clients.push(http);
    return provider;
  };
  const claim = { risk: 'low', mutation: false, privesc: false, why: 'x' };
  const calls = (id: string) => [{ id, name: 'run_shell', args: [JSON.stringify({ command: `echo ${id}`, ...claim })] }];
  const bench = await startRuntime(
    [],
    fakeTarget(() => exited('fine')),
    { policy: { kind: 'all' }, openModel },
  );
  let prompts = 0;
  const prompt = async (text: string) => {
    bench.runtime.send({ type: 'prompt.submit', text });
    await bench.seen('task.ended', ++prompts);
  };
  const linked = (name: keyof typeof servers) => servers[name].seen.map(({ body }) => 'previous_response_id' in body);

  servers.scripted.script({ calls: calls('a') }, { text: ['one'] });
  await prompt('first');
  expect(linked('scripted')).toEqual([false, true]);
  bench.runtime.send({ type: 'model.switch', profile: 'other' });
  servers.other.script({ calls: calls('b') }, { text: ['two'] });
  await prompt('second');
  expect(linked('other')).toEqual([false, true]);
  // The other server was told of what was said before it came.
  expect(JSON.stringify(servers.other.seen[0]?.input)).toContain('echo a');
  bench.runtime.send({ type: 'model.switch', profile: 'scripted' });
  await prompt('third');
  expect(linked('scripted')).toEqual([false, true, false]);
  await prompt('fourth');
  expect(linked('scripted').at(-1)).toBe(true);
  bench.runtime.send({ type: 'session.new' });
  await prompt('fifth');
  expect(linked('scripted').at(-1)).toBe(false);
  expect(JSON.stringify(servers.scripted.seen.at(-1)?.whole)).not.toContain('first');

  expect(bench.find('task.ended').map(({ outcome }) => outcome)).toEqual(Array.from({ length: prompts }, () => 'completed'));
  for (const server of Object.values(servers)) expect(server.refusals).toEqual([]);
  for (const client of clients) await client.close();
  for (const server of Object.values(servers)) await server.close();
});

test('after a summary all of it is sent, and from there on only what is new again', async () => {
  const server = await startStoringServer();
  const { provider, http } = await openProvider(profileFor('responses', server.baseUrl, { store: true }));
  const claim = { risk: 'low', mutation: false, privesc: false, why: 'x' };
  const call = (id: string) => ({ calls: [{ id, name: 'run_shell', args: [JSON.stringify({ command: `echo ${id}`, ...claim })] }] });
  const bench = await startRuntime(
    [],
    fakeTarget(() => exited('x'.repeat(6000))),
    { policy: { kind: 'all' }, openModel: () => Promise.resolve(provider) },
  );
  let tasks = 0;
  const ended = () => bench.seen('task.ended', ++tasks);
  const linked = () => server.seen.map(({ body }) => 'previous_response_id' in body);
  server.script(call('a'), call('b'), call('c'), { text: ['Seen.'] });
  bench.runtime.send({ type: 'prompt.submit', text: 'look around' });
  await ended();
  expect(linked()).toEqual([false, true, true, true]);
  server.script({ text: ['Three echoes.'] });
  bench.runtime.send({ type: 'session.compact', wishes: '' });
  await ended();
  expect(bench.find('context.compacted')).toHaveLength(1);
  bench.runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await ended();
  bench.runtime.send({ type: 'prompt.submit', text: 'and then?' });
  await ended();
  // The summary itself, the first request after it, the next one.
  expect(linked().slice(4)).toEqual([false, false, true]);
  expect(JSON.stringify(server.seen[5]?.whole)).toContain('Three echoes.');
  expect(server.seen[6]?.input).toHaveLength(1);
  expect(server.refusals).toEqual([]);
  await http.close();
  await server.close();
});
