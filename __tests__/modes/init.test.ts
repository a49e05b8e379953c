/** init: what is found on this machine, and a file that the program itself can read. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { createHttpClient, type HttpClient } from '../../lib/base/http.js';
import { defaultOptions } from '../../lib/cli-options.js';
import { loadConfig } from '../../lib/config/load.js';
import { CredentialStore } from '../../lib/models/auth/credential-store.js';
import { withKey, withLogin } from '../../lib/models/auth/credentials.js';
import { InitRun } from '../../lib/modes/init.js';
import { findModels, type LocalServer, localServers } from '../../lib/modes/init-findings.js';

const never = new AbortController().signal;
let home: string;
let http: HttpClient;
let printed: string;
const running: Server[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-init-'));
  http = createHttpClient({ connectTimeoutMs: 1000 });
  printed = '';
});
afterEach(async () => {
  await http.close();
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(home, { recursive: true, force: true });
});

function host(env: Readonly<Record<string, string>> = {}): Host {
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk);
      done();
    },
  });
  return {
    env,
    homeDir: home,
    cwd: home,
    pid: process.pid,
    hostname: 'here',
    uid: null,
    clock: systemClock,
    stdout,
    stdin: {},
  } as unknown as Host;
}

/** The known servers, answered by one of ours; paths that are not given are not there. */
async function machineWith(pages: Readonly<Record<string, unknown>>): Promise<readonly LocalServer[]> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const page = pages[request.url ?? ''];
    if (page === 'silence') return;
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof page === 'string' ? page : JSON.stringify(page ?? {}));
  };
  const server = createServer(answer);
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (url: string, name: string) => {
    const own = new URL(url);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}${own.pathname}`;
  };
  return localServers.map((of) => ({
    ...of,
    list: at(of.list, of.profile),
    ...(of.context === undefined ? {} : { context: { ...of.context, url: at(of.context.url, of.profile) } }),
  }));
}

test('servers on this machine: their models, no embeddings, and the context where it is told', async () => {
  const servers = await machineWith({
    '/ollama/api/tags': {
      models: [{ name: 'nomic-embed-text:latest' }, { name: 'qwen3:8b' }, { name: 'bad\nname' }, { name: 'llama3.2:3b' }],
    },
    '/lmstudio/v1/models': { object: 'list', data: [{ id: 'openai/gpt-oss-20b' }] },
    '/llamacpp/v1/models': { data: [{ id: 'qwen3.gguf', owned_by: 'llamacpp' }] },
    '/llamacpp/props': { default_generation_settings: { n_ctx: 16_384 } },
  });
  const found = await findModels(host(), http.fetch, servers, never);
  expect(found.map(({ profile, models }) => [profile, models])).toEqual([
    ['ollama', ['qwen3:8b', 'llama3.2:3b']],
    ['lmstudio', ['openai/gpt-oss-20b']],
    ['llamacpp', ['qwen3.gguf']],
  ]);
  expect(found.at(2)?.table).toEqual({
    api_base_url: 'http://127.0.0.1:8080/v1',
    api: 'completions',
    model: 'qwen3.gguf',
    context_limit: 16_384,
  });
});

test('what is something else there, says nothing, or is broken is not found', async () => {
  const servers = await machineWith({
    '/ollama/api/tags': 'silence',
    '/lmstudio/v1/models': '<html>a router</html>',
    '/llamacpp/v1/models': { data: [{ id: 'something', owned_by: 'else' }] },
  });
  expect(await findModels(host(), http.fetch, servers, never)).toEqual([]);
});

test('keys in the environment, stored keys and a login, the login first', async () => {
  const store = new CredentialStore(host());
  const login = { issuer: 'i', clientId: 'c', accessToken: 'a', refreshToken: null, idToken: null, expiresAtMs: null, renewedAtMs: 0 };
  await store.update(
    (file) => withLogin(withKey(file, { name: 'x', key: 'k', origin: 'https://api.groq.com' }), 'openai', login),
    'fail',
    never,
  );
  const found = await findModels(host({ OPENROUTER_API_KEY: 'k', MISTRAL_API_KEY: ' ' }), http.fetch, [], never);
  expect(found.map(({ profile, says }) => [profile, says])).toEqual([
    ['chatgpt', 'your ChatGPT login'],
    ['openrouter', 'OPENROUTER_API_KEY is set'],
    ['groq', 'its key is stored'],
  ]);
});

const file = () => join(home, '.config', 'buddy', 'buddy.toml');
const run = (of: Host, servers: readonly LocalServer[], force = false) =>
  new InitRun(of, { options: defaultOptions, force }, http.fetch, servers).run(never);

test('without a person: all that was found, the first one to start with, and what to type next', async () => {
  const servers = await machineWith({ '/ollama/api/tags': { models: [{ name: 'qwen3:8b' }] } });
  expect(await run(host({ GEMINI_API_KEY: 'k' }), servers)).toBe(0);
  const config = await loadConfig({ host: host() });
  expect(config.warnings).toEqual([]);
  expect(config.profile).toMatchObject({ name: 'gemini', api: 'chat', key: { kind: 'env', name: 'GEMINI_API_KEY' } });
  expect(config.profiles.map(({ name, model }) => [name, model])).toEqual([
    ['gemini', 'gemini-3.1-pro-preview'],
    ['ollama', 'qwen3:8b'],
    ['demo', 'demo'],
  ]);
  expect(printed).toMatch(/found {2}ollama: qwen3:8b \(Ollama runs on this machine\)[\s\S]*Written: .*buddy\.toml\n\nNext: buddy-tui\n$/);
});

test('with nothing found: the demo, and how to get something real', async () => {
  await run(host(), []);
  const config = await loadConfig({ host: host() });
  expect([config.profile.api, config.warnings, config.demoHint]).toEqual(['demo', [], null]);
  expect(printed).toContain(
    'Next: buddy-tui          (the demo)\nFor a real model: "buddy-tui login", or set OPENAI_API_KEY; then "buddy-tui init --force".',
  );
});

test('a file that is there is left; with --force it is kept under another name, also behind a link', async () => {
  await run(host(), []);
  const mine = '# mine, [not even TOML\n';
  writeFileSync(join(home, 'dotfile'), mine);
  rmSync(file());
  symlinkSync(join(home, 'dotfile'), file());
  await expect(run(host(), [])).rejects.toMatchObject({
    code: 'config.exists',
    message: `${file()} is there already, and is left as it is`,
  });
  expect(readFileSync(file(), 'utf8')).toBe(mine);
  await run(host(), [], true);
  const [, kept = ''] = readdirSync(join(home, '.config', 'buddy')).sort();
  expect(kept).toMatch(/^buddy\.toml\.\d{8}T\d{6}Z$/);
  expect(readFileSync(join(home, '.config', 'buddy', kept), 'utf8')).toBe(mine);
  expect(readFileSync(join(home, 'dotfile'), 'utf8')).toContain('written by "buddy-tui init"');
});
