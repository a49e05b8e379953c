/** Two programs and one session: whoever comes second writes a copy, also while the first is stopped, and the first goes on in its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readSessionLines } from '../../lib/runtime/sessions/session-lines.js';
import { type ChatRequest, startChatServer } from '../support/chat-server.js';
import { until } from '../support/until.js';
import { freshHome, programPath } from './eye.js';

jest.setTimeout(90_000);

const home = freshHome();
const folder = join(home.folder, '.buddyx', 'sessions');
const children: ChildProcess[] = [];
afterAll(async () => {
  // A stopped one, too.
  for (const child of children) child.kill('SIGKILL');
  await home.dispose();
});

/** What a started `exec` has said so far, and its end. */
function exec(...args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [programPath(), 'exec', '--direct', ...args], {
    ...{ env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe'] as const },
  });
  children.push(child);
  let said = '';
  child.stdout?.on('data', (bytes) => {
    said += String(bytes);
  });
  child.stderr?.on('data', (bytes) => {
    said += String(bytes);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said: () => said, ended };
}

/** What was said in that session, in order; every line of it is sound and follows the one before. */
function textsOf(name: string): readonly string[] {
  const { records, damaged } = readSessionLines(readFileSync(join(folder, name)));
  expect(damaged).toBe(0);
  expect(records.map(({ id }) => id)).toEqual(records.map((_, at) => String(at + 1)));
  return records.flatMap((record) => (record.type === 'message' ? record.message.text : []));
}

test('the first is stopped in the middle of an answer; the second comes and goes; the first ends what it had begun', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startChatServer(async function* ({ prompt }: ChatRequest) {
    yield { content: `Begun: ${prompt}.` };
    if (prompt === 'slowly') await released;
    yield { content: ' Done.' };
  });
  try {
    mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
    const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "mock-1"', 'api_key = "key-for-tests-only"'];
    writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
    expect(await exec('--session', 'new', 'hello').ended).toBe(0);
    const [own = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    const session = own.replace('.jsonl', '');

    const first = exec('--session', session, 'slowly');
    await until('the first writes what has come', () => readFileSync(join(folder, own), 'utf8').includes('Begun: slowly.'), 20_000);
    first.child.kill('SIGSTOP');
    const before = readFileSync(join(folder, own));
    const lock = readFileSync(join(folder, `${session}.lock`), 'utf8');
    expect(lock).toMatch(new RegExp(`^${first.child.pid} `));

    const second = exec('--session', session, 'quickly');
    expect(await second.ended).toBe(0);
    expect(second.said()).toContain('Begun: quickly. Done.');
    expect(readFileSync(join(folder, own)).equals(before)).toBe(true);
    expect(readFileSync(join(folder, `${session}.lock`), 'utf8')).toBe(lock);
    const copy = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== own);
    expect(copy.map(textsOf)).toEqual([['hello', 'Begun: hello. Done.', 'slowly', 'quickly', 'Begun: quickly. Done.']]);
    // What had come of the answer by then is known to the model, too.
    const told = server.seen.at(-1)?.messages.map(({ content }) => content);
    expect(told?.slice(-3)).toEqual(['slowly', 'Begun: slowly.', 'quickly']);

    first.child.kill('SIGCONT');
    release();
    expect(await first.ended).toBe(0);
    expect(textsOf(own)).toEqual(['hello', 'Begun: hello. Done.', 'slowly', 'Begun: slowly. Done.']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  } finally {
    release();
    await server.close();
  }
});

test('six at the same moment: each prompt is answered in a file, and every file is whole', async () => {
  const server = await startChatServer(function* ({ prompt }) {
    yield { content: `Answer to ${prompt}.` };
  });
  try {
    const path = join(home.folder, '.config', 'buddy', 'buddy.toml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/api_base_url = .*/, `api_base_url = "${server.baseUrl}"`));
    const known = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    const session = known[0]?.replace('.jsonl', '') ?? '';
    const prompts = Array.from({ length: 6 }, (_, at) => `prompt-${at}`);
    const codes = await Promise.all(prompts.map((prompt) => exec('--session', session, prompt).ended));
    expect(codes).toEqual(prompts.map(() => 0));
    const all = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map(textsOf);
    for (const prompt of prompts) {
      // A copy may have been made before the answer came.
      const answered = all.filter((texts) => texts[texts.indexOf(prompt) + 1] === `Answer to ${prompt}.`);
      expect([prompt, answered.length > 0]).toEqual([prompt, true]);
    }
  } finally {
    await server.close();
  }
});
