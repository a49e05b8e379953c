/** The whole program on another host, over a real ssh connection. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startChatServer } from '../support/chat-server.js';
import { png } from '../support/pictures.js';
import { canDisguise, hasSshd, type SshServer, type SshServerOptions, startSshServer } from '../targets/ssh-server.js';
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
const there = hasSshd ? test : test.skip;

/** Answers `exec` on a fresh server, auto-approved. */
async function exec(options: SshServerOptions, ...args: readonly string[]) {
  server = await startSshServer(options);
  const { destination, env } = server;
  const where = `${destination.user}@${destination.host}:${destination.port}`;
  const argv = [programPath(), 'exec', '--dangerously-auto-approve', '--ssh', where, ...args];
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, argv, { env: { ...home.env, ...env }, cwd: home.folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ).stdin?.end();
  });
}

there('exec runs there in a pane and leaves no session', async () => {
  const { code, stdout, stderr } = await exec({}, 'run echo "[$SSH_CONNECTION] $((6*7))"');
  expect([code, stderr.includes('▶ run_shell')]).toEqual([0, true]);
  expect(stdout).toMatch(/\[127\.0\.0\.1 \d+ 127\.0\.0\.1 \d+\] 42/);
  expect(await home.tmux('list-sessions')).toBe('');
});

there('exec with --direct runs there without a pane', async () => {
  const { code, stdout } = await exec({}, '--direct', 'run echo "[$SSH_CONNECTION]"');
  expect(code).toBe(0);
  expect(stdout).toContain('[127.0.0.1 ');
});

there('an @ is a file and a picture of that host', async () => {
  const chat = await startChatServer(() => [{ content: 'I see.' }]);
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const lines = [
    `api_base_url = "${chat.baseUrl}"`,
    'api = "completions"',
    'model = "mock-1"',
    'images = true',
    'api_key = "key-for-tests-only"',
  ];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...lines, ''].join('\n'), { mode: 0o600 });
  const there = mkdtempSync(join(tmpdir(), 'there-'));
  const picture = png(40, 30);
  writeFileSync(join(there, 'x.png'), picture);
  writeFileSync(join(there, 'a b.md'), 'words\n');
  const { code, stderr } = await exec({}, `see @${there}/x.png and @"${there}/a b.md" in @${there}`);
  await chat.close();
  rmSync(there, { recursive: true });
  const user = chat.seen.at(-1)?.messages.findLast(({ role }) => role === 'user');
  expect([code, user?.images]).toEqual([0, [`data:image/png;base64,${picture.toString('base64')}`]]);
  expect(user?.content).toContain(`<file path="${there}/a b.md">\nwords\n</file>\n\n<folder path="${there}">\na b.md\nx.png\n</folder>`);
  expect(stderr).toContain(`+ ${there}/x.png ${picture.length} B`);
});

(canDisguise ? test : test.skip)(
  'without tmux there: the plain shell there with a notice, or an error when tmux was asked for',
  async () => {
    const plain = await exec({ withoutTmux: true }, 'run echo "[$SSH_CONNECTION]"');
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('[127.0.0.1 ');
    expect(plain.stderr).toContain('tmux is not installed on 127.0.0.1: commands run without a pane that you can watch');
    await server?.close();
    const asked = await exec({ withoutTmux: true }, '--tmux', 'mine', 'run true');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('tmux is not installed on 127.0.0.1, and --tmux asks for it');
  },
);

there('a host that cannot be reached, or whose key is not known, is told; nothing runs here', async () => {
  const opened = await startSshServer();
  server = opened;
  const { destination, env } = opened;
  const run = (options: { readonly known: boolean }) =>
    new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
      const where = `${destination.host}:${destination.port}`;
      const argv = [programPath(), 'exec', '--dangerously-auto-approve', '--ssh', where, 'run touch here'];
      const PATH = options.known ? env['PATH'] : home.env['PATH'];
      execFile(process.execPath, argv, { env: { ...home.env, PATH }, cwd: home.folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      ).stdin?.end();
    });
  const unknown = await run({ known: false });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('cannot connect to 127.0.0.1: its host key is not known\nStart buddy-tui on a terminal');
  const known = readFileSync(opened.knownHosts, 'utf8');
  const stranger = `AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`;
  writeFileSync(opened.knownHosts, known.replace(/AAAA\S+/, stranger));
  const changed = await run({ known: true });
  expect(changed).toMatchObject({ code: 2, stdout: '' });
  expect(changed.stderr).toContain('cannot connect to 127.0.0.1: its host key is not the one that is known');
  writeFileSync(opened.knownHosts, known);
  opened.wire.cut();
  const cut = await run({ known: true });
  expect(cut).toMatchObject({ code: 2, stdout: '' });
  expect(cut.stderr).toContain('cannot connect to 127.0.0.1: ');
  expect(readdirSync(home.folder)).not.toContain('here');
});

const csh = spawnSync('sh', ['-c', 'command -v tcsh']).stdout.toString().trim();
(canDisguise && csh !== '' ? test : test.skip)('a login shell that cannot be worked with: another one there, with a notice', async () => {
  for (const how of [[], ['--direct']]) {
    const { code, stdout, stderr } = await exec({ shell: csh }, ...how, 'run echo "[$SSH_CONNECTION] $((6*7))"');
    expect(code).toBe(0);
    expect(stderr).toContain('buddy-tui: commands run in bash: your shell on 127.0.0.1, tcsh, is not one to work in\n');
    expect(stdout).toMatch(/\[127\.0\.0\.1 \d+ 127\.0\.0\.1 \d+\] 42/);
    await server?.close();
  }
});

(canDisguise ? test : test.skip)('fish as login shell: the pane runs it, and without tmux bash does', async () => {
  const shell = '/usr/bin/fish';
  const pane = await exec({ shell }, 'run echo "fish $FISH_VERSION"; string upper done');
  expect(pane).toMatchObject({ code: 0, stdout: expect.stringMatching(/fish \d[\s\S]*DONE/) });
  await server?.close();
  const direct = await exec({ shell }, '--direct', 'run echo "bash $BASH_VERSION"; export X=1; echo $((X+1))');
  expect(direct).toMatchObject({ code: 0, stdout: expect.stringMatching(/bash \d[\s\S]*2/) });
  expect(direct.stderr).toContain('buddy-tui: commands run in bash: your shell on 127.0.0.1, fish, is not one to work in\n');
});
