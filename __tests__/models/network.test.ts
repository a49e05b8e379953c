/** Ways to a server: proxies, certificates, redirects, and what is said when there is none. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authoritiesWith } from '../../lib/base/certificates.js';
import { BuddyError } from '../../lib/base/errors.js';
import { createHttpClient, type Fetch } from '../../lib/base/http.js';
import { isNearby, proxyFor } from '../../lib/base/proxy.js';
import type { ModelProfile } from '../../lib/config/profiles.js';
import { createProvider } from '../../lib/models/index.js';
import { selfSigned, type TestCertificate } from '../support/certificate.js';
import { ask, collect, modelHost, openProvider, profileFor } from './provider-under-test.js';
import { eventsOf } from './spoken.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function listening(server: Server | RawServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

const hello = eventsOf('chat', { text: ['hello'] }).join('');

function answering(certificate?: TestCertificate): Promise<number> {
  const listener = (_: unknown, response: { writeHead(status: number, headers: object): { end(body: string): unknown } }) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(hello);
  return listening(certificate === undefined ? createServer(listener as never) : createSecureServer(certificate, listener as never));
}

interface TestProxy {
  readonly port: number;
  readonly seen: string[];
}

/** A proxy that leads everything to `target`, or answers `status` to everybody. */
async function proxyTo(target: number, status = 200): Promise<TestProxy> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (status !== 200) response.writeHead(status).end();
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(hello);
  });
  server.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const onwards = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onwards.pipe(socket).pipe(onwards);
    });
    onwards.on('error', () => socket.destroy());
    socket.on('error', () => onwards.destroy());
    return undefined;
  });
  return { port: await listening(server), seen };
}

async function textFrom(profile: ModelProfile, fetch: Fetch): Promise<string> {
  return (await collect((await openProvider(profile, { fetch })).provider, ask())).text;
}

async function failureOf(profile: ModelProfile, fetch?: Fetch): Promise<BuddyError> {
  const { provider, http } = await openProvider(profile, fetch === undefined ? {} : { fetch });
  const thrown = await collect(provider, ask()).catch((error: unknown) => error);
  await http.close();
  if (thrown instanceof BuddyError) return thrown;
  throw new Error(`it did not fail as it should: ${String(thrown)}`);
}

function client(more: Partial<Parameters<typeof createHttpClient>[0]>): Fetch {
  const http = createHttpClient({ connectTimeoutMs: 10_000, ...more });
  closing.push(() => http.close());
  return http.fetch;
}

describe('which proxy', () => {
  const env = { HTTPS_PROXY: 'http://secure:1', http_proxy: 'plain:2', NO_PROXY: '' };
  const way = (url: string, more: Record<string, string> = {}) => proxyFor(new URL(url), { ...env, ...more })?.href ?? null;

  test('by scheme; small names before capitals; ALL_PROXY for the rest; none for this machine', () => {
    expect(way('https://api.example.org/v1')).toBe('http://secure:1/');
    expect(way('http://api.example.org/v1')).toBe('http://plain:2/');
    expect(way('https://api.example.org', { https_proxy: 'socks5://small:3' })).toBe('socks5://small:3');
    expect(proxyFor(new URL('https://x.org'), { ALL_PROXY: 'https://all:4' })?.href).toBe('https://all:4/');
    expect(proxyFor(new URL('https://x.org'), { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: ' ' })).toBeNull();
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]']) expect(way(`https://${host}:8443/v1`)).toBeNull();
  });

  test.each([
    ['*', true],
    ['example.org', true],
    ['.example.org', true],
    ['*.example.org', true],
    ['API.Example.ORG:443', true],
    ['other.org, api.example.org', true],
    ['other.org api.example.org', true],
    ['api.example.org:8443', false],
    ['ample.org', false],
    ['pi.example.org', false],
    ['10.0.0.0/8', false],
    ['', false],
  ])('NO_PROXY=%s', (value, straight) => {
    expect([value, way('https://api.example.org/v1', { NO_PROXY: value })]).toEqual([value, straight ? null : 'http://secure:1/']);
  });

  test('NO_PROXY with numbers and networks', () => {
    const straight = (host: string, value: string) => way(`https://${host}/v1`, { no_proxy: value }) === null;
    expect(straight('10.1.2.3', '10.0.0.0/8')).toBe(true);
    expect(straight('11.1.2.3', '10.0.0.0/8')).toBe(false);
    expect(straight('10.1.2.3', '10.1.2.3')).toBe(true);
    expect(straight('10.1.2.3:8443', '10.1.2.3:8443')).toBe(true);
    expect(straight('110.1.2.3', '10.1.2.3')).toBe(false);
    expect(straight('[fd00::5]', 'fd00::/8')).toBe(true);
    expect(straight('[fd00::5]', 'fd00::5')).toBe(true);
    expect(straight('[fd00::5]:9', '[fd00::5]:9')).toBe(true);
    expect(straight('10.1.2.3', '10.0.0.0/99')).toBe(false);
  });

  test('a variable that holds no proxy is named', () => {
    for (const value of ['http://', 'ftp://proxy:21', 'http://proxy:999999'])
      expect(() => way('https://x.org', { HTTPS_PROXY: value })).toThrow('HTTPS_PROXY holds no address of a proxy');
  });
});

describe('through a proxy', () => {
  test('https: a tunnel, with name and password', async () => {
    const certificate = selfSigned('model.test');
    const proxy = await proxyTo(await answering(certificate));
    const fetch = client({ env: { HTTPS_PROXY: `http://me:s%40fe@127.0.0.1:${proxy.port}` }, authorities: [certificate.cert] });
    expect(await textFrom(profileFor('chat', 'https://model.test/v1'), fetch)).toBe('hello');
    expect(proxy.seen).toEqual([`CONNECT model.test:443 Basic ${Buffer.from('me:s@fe').toString('base64')}`]);
  });

  test('http: handed to the proxy as it is; a host of NO_PROXY goes straight', async () => {
    const port = await answering();
    const proxy = await proxyTo(port);
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '' };
    expect(await textFrom(profileFor('chat', 'http://model.test/v1', { key: null }), client({ env }))).toBe('hello');
    expect(proxy.seen).toEqual(['POST http://model.test/v1/chat/completions -']);
    expect(await textFrom(profileFor('chat', `http://127.0.0.1:${port}/v1`), client({ env }))).toBe('hello');
    const straight = client({ env: { ...env, NO_PROXY: 'model.test' } });
    expect((await failureOf(profileFor('chat', 'http://model.test:9/v1', { key: null }), straight)).message).not.toContain('proxy');
    expect(proxy.seen).toHaveLength(1);
  });

  test('the proxy is named when it lets nobody through, or cannot be reached', async () => {
    const failures: string[] = [];
    for (const [status, scheme] of [
      [407, 'https'],
      [403, 'https'],
      [503, 'https'],
      [407, 'http'],
    ] as const) {
      const proxy = await proxyTo(0, status);
      const env = { HTTP_PROXY: `127.0.0.1:${proxy.port}`, HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
      const error = await failureOf(profileFor('chat', `${scheme}://model.test/v1`, { key: null }), client({ env }));
      failures.push(`${error.code} ${error.retryable} ${error.message.replace(String(proxy.port), 'PORT')} ${error.hint?.split(':')[0]}`);
    }
    const says = (status: number) => `The proxy 127.0.0.1:PORT lets nobody through to model.test: it answered ${status}`;
    expect(failures).toEqual([
      `model.connection false ${says(407)} It wants a name and a password`,
      `model.connection false ${says(403)} Ask who runs the proxy, or name the host in NO_PROXY to go straight.`,
      `model.connection true ${says(503)} Ask who runs the proxy, or name the host in NO_PROXY to go straight.`,
      `model.connection false ${says(407)} It wants a name and a password`,
    ]);
    const gone = createServer();
    const port = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const error = await failureOf(
      profileFor('chat', 'https://model.test/v1'),
      client({ env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } }),
    );
    expect(error.message).toBe(`https://model.test/v1 cannot be reached through the proxy 127.0.0.1:${port}: connection refused`);
    expect(error.hint).toContain('HTTPS_PROXY');
  });

  test('the proxies of the environment count for a provider as it is opened, and a wrong one is a sentence', async () => {
    const proxy = await proxyTo(await answering());
    const open = (env: Record<string, string>) =>
      createProvider({
        profile: profileFor('chat', 'http://model.test/v1', { key: null }),
        host: modelHost(env),
        clock: modelHost().clock,
      });
    const { text } = await collect(await open({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }), ask());
    expect([text, proxy.seen.length]).toEqual(['hello', 1]);
    await expect(collect(await open({ HTTP_PROXY: 'http://' }), ask())).rejects.toMatchObject({
      code: 'network.proxy',
      message: 'HTTP_PROXY holds no address of a proxy',
    });
  });
});

describe('certificates', () => {
  test('what is said of one that is not accepted', async () => {
    const said: Record<string, string> = {};
    for (const [name, certificate] of Object.entries({
      own: selfSigned(),
      old: selfSigned('localhost', -9, -2),
      early: selfSigned('localhost', 2, 9),
      other: selfSigned('elsewhere.test'),
    })) {
      const profile = profileFor('chat', `https://127.0.0.1:${await answering(certificate)}/v1`);
      const error = await failureOf(profile, client(name === 'own' ? {} : { authorities: [certificate.cert] }));
      expect(error).toMatchObject({ code: 'model.connection', retryable: false });
      said[name] = `${error.message.replace(/^.*reached: /, '')}. ${error.hint}`;
    }
    expect(said).toEqual({
      own: 'its certificate is signed by itself. For a server that you trust, name the file of its authority in network.ca_file (or NODE_EXTRA_CA_CERTS).',
      old: 'its certificate has expired. Check the clock of this machine; if it is right, the server needs a new certificate.',
      early: 'its certificate is not valid yet. Check the clock of this machine: it seems to be slow.',
      other: 'its certificate is for another name. Write the name that the certificate is for in api_base_url.',
    });
  });

  test('network.ca_file: an authority of your own beside that of NODE_EXTRA_CA_CERTS and the usual ones', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'buddy-ca-'));
    closing.push(async () => rmSync(folder, { recursive: true }));
    const [mine, ours] = [selfSigned(), selfSigned()];
    writeFileSync(join(folder, 'mine.pem'), mine.cert);
    writeFileSync(join(folder, 'ours.pem'), ours.cert);
    writeFileSync(join(folder, 'none.pem'), 'no certificate');
    const settings = (path: string) =>
      ({ 'network.api_timeout_secs': 60, 'network.ca_file': path, 'agent.temperature': null, 'agent.top_p': null }) as const;
    for (const certificate of [mine, ours]) {
      const profile = profileFor('chat', `https://127.0.0.1:${await answering(certificate)}/v1`);
      const host = { ...modelHost({ NODE_EXTRA_CA_CERTS: join(folder, 'ours.pem') }), homeDir: folder };
      const provider = await createProvider({ profile, host, clock: host.clock, settings: settings('~/mine.pem') });
      expect((await collect(provider, ask())).text).toBe('hello');
    }
    expect((await authoritiesWith(join(folder, 'mine.pem'), 'x', undefined)).length).toBeGreaterThan(50);
    const host = modelHost();
    const opening = (path: string) =>
      createProvider({ profile: profileFor('chat', 'https://x/v1'), host, clock: host.clock, settings: settings(path) });
    await expect(opening(join(folder, 'gone.pem'))).rejects.toThrow(
      `network.ca_file: ${folder}/gone.pem cannot be read: no such file or folder`,
    );
    await expect(opening(join(folder, 'none.pem'))).rejects.toThrow(`network.ca_file: ${folder}/none.pem holds no certificate in PEM form`);
  });

  const built = 'dist/lib/base/http.js';
  (existsSync(built) ? test : test.skip)('NODE_EXTRA_CA_CERTS by itself is enough', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'buddy-ca-'));
    closing.push(async () => rmSync(folder, { recursive: true }));
    const certificate = selfSigned();
    writeFileSync(join(folder, 'ca.pem'), certificate.cert);
    const port = await answering(certificate);
    const program = `import('${process.cwd()}/${built}').then(async ({ createHttpClient }) => {
      const { fetch } = createHttpClient({ connectTimeoutMs: 10000, env: process.env });
      console.log((await (await fetch('https://127.0.0.1:${port}/v1')).text()).length);
    });`;
    const child = spawn(process.execPath, ['-e', program], { env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } });
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, said }).toEqual({ code: 0, said: `${Buffer.byteLength(hello)}\n` });
  });
});

describe('addresses that lead elsewhere', () => {
  test('http to a host far away is refused while there is a key, and nothing is sent', async () => {
    const fetch: Fetch = async () => {
      throw new Error('something was sent');
    };
    for (const host of ['model.example.org', '8.8.8.8', '[2001:db8::1]']) {
      const error = await failureOf(profileFor('chat', `http://${host}/v1`), fetch);
      expect(error).toMatchObject({
        code: 'model.request',
        message: `http://${host}/v1 is not encrypted: everybody on the way could read the key of profile test`,
        hint: 'Write https:// in api_base_url, or give the profile no key.',
      });
    }
    for (const host of ['gpu-box', 'ollama.local', '192.168.7.7', '172.20.0.2', '[fd00::1]', 'localhost'])
      expect([host, isNearby(host)]).toEqual([host, true]);
    for (const host of ['172.32.0.2', 'example.org', '[2001:db8::1]', '100.128.0.1']) expect([host, isNearby(host)]).toEqual([host, false]);
  });

  test('http where TLS is spoken, TLS where http is spoken, and what is no HTTP at all', async () => {
    const plain = await answering();
    expect(await failureOf(profileFor('chat', `https://127.0.0.1:${plain}/v1`))).toMatchObject({
      message: expect.stringContaining('it does not speak TLS'),
      hint: expect.stringContaining('http://'),
    });
    const port = await listening(createRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    expect(await failureOf(profileFor('chat', `http://127.0.0.1:${port}/v1`))).toMatchObject({
      code: 'model.connection',
      retryable: false,
      message: expect.stringContaining('what it answers is not HTTP'),
    });
  });

  test('a redirect is told and not followed: no key goes to where it leads', async () => {
    const seen: string[] = [];
    const elsewhere = await listening(
      createServer((request, response) => {
        seen.push(request.url ?? '');
        response.end();
      }),
    );
    for (const status of [301, 302, 307, 308]) {
      const port = await listening(
        createServer((_, response) => response.writeHead(status, { location: `http://127.0.0.1:${elsewhere}/v2/chat/completions` }).end()),
      );
      expect(await failureOf(profileFor('chat', `http://127.0.0.1:${port}/v1`))).toMatchObject({
        code: 'model.request',
        retryable: false,
        message: `http://127.0.0.1:${port}/v1 answered ${status}: it has moved to http://127.0.0.1:${elsewhere}/v2`,
        hint: `If you trust it, write api_base_url = "http://127.0.0.1:${elsewhere}/v2".`,
      });
    }
    expect(seen).toEqual([]);
  });
});
