/** Servers that want a login: it is asked for, made with a browser, kept for its owner only, renewed, and forgotten. */

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import type { LoadedConfig } from '../../lib/config/load.js';
import type { McpServerConfig } from '../../lib/config/mcp-servers.js';
import { defaultSettings } from '../../lib/config/settings.js';
import { McpLogins } from '../../lib/modes/mcp-login.js';
import { createSecrets } from '../../lib/policy/redaction.js';
import { serversIn, startMcp, toolCall } from '../support/mcp/bench.js';
import { startOauthServer } from '../support/mcp/oauth-server.js';
import { until } from '../support/until.js';

const home = mkdtempSync(join(tmpdir(), 'mcp-login-'));
const secrets = createSecrets(() => []);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function logins(say: (text: string) => void): McpLogins {
  const uid = process.getuid?.() ?? null;
  const host = {
    env: {},
    homeDir: home,
    pid: process.pid,
    hostname: 'here',
    uid,
    clock: systemClock,
    platform: 'linux',
  } as unknown as Host;
  return new McpLogins({ host, config: { settings: defaultSettings() } as LoadedConfig, secrets, say });
}

const whoami = (id: string) => ({ calls: [toolCall('private__whoami', {}, id)] });

test('a login is asked for, made in a browser, kept, renewed when it has run out, and forgotten', async () => {
  const server = await startOauthServer();
  closing.push(server.close);
  const table = { private: { url: server.url } };
  const bench = await startMcp(table, [{ text: 'no tools yet' }, whoami('c1'), { text: 'ok' }, whoami('c2')], {
    logins,
    runtime: { secrets },
  });
  closing.push(() => bench.close());
  const { runtime, ask, seen, said, find, result } = bench;
  runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  ask();
  await seen('task.ended');
  expect(said()).toEqual(['MCP server private: wants a login: /mcp login private']);
  // Before a person asks for it nobody is introduced, and no browser is opened.
  expect(server.heard.filter((path) => /register|authorize|token/.test(path))).toEqual([]);

  runtime.send({ type: 'mcp.act', server: 'private', act: 'login' });
  const address = await until('the address is told', () =>
    said()
      .flatMap((text) => /http:\S+\/authorize\S+/.exec(text)?.[0] ?? [])
      .at(-1),
  );
  const page = await fetch(address);
  expect(await page.text()).toContain('The login has reached buddy-tui');
  await until('it is ready', () => find('mcp.told').at(-1)?.servers[0]?.state === 'ready');
  ask();
  await seen('task.ended', 2);
  expect(result()?.text).toBe('you are ann');

  const path = join(home, '.config', 'buddy', 'auth.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { mcp_logins: Record<string, { tokens: { access_token: string } }> };
  const token = kept.mcp_logins[server.url]?.tokens.access_token ?? '';
  expect(token).toMatch(/^access-/);
  expect(secrets.redact(`it is ${token}.`)).not.toContain(token);

  server.expire();
  ask();
  await seen('task.ended', 3);
  expect(result(1)).toMatchObject({ isError: false, text: 'you are ann' });

  runtime.send({ type: 'mcp.act', server: 'private', act: 'logout' });
  await until('it is forgotten', () => !readFileSync(path, 'utf8').includes('access-'));
});

test('a page that answers with another state is refused', async () => {
  const server = await startOauthServer();
  closing.push(server.close);
  const bench = await startMcp({ private: { url: server.url } }, [], { logins });
  closing.push(() => bench.close());
  const { runtime, said } = bench;
  runtime.send({ type: 'mcp.act', server: 'private', act: 'login' });
  const address = await until('the address is told', () =>
    said()
      .flatMap((text) => /http:\S+\/authorize\S+/.exec(text)?.[0] ?? [])
      .at(-1),
  );
  const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
  back.search = '?code=stolen&state=guessed';
  const page = await fetch(back);
  expect(page.status).toBe(400);
  expect(server.heard).not.toContain('POST /token');
});

/** Logs in at a server with one program; the other one reads the same file when it is started. */
async function logIn({ runtime, said, find }: Awaited<ReturnType<typeof startMcp>>): Promise<void> {
  runtime.send({ type: 'mcp.act', server: 'private', act: 'login' });
  const address = await until('the address is told', () =>
    said()
      .flatMap((text) => /http:\S+\/authorize\S+/.exec(text)?.[0] ?? [])
      .at(-1),
  );
  await fetch(address);
  await until('it is ready', () => find('mcp.told').at(-1)?.servers[0]?.state === 'ready');
}

test('a login that another program has renewed meanwhile is taken from it, and not forgotten', async () => {
  const server = await startOauthServer();
  closing.push(server.close);
  const table = { private: { url: server.url } };
  const one = await startMcp(table, [whoami('c1')], { logins });
  closing.push(() => one.close());
  await logIn(one);
  const other = await startMcp(table, [{ text: 'hello' }, whoami('c1')], { logins });
  closing.push(() => other.close());
  for (const { runtime } of [one, other]) runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
  other.ask();
  await other.seen('task.ended');
  server.expire();
  one.ask();
  await one.seen('task.ended');
  expect(one.result()?.text).toBe('you are ann');
  other.ask();
  await other.seen('task.ended', 2);
  expect(other.result()?.text).toBe('you are ann');
  expect(other.said()).toEqual([]);
});

test('a login at a server that never answers ends with its signal', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    silent.closeAllConnections();
    return new Promise((resolve) => silent.close(() => resolve()));
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
  const [config] = serversIn({ private: { url } });
  const over = new AbortController();
  const asked = new Promise((resolve) => silent.once('request', resolve));
  const login = logins(() => undefined).logIn(config as McpServerConfig, over.signal);
  await asked;
  over.abort();
  await expect(login).rejects.toMatchObject({ name: 'AbortError' });
});

test('nobody logs in over plain http, but at this machine', async () => {
  const [config] = serversIn({ private: { url: 'http://tracker.example/mcp' } });
  const login = logins(() => undefined).logIn(config as McpServerConfig, new AbortController().signal);
  await expect(login).rejects.toThrow('http://tracker.example is reached over plain http, where a login could be read on its way');
});
