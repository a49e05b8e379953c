/** Limits in the built program: exec ends with its sentence and exit code 1; /limits in the dashboard raises one while it counts. */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatServer, startChatServer } from '../support/chat-server.js';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
let chat: ChatServer | null = null;

beforeEach(() => {
  home = freshHome();
});
afterEach(async () => {
  await chat?.close();
  await home.dispose();
});

/** exec with a model that calls a tool in each answer, another one each time. */
async function busy(toml: string): Promise<{ readonly code: number; readonly stderr: string }> {
  let count = 0;
  chat = await startChatServer(function* () {
    count++;
    const args = { command: `echo step-${count}`, risk: 'low', mutation: false, privesc: false, why: 'w' };
    yield { calls: [{ id: `c${count}`, name: 'run_shell', arguments: args }] };
  });
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const model = `[models.mock]\napi_base_url = "${chat.baseUrl}"\napi = "completions"\nmodel = "mock-1"\napi_key = "key-for-tests-only"`;
  writeFileSync(join(folder, 'buddy.toml'), `${toml}\n${model}`, { mode: 0o600 });
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [programPath(), 'exec', '--direct', '--dangerously-auto-approve', 'work'],
      { env: { ...home.env }, cwd: home.folder },
      (error, _stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stderr }),
    );
    child.stdin?.end();
  });
}

test('so many requests', async () => {
  const { code, stderr } = await busy('[agent]\nmax_iterations = 3');
  expect(code).toBe(1);
  expect(chat?.seen).toHaveLength(3);
  expect(stderr).toContain('buddy-tui: the model was stopped after 3 requests for one prompt');
  expect(stderr).toContain('agent.max_iterations');
});

test('so many tokens, told at 80 % before', async () => {
  const { code, stderr } = await busy('[agent]\nmax_iterations = 100\n[limits]\nsession_tokens = 2000');
  expect(code).toBe(1);
  expect(stderr).toMatch(/buddy-tui: \d\d % of what this session may take is used: 2000 tokens \(limits\.session_tokens\)/);
  expect(stderr).toContain('buddy-tui: this session has used up what it may take: 2000 tokens');
  expect(chat?.seen.length).toBeLessThan(60);
});

test('a limit that cannot be is refused with what it may be', async () => {
  const { code, stderr } = await busy('[limits]\nretries = -1\n');
  expect(code).toBe(2);
  expect(stderr).toContain('limits.retries must be a whole number from 0 to 20, not -1');
});
