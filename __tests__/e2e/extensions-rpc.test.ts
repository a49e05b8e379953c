/** The examples over rpc: the guard blocks, the tool answers, the command and its lines come as events. */

import { installExamples } from './extensions.js';
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
        (await seen('extensions.told')).extensions.filter(({ from }) => from !== 'built in').map(({ name, state }) => [name, state]),
      ).toEqual([
        ['disk_usage', 'running'],
        ['guard-git-push', 'running'],
        ['todo', 'running'],
      ]);
    },
  );
}, 60_000);
