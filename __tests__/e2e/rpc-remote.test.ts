/** A client that works on another host: over a real ssh connection, with the flags of every start. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { hasSshd, startSshServer } from '../targets/ssh-server.js';
import { withRpc } from './rpc-home.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);
const there = hasSshd ? test : test.skip;

there('the question names that host, and what is allowed runs there', async () => {
  const server = await startSshServer({});
  const { destination, env } = server;
  const reply = ({ results }: { readonly results: readonly unknown[] }) => {
    const args = { command: 'echo "[$SSH_CONNECTION]"', risk: 'low', mutation: false, privesc: false, why: 'to look' };
    return results.length > 0 ? [{ content: 'There.' }] : [{ calls: [{ name: 'run_shell', arguments: args }] }];
  };
  try {
    await withRpc(reply, async ({ home, start }) => {
      const where = `${destination.user}@${destination.host}:${destination.port}`;
      const trace = join(home.folder, 'trace.jsonl');
      const { client, seen } = await start({
        args: ['--ssh', where, '-m', 'mock', '--trace', trace, '--session', 'new'],
        env: { ...home.env, ...env },
      });
      expect(client.header).toMatchObject({ target: { kind: 'ssh', via: 'tmux' }, cwd: home.folder });
      await client.request({ type: 'prompt.submit', text: 'look' });
      const { request } = await seen('approval.requested');
      expect(request.where).toMatchObject({ kind: 'ssh', user: destination.user });
      await client.request({ type: 'approval.answer', approval: request.id, decision: 'once' });
      expect((await seen('tool.ended')).text).toMatch(/\[127\.0\.0\.1 \d+ 127\.0\.0\.1 \d+\]/);
      await seen('task.ended');
      expect(await client.close()).toEqual({ code: 0, signal: null, messages: '' });
      const traced = readFileSync(trace, 'utf8');
      for (const words of ['"approval.answer"', '"lifecycle.stopped"']) expect(traced).toContain(words);
    });
  } finally {
    await server.close();
  }
});
