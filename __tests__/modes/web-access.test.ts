/** The way to the web as the settings and the environment make it: proxies, authorities, hosts of one's own, secrets. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { defaultSettings, type Settings } from '../../lib/config/settings.js';
import { createWebAccess } from '../../lib/modes/web-access.js';
import { createSecrets } from '../../lib/policy/redaction.js';
import { fetchUrl } from '../../lib/tools/fetch-url.js';
import { selfSigned } from '../support/certificate.js';
import { callContext } from '../support/site.js';

const servers: Server[] = [];
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'web-access-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return (server.address() as AddressInfo).port;
}
const accessWith = (settings: Partial<Settings>, env: Record<string, string> = {}, secrets: readonly string[] = []) =>
  createWebAccess(
    { env, homeDir: folder, clock: systemClock, version: '1', packageDir: process.cwd() } as unknown as Host,
    { ...defaultSettings(), ...settings },
    createSecrets(() => secrets),
  );
const fetched = (url: string, settings: Partial<Settings>, env: Record<string, string> = {}) =>
  fetchUrl.run(fetchUrl.parse({ url, why: 'w' }), callContext(accessWith(settings, env), systemClock));

describe('behind a proxy', () => {
  const proxied = async (answer: RequestListener) => {
    const asked: string[] = [];
    const port = await listening(
      createServer((request, response) => {
        asked.push(request.url ?? '');
        answer(request, response);
      }),
    );
    return { asked, env: { http_proxy: `http://localhost:${port}` } };
  };

  test('a page comes, with a word that its address could not be seen', async () => {
    const { asked, env } = await proxied((_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'));
    const { result } = await fetched('http://name.example/x', {}, env);
    expect(result).toMatchObject({
      content: 'hello',
      note: expect.stringMatching(/^It came through the proxy localhost:\d+, which looks names up itself/),
    });
    expect(asked).toEqual(['http://name.example/x']);
  });

  test('what can be seen to be private is refused all the same, also where a redirect leads', async () => {
    const { asked, env } = await proxied((_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    await expect(fetched('http://10.0.0.1/', {}, env)).rejects.toThrow('10.0.0.1 is not a public address (private)');
    await expect(fetched('http://name.example/', {}, env)).rejects.toThrow('http://name.example/ leads to http://10.0.0.1/');
    expect(asked).toEqual(['http://name.example/']);
  });

  test('a proxy that is not there is named', async () => {
    await expect(fetched('http://name.example/', {}, { http_proxy: 'http://localhost:9' })).rejects.toThrow(
      'http://name.example/: the proxy localhost:9 did not lead there',
    );
  });
});

describe('over TLS', () => {
  const secure = async (answer: RequestListener) => {
    const certificate = selfSigned();
    const port = await listening(createTlsServer(certificate, answer));
    const path = join(folder, `ca-${port}.pem`);
    writeFileSync(path, certificate.cert);
    return { port, path, settings: { 'tools.fetch_private_hosts': [`localhost:${port}`] } };
  };

  test('an unknown authority is refused in words, and one that network.ca_file names is trusted', async () => {
    const { port, path, settings } = await secure((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('safe'),
    );
    await expect(fetched(`https://localhost:${port}/`, settings)).rejects.toThrow('its certificate is signed by itself');
    const { result } = await fetched(`https://localhost:${port}/`, { ...settings, 'network.ca_file': path });
    expect(result).toMatchObject({ content: 'safe' });
  });

  test('a redirect from https to http is refused', async () => {
    const { port, path, settings } = await secure((_request, response) =>
      response.writeHead(302, { location: 'http://name.example/' }).end(),
    );
    await expect(fetched(`https://localhost:${port}/`, { ...settings, 'network.ca_file': path })).rejects.toThrow(
      'leads from https to http://name.example/',
    );
  });
});

test('a name that is really this machine is refused as it is looked up', async () => {
  let connections = 0;
  const server = createServer();
  server.on('connection', () => connections++);
  const port = await listening(server);
  const web = accessWith({});
  const client = await web.connect();
  await expect(client.fetch(`http://localhost:${port}/`)).rejects.toMatchObject({ cause: { code: 'network.refused' } });
  await client.close();
  expect(connections).toBe(0);
});

test('a secret is seen in every spelling that an address gives it', () => {
  const web = accessWith({}, {}, ['s3cret/key+1']);
  const spelled = ['s3cret/key+1', 's3cret%2Fkey%2B1', '%73%33cret%2fkey%2b1', Buffer.from('s3cret/key+1').toString('base64')];
  expect(spelled.map((text) => web.betrays(`https://a.example/?q=${text}`))).toEqual([true, true, true, true]);
  expect(web.betrays('https://a.example/?q=secret')).toBe(false);
});
