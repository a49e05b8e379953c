/** The web in the built program: pages of a host that the user named, read by the worker of the bundle; no others of this machine. */

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ChatCall, type ChatServer, startChatServer } from '../support/chat-server.js';
import { freshHome, type Home, programPath } from './eye.js';

const PAGE = '<title>Disks</title><nav>menu</nav><h1>Full?</h1><p>See <a href="/df">df</a>.</p><script>document.body.remove()</script>';
let home: Home;
let server: Server;
let chat: ChatServer | null = null;
let port = 0;
let asked: string[] = [];

beforeEach(async () => {
  home = freshHome();
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    if (request.url === '/inside') response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
    else if (request.url?.startsWith('/search') === true)
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ results: [{ url: 'https://a.example/', title: 'Found', content: 'it' }] }));
    else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await chat?.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await home.dispose();
});

/** Runs exec with a model that makes these calls; answers what it was given back, and what people saw. */
async function run(calls: readonly ChatCall[], more = '', flags: readonly string[] = [], then: readonly ChatCall[] = []) {
  chat = await startChatServer(function* ({ results }) {
    const next = results.length === 0 ? calls : results.length === calls.length ? then : [];
    yield next.length === 0 ? { content: 'I have read it.' } : { calls: next };
  });
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const lines = [
    `[tools]\nfetch_private_hosts = ["localhost:${port}"]\n${more}`,
    `[search]\nengine = "searxng"\nurl = "http://localhost:${port}"`,
    `[models.mock]\napi_base_url = "${chat.baseUrl}"\napi = "completions"\nmodel = "mock-1"\napi_key = "key-for-tests-only"`,
  ];
  writeFileSync(join(folder, 'buddy.toml'), lines.join('\n'), { mode: 0o600 });
  const trace = join(home.folder, 'trace.jsonl');
  const stderr = await new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      [programPath(), 'exec', '--direct', '--trace', trace, ...flags, 'read it'],
      { env: { ...home.env }, cwd: home.folder },
      (_error, _stdout, said) => resolve(said),
    );
    child.stdin?.end();
  });
  const results = chat.seen.at(-1)?.results.map(({ content }) => JSON.parse(content ?? '').result as Record<string, unknown>) ?? [];
  return { stderr, results, trace: readFileSync(trace, 'utf8') };
}
const fetchCall = (url: string): ChatCall => ({ name: 'fetch_url', arguments: { url, why: 'to see' } });

test('a page and a search', async () => {
  const search = { name: 'web_search', arguments: { query: 'disk full', why: 'to find' } };
  const { results, stderr } = await run([fetchCall(`http://localhost:${port}/`), search]);
  expect(results[0]).toMatchObject({ status: 200, title: 'Disks', content: `menu\n\n# Full?\n\nSee [df](http://localhost:${port}/df).` });
  expect(results[1]).toMatchObject({ engine: 'searxng', results: [{ title: 'Found', url: 'https://a.example/', snippet: 'it' }] });
  expect(stderr).toMatch(/fetch_url[\s\S]*200 · text\/html · \d+ B/);
  expect(stderr).toContain('1 result · searxng');
});

test('nothing else of this machine, by number, name or redirect', async () => {
  const { results } = await run([
    fetchCall(`http://127.0.0.1:${port}/`),
    fetchCall(`http://[::1]:${port}/`),
    fetchCall(`http://2130706433:${port}/`),
    fetchCall(`http://sub.localhost:${port}/`),
    fetchCall(`http://localhost:${port}/inside`),
  ]);
  expect(results.map(({ error }) => String(error))).toEqual([
    expect.stringContaining('127.0.0.1 is not a public address (loopback)'),
    expect.stringContaining('::1 is not a public address (loopback)'),
    expect.stringContaining('127.0.0.1 is not a public address (loopback)'),
    expect.stringContaining('sub.localhost is a name of this machine'),
    expect.stringContaining(`/inside leads to http://127.0.0.1:${port}/secret: 127.0.0.1 is not a public address`),
  ]);
  expect(asked).toEqual([`localhost:${port} /inside`]);
});

test('where pages are asked about and nobody can answer, nothing goes out', async () => {
  const { results, stderr } = await run([fetchCall(`http://localhost:${port}/`)], 'fetch_confirm = true');
  expect(asked).toEqual([]);
  expect(`${stderr}${JSON.stringify(results)}`).toContain('exec cannot ask for approval');
});

test('an address with a key in it is asked about', async () => {
  await run([
    fetchCall(`http://localhost:${port}/?k=key-for-tests-only`),
    fetchCall(`http://localhost:${port}/?k=key%2Dfor%2Dtests%2Donly`),
  ]);
  expect(asked).toEqual([]);
});

test('what a page wants sent out is not sent by exec, whatever was approved; with the setting it is', async () => {
  const page = fetchCall(`http://localhost:${port}/`);
  const args = { risk: 'low', mutation: false, privesc: false, why: 'the page says so' };
  const upload = { name: 'run_shell', arguments: { command: `curl -s -d x http://localhost:${port}/taken`, ...args } };
  const all = ['--dangerously-auto-approve'];
  const { stderr } = await run([page], '', all, [upload]);
  expect(asked).toEqual([`localhost:${port} /`]);
  expect(stderr).toContain(`asked although everything is approved: this session has read http://localhost:${port}/ since`);
  expect(stderr).toContain('--dangerously-auto-approve does not cover it once words of strangers were read');
  await chat?.close();
  await run([page], 'exposure_narrows = false', all, [upload]);
  expect(asked.at(-1)).toBe(`localhost:${port} /taken`);
});
