/** The built program with a model that goes on and on: it is stopped in words, and "go on" lets it continue. Files that are read together. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatServer, startChatServer } from '../support/chat-server.js';
import { answer, type Home, withEye } from './eye.js';

const claim = { risk: 'low', mutation: false, privesc: false, why: 'To look once more.' };
const shell = (command: string) => ({ name: 'run_shell', arguments: { command, ...claim } });

function configure(home: Home, server: ChatServer): void {
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [
    '[models.mock]',
    `api_base_url = "${server.baseUrl}"`,
    'api = "completions"',
    'model = "mock-1"',
    'api_key = "key-for-tests"',
  ];
  writeFileSync(join(folder, 'buddy.toml'), [...profile, ''].join('\n'), { mode: 0o600 });
}

test('the same command with the same result is run three times, not more; one whose result changes may be repeated', () =>
  withEye(async (eye, home) => {
    const server = await startChatServer(function* ({ prompt, results }) {
      if (prompt.startsWith('watch') && results.length === 5) yield { content: 'It counts.' };
      else if (prompt.startsWith('watch')) yield { calls: [shell('echo x >>count; wc -l <count')] };
      else if (prompt === 'go on') yield { content: 'I leave it.' };
      else yield { calls: [shell('cat state')] };
    });
    try {
      configure(home, server);
      writeFileSync(join(home.folder, 'state'), 'activating\n');
      await eye.start();
      await eye.line('is it up?');
      await eye.sees(/approve on[\s\S]*cat state/);
      await answer(eye, 's', 'cat state');
      await eye.sees(/the model was stopped: it made the same call 3 times in a row with the same result/);
      await eye.sees(/cat state[\s\S]*Tell it what to do differently, or say "go on"/);
      expect((await home.tmux('capture-pane', '-p', '-t', '=buddy-agent-mo:')).match(/^activating$/gm)).toHaveLength(3);
      await eye.line('go on');
      await eye.sees('I leave it.');
      await eye.line('watch it');
      await eye.sees(/approve on[\s\S]*wc -l/);
      await answer(eye, 's', 'wc -l');
      await eye.sees('It counts.');
    } finally {
      await server.close();
    }
  }));

test('files are read together, and their contents go back in the order of the calls', () =>
  withEye(async (eye, home) => {
    const read = (name: string) => ({ name: 'read_file', arguments: { path: join(home.folder, name), why: 'To compare.' } });
    const names = ['one', 'two', 'missing', 'three'];
    const server = await startChatServer(function* ({ results }) {
      if (results.length > 0) yield { content: 'All were read.' };
      else yield { calls: names.map(read) };
    });
    try {
      configure(home, server);
      for (const name of names.filter((known) => known !== 'missing')) writeFileSync(join(home.folder, name), `content of ${name}\n`);
      await eye.start();
      await eye.line('compare them');
      await eye.sees('All were read.');
      const contents = server.seen.at(-1)?.results.map(({ content }) => {
        const { result } = JSON.parse(content ?? '{}') as { result: { content?: string; error?: string } };
        return result.content ?? result.error?.replace(/.*: /, '');
      });
      expect(contents).toEqual(['content of one\n', 'content of two\n', expect.stringContaining('no such file'), 'content of three\n']);
    } finally {
      await server.close();
    }
  }));
