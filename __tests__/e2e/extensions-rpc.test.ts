/** The examples over rpc: the guard blocks, the tool answers, the command and its lines come as events. */

import { installExamples, installExtension } from './extensions.js';
import { withRpc } from './rpc-home.js';

const shell = (command: string) => ({ command, risk: 'low', mutation: false, privesc: false, why: 'to see' });

test('the guard blocks a push, the tool of an example answers, and its widget is told', async () => {
  const calls = [
    { name: 'run_shell', arguments: shell('sudo git push') },
    { name: 'disk_usage', arguments: { path: '.' } },
  ];
  await withRpc(
    ({ results }) => {
      const call = calls[results.length];
      return call === undefined ? [{ content: 'done' }] : [{ calls: [{ ...call, id: `c${results.length}` }] }];
    },
    async ({ home, start }) => {
      installExamples(home);
      const { client, seen } = await start({ args: ['--direct'] });
      await client.request({ type: 'prompt.submit', text: 'go' });
      expect(await seen('tool.ended')).toMatchObject({
        isError: true,
        summary: 'blocked',
        text: expect.stringContaining('guard-git-push'),
      });
      expect(await seen('tool.ended', ({ isError }) => !isError)).toMatchObject({ summary: expect.stringMatching(/^\d+ entries$/) });
      expect((await seen('commands.offered', ({ commands }) => commands.some(({ name }) => name === 'todo'))).commands).toContainEqual(
        expect.objectContaining({ name: 'todo', kind: 'extension', args: '[TEXT | done N | clear]' }),
      );
      await client.request({ type: 'command.invoke', name: 'todo', args: 'buy milk' });
      expect(await seen('widget.shown')).toMatchObject({ id: 'todo/list', widget: { extension: 'todo', lines: ['1. [ ] buy milk'] } });
      await client.request({ type: 'extensions.tell' });
      expect(
        (await seen('extensions.told')).extensions.filter(({ from }) => from.endsWith('.ts')).map(({ name, state }) => [name, state]),
      ).toEqual([
        ['disk_usage', 'running'],
        ['guard-git-push', 'running'],
        ['todo', 'running'],
      ]);
    },
  );
}, 60_000);

test('what is typed at a prompt is a command to the guard as well, also behind what stood there', async () => {
  const typed = (arguments_: object) => ({ name: 'send-keys', arguments: { ...shell(''), ...arguments_ } });
  const calls = [
    typed({ literal_text: 'git push', keys: ['Enter'] }),
    typed({ literal_text: 'git -C x pu' }),
    typed({ literal_text: 'sh', enter: true }),
  ];
  await withRpc(
    ({ results }) => {
      const call = calls[results.length];
      return call === undefined ? [{ content: 'done' }] : [{ calls: [{ ...call, id: `c${results.length}` }] }];
    },
    async ({ home, start }) => {
      installExamples(home);
      const { client, seen, envelopes } = await start();
      await seen('pane.state', ({ state }) => state.kind === 'idle');
      // Whatever is asked is answered with yes: the guard does not depend on it.
      client.onEvent(({ event }) => {
        if (event.type === 'approval.requested') client.send({ type: 'approval.answer', approval: event.request.id, decision: 'once' });
      });
      await client.request({ type: 'approval.policy', policy: { kind: 'all' } });
      await client.request({ type: 'prompt.submit', text: 'go' });
      await seen('task.ended', ({ task }) => task === '1');
      const ended = envelopes.flatMap(({ event }) => (event.type === 'tool.ended' ? [event.summary] : []));
      expect(ended).toEqual(['blocked', 'typed', 'blocked']);
    },
  );
}, 60_000);

const PROVIDERS = (baseUrl: string) => `
import { defineExtension } from 'buddy-tui/extension';
export default defineExtension({
  name: 'models',
  providers: [
    { name: 'echo', contextTokens: 50000, async *stream({ messages, tools }, { signal }) {
      const last = messages.at(-1);
      if (last?.text === 'hang') await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      if (last?.text === 'break') throw new Error('the line is down');
      if (last?.role !== 'tool') {
        for (const word of ['I ', 'look', '.']) yield { text: word };
        yield { call: { name: 'time', args: {} } };
      } else yield { text: \`\${tools.length > 3} \${last.text.includes('unix_millis')}\` };
      yield { usage: { inputTokens: 7, outputTokens: 3 } };
    } },
    { name: 'served', contextTokens: 50000, model: 'mock-2', baseUrl: ${JSON.stringify(baseUrl)} },
  ],
});`;

test('a model of an extension: its own stream, and a server that gets no key of the person', async () => {
  await withRpc(
    () => [{ content: 'from the server' }],
    async ({ home, server, start }) => {
      installExtension(home, 'models.ts', PROVIDERS(server.baseUrl));
      const { client, seen, envelopes } = await start({ args: ['--direct'] });
      expect((await seen('profiles.offered')).profiles.map(({ profile, extension }) => [profile, extension])).toEqual([
        ['echo', 'models'],
        ['served', 'models'],
      ]);
      const ended = (task: string) => seen('task.ended', (event) => event.task === task);
      const answers = () => envelopes.flatMap(({ event }) => (event.type === 'model.answered' ? [event.message.text] : []));
      await client.request({ type: 'model.switch', profile: 'echo' });
      await client.request({ type: 'prompt.submit', text: 'what time is it?' });
      expect(await ended('1')).toMatchObject({ outcome: 'completed' });
      expect(answers()).toEqual(['I look.', 'true true']);

      await client.request({ type: 'prompt.submit', text: 'break' });
      expect(await ended('2')).toMatchObject({ outcome: 'failed', error: { message: expect.stringContaining('the line is down') } });

      await client.request({ type: 'prompt.submit', text: 'hang' });
      await seen('model.requested', (event) => event.task === '3');
      await client.request({ type: 'task.cancel', task: '3' });
      expect(await ended('3')).toMatchObject({ outcome: 'cancelled' });

      await client.request({ type: 'model.switch', profile: 'served' });
      await client.request({ type: 'prompt.submit', text: 'hello' });
      expect(await ended('4')).toMatchObject({ outcome: 'completed' });
      expect(answers().at(-1)).toBe('from the server');
    },
  );
}, 60_000);
