/** A key that is known to the program is in nothing that it leaves behind or hands on: files, the pane, arguments, environment. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type ChatPiece, type ChatRequest, startChatServer } from '../support/chat-server.js';
import { startOnPty } from '../support/pty.js';
import { freshHome, type Home, programPath } from './eye.js';

// Starting, two prompts and the end, on a loaded machine.
jest.setTimeout(90_000);

const KEY = 'canary/key+for="tests"=only-7f3a9c';
const encodings = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64').replace(/=+$/, ''), JSON.stringify(KEY).slice(1, -1)];
const places = (text: string) => encodings.filter((encoding) => text.includes(encoding));

/** The model says the key whenever it can, and looks for it in the shell. */
function* leaky({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
  if (prompt.includes('be refused')) yield { fail: { status: 400, message: `Incorrect API key provided: ${KEY}` } };
  else if (results.length === 0) {
    yield { reasoning: `I was given ${KEY}. ` };
    yield { calls: [{ name: 'run_shell', arguments: { command: 'env', ...claim } }] };
  } else yield { content: `The key is ${encodings.join(' or ')}. That is all.` };
}
const claim = { risk: 'low', mutation: false, privesc: false, why: 'to look' };

/** Every file below a folder, with what is in it. */
function filesIn(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
}

/** Arguments and environment of what the program started; its own environment has the key from outside. */
function processesOf(home: Home, own: number): string {
  const pids = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(home.socket) || line.includes(home.folder) || line.includes('/tmp/buddy-'))
    .map((line) => Number(line.trim().split(' ')[0]))
    .filter((pid) => pid !== own);
  expect(pids.length).toBeGreaterThan(0);
  return pids
    .flatMap((pid) => ['cmdline', 'environ'].map((name) => `/proc/${pid}/${name}`))
    .map((path) => {
      try {
        return readFileSync(path, 'latin1');
      } catch {
        // It has ended meanwhile.
        return '';
      }
    })
    .join('\n');
}

/** Where the key comes from, and what is asked before it is known: a command is asked with the first request. */
const sources = [
  ['a variable', () => 'api_key_env = "CANARY"', { CANARY: KEY }, `what of ${KEY}?`],
  ['a command', (vault: string) => `api_key_command = "cat ${join(vault, 'key')}"`, {}, 'what of it?'],
] as const;

test.each(sources)('the key from %s is nowhere, in no encoding', async (_, sourceIn, variables, first) => {
  const home = freshHome();
  const vault = mkdtempSync(join(tmpdir(), 'vault-'));
  writeFileSync(join(vault, 'key'), `${KEY}\n`);
  const server = await startChatServer(leaky);
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "mock-1"', sourceIn(vault)];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'));
  const env = { ...home.env, ...variables } as Record<string, string>;
  const args = [programPath(), '-vv', '--trace', join(home.folder, 'trace.jsonl')];
  const program = startOnPty(process.execPath, args, { cols: 140, rows: 40, cwd: home.folder, env });
  try {
    await program.until(/pane shared · idle/);
    program.send('/approve all\r');
    await program.until(/approve ALL/);
    program.send(`${first}\r`);
    await program.until(/That is all\./);
    program.send(`be refused with ${KEY}\r`);
    await program.until(/Incorrect API key/);
    expect(places(await home.tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'buddy-buddy'))).toEqual([]);
    expect(places(await home.tmux('show-environment', '-g'))).toEqual([]);
    expect(places(processesOf(home, program.pid))).toEqual([]);
    program.send('/quit\r');
    await program.until(/leave · tmux session/);
    program.send('e');
    expect(await program.ended()).toEqual({ exitCode: 0, signal: 0 });
    const files = filesIn(home.folder);
    // What should be there is, so that nothing found means something.
    for (const part of ['trace.jsonl', '.buddyx/sessions', 'prompts.jsonl']) expect(files.map(([path]) => path).join('\n')).toContain(part);
    expect(files.flatMap(([path, text]) => places(text).map((found) => [path.slice(home.folder.length), found]))).toEqual([]);
    expect(files.filter(([, text]) => text.includes('[redacted]')).length).toBeGreaterThan(1);
  } catch (thrown) {
    throw new Error(`${String(thrown)}; it shows:\n${program.terminal.text()}`);
  } finally {
    program.dispose();
    await server.close();
    await home.dispose();
    rmSync(vault, { recursive: true });
  }
});
