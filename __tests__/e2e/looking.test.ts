/** The built program looks through a folder with all of its reading tools, asked by nobody: here and over ssh, with a pane and without. */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startChatServer } from '../support/chat-server.js';
import { hasSshd, type SshServer, startSshServer } from '../targets/ssh-server.js';
import { freshHome, type Home, programPath } from './eye.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

let home: Home;
let server: SshServer | null = null;
beforeEach(() => {
  home = freshHome();
});
afterEach(async () => {
  await home.dispose();
  await server?.close();
  server = null;
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e00802000000', 'hex');

/** A folder of work below `at`, with a key beside it. */
function furnish(at: string): string {
  const folder = join(at, 'work');
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, '.ssh'));
  writeFileSync(join(folder, '.ssh/id_rsa'), 'a needle that is a key\n');
  writeFileSync(join(folder, 'src/a.conf'), 'first\na needle\nlast\n');
  writeFileSync(join(folder, 'src/ignored.log'), 'a needle\n');
  writeFileSync(join(folder, '.gitignore'), '*.log\n');
  writeFileSync(join(folder, 'shot.txt'), PNG);
  return folder;
}

/** What each call came to, as the model got it. */
async function looked(folder: string, more: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const why = 'To look.';
  const calls = [
    { name: 'grep', arguments: { pattern: 'needle', path: folder, context: 1, why } },
    { name: 'find', arguments: { pattern: '*.conf', path: folder, why } },
    { name: 'ls', arguments: { path: folder, why } },
    { name: 'read_file', arguments: { path: join(folder, 'src/a.conf'), offset: 2, limit: 1, why } },
    { name: 'read_file', arguments: { path: join(folder, 'shot.txt'), why } },
  ];
  let told: readonly string[] = [];
  const model = await startChatServer(function* ({ results }) {
    if (results.length === 0) yield { calls: calls.map((call, at) => ({ ...call, id: `c${at}` })) };
    else {
      told = results.map(({ content }) => content ?? '');
      yield { content: 'All was looked at.' };
    }
  });
  const config = join(home.folder, '.config', 'buddy');
  mkdirSync(config, { recursive: true });
  const profile = `[models.mock]\napi_base_url = "${model.baseUrl}"\napi = "completions"\nmodel = "mock-1"\napi_key = "key-for-tests-only"\n`;
  writeFileSync(join(config, 'buddy.toml'), profile, { mode: 0o600 });
  try {
    const { code, stderr } = await new Promise<{ readonly code: number; readonly stderr: string }>((resolve) => {
      const argv = [programPath(), 'exec', ...more, 'Look.'];
      execFile(process.execPath, argv, { env: { ...home.env, ...env }, cwd: home.folder }, (error, _stdout, said) =>
        resolve({ code: error === null ? 0 : Number(error.code), stderr: said }),
      ).stdin?.end();
    });
    expect([code, stderr.match(/▶ \w+/g)]).toEqual([0, ['▶ grep', '▶ find', '▶ ls', '▶ read_file', '▶ read_file']]);
    return told;
  } finally {
    await model.close();
  }
}

function expectLooked(told: readonly string[]): void {
  const [grep = '', find = '', ls = '', lines = '', picture = ''] = told;
  expect(grep).toContain(String.raw`src/a.conf-1- first\nsrc/a.conf:2: a needle\nsrc/a.conf-3- last`);
  expect(grep).toContain('.ssh/id_rsa');
  expect(grep).not.toMatch(/is a key|ignored/);
  expect(find).toContain('"found":"src/a.conf"');
  expect(ls).toContain(String.raw`.gitignore\n.ssh/\nshot.txt\nsrc/`);
  expect(lines).toMatch(/"content":"a needle\\n".*offset 3/);
  expect(picture).toContain('PNG picture, 29 B (29 bytes), 640 × 480 pixels');
}

test.each([[['--direct']], [[]]])('on this host, %j', async (how) => {
  expectLooked(await looked(furnish(home.folder), how, {}));
});

(hasSshd ? test : test.skip).each([[['--direct']], [[]]])('on another host, %j', async (how) => {
  server = await startSshServer();
  const { destination, env } = server;
  const where = `${destination.user}@${destination.host}:${destination.port}`;
  expectLooked(await looked(furnish(server.home), ['--ssh', where, ...how], env));
});
