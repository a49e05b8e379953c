/** The guard of connections: it judges the address that is really connected to, and nothing is dialled that it refused. */

import { type AddressInfo, createServer, type Server } from 'node:net';
import { type AddressGuard, createHttpClient, type HttpClient } from '../../lib/base/http.js';
import { addressKind } from '../../lib/base/public-address.js';
import { closedAddresses, publicAddresses, testEachAddress } from '../support/addresses.js';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi';
let server: Server;
let port = 0;
let connections = 0;
const clients: HttpClient[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).once('data', () => socket.end(ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Every connection that is let through ends at the listener, whatever its address: what is refused would be counted there. */
function clientWith(resolve: AddressGuard['resolve'] = () => Promise.reject(new Error('no name was expected'))) {
  const reached: string[] = [];
  const client = createHttpClient({
    connectTimeoutMs: 2000,
    guard: {
      resolve,
      refusal: (address) => (addressKind(address) === 'public' ? null : `${address} is refused`),
      reach(address) {
        reached.push(address);
        return { address: '127.0.0.1', port };
      },
    },
  });
  clients.push(client);
  return { client, reached };
}
const literal = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}/`;
const refused = (address: string) => ({ cause: { code: 'network.refused', message: expect.stringContaining(`${address} is refused`) } });

testEachAddress(closedAddresses)('%s is refused as it is and as the address of a name', async (address) => {
  const asItIs = clientWith();
  await expect(asItIs.client.fetch(literal(address))).rejects.toMatchObject({ cause: { code: 'network.refused' } });
  const named = clientWith(() => Promise.resolve([address]));
  await expect(named.client.fetch('http://page.example/')).rejects.toMatchObject(refused(address));
  const mixed = clientWith(() => Promise.resolve(['1.1.1.1', address]));
  await expect(mixed.client.fetch('http://page.example/')).rejects.toMatchObject(refused(address));
  expect([asItIs.reached, named.reached, mixed.reached, connections]).toEqual([[], [], [], 0]);
});

testEachAddress(publicAddresses)('%s passes as it is and as the address of a name', async (address) => {
  const asItIs = clientWith();
  expect(await (await asItIs.client.fetch(literal(address))).text()).toBe('hi');
  const named = clientWith(() => Promise.resolve([address]));
  expect(await (await named.client.fetch('http://page.example/')).text()).toBe('hi');
  expect([asItIs.reached, named.reached, connections]).toEqual([[address], [address], 2]);
});

test.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '①②⑦.0.0.1'])('%s is this machine as well', async (host) => {
  const { client } = clientWith();
  await expect(client.fetch(`http://${host}/`)).rejects.toMatchObject({ cause: { code: 'network.refused' } });
  expect(connections).toBe(0);
});

test('a name that answers differently each time is asked once for each connection, and that answer is used', async () => {
  const answers = ['1.1.1.1', '127.0.0.1', '127.0.0.1'];
  const asked: string[] = [];
  const { client, reached } = clientWith((name) => {
    asked.push(name);
    return Promise.resolve([answers[asked.length - 1] ?? '']);
  });
  expect(await (await client.fetch('http://page.example/')).text()).toBe('hi');
  await expect(client.fetch('http://page.example/')).rejects.toMatchObject(refused('127.0.0.1'));
  expect([asked, reached, connections]).toEqual([['page.example', 'page.example'], ['1.1.1.1'], 1]);
});

testEachAddress(closedAddresses)('a name that is public first and %s then: the second connection is not made', async (address) => {
  const answers = ['1.1.1.1', address];
  const { client, reached } = clientWith(() => Promise.resolve([answers.shift() ?? address]));
  expect(await (await client.fetch('http://page.example/')).text()).toBe('hi');
  await expect(client.fetch('http://page.example/')).rejects.toMatchObject(refused(address));
  expect([reached, connections]).toEqual([['1.1.1.1'], 1]);
});

test('a connection that went elsewhere than it was judged for is dropped', async () => {
  const client = createHttpClient({
    connectTimeoutMs: 2000,
    // The system takes 0.0.0.0 for this machine.
    guard: { resolve: () => Promise.resolve([]), refusal: () => null, reach: () => ({ address: '0.0.0.0', port }) },
  });
  clients.push(client);
  await expect(client.fetch('http://1.1.1.1/')).rejects.toMatchObject({
    cause: { code: 'network.refused', message: 'the connection went to 127.0.0.1' },
  });
});
