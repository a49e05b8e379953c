/** What may be fetched, judged from the outside. */

import { addressRefusal, carriesMuch, isUnusualPort, urlRefusal, type WebRules } from '../../lib/policy/web-address.js';
import { closedAddresses, publicAddresses, testEachAddress } from '../support/addresses.js';

const open: WebRules = { allowedDomains: [], blockedDomains: [], privateHosts: [] };
const judge = (address: string, rules: Partial<WebRules> = {}) => urlRefusal(new URL(address), { ...open, ...rules });
const literal = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}/`;

testEachAddress(closedAddresses)('%s is refused before anybody is asked', (address) => {
  expect(judge(literal(address))).toMatch(/is not a public address|no address that can be judged/);
});

testEachAddress(publicAddresses)('%s is not', (address) => {
  expect(judge(literal(address))).toBeNull();
});

test.each([
  ['file:///etc/passwd', 'only http and https'],
  ['ftp://example.org/x', 'only http and https'],
  ['data:text/html,x', 'only http and https'],
  ['http://ok@example.org/', 'user name or password'],
  ['http://example.org:0/', 'names no host'],
  ['http://localhost/', 'name of this machine or its network'],
  ['http://a.localhost./', 'name of this machine or its network'],
  ['http://ip6-loopback/', 'name of this machine or its network'],
  ['http://metadata/computeMetadata/v1/', 'name of this machine or its network'],
  ['http://printer.local/', 'name of this machine or its network'],
  ['http://metadata.google.internal/', 'name of this machine or its network'],
  ['http://0x7f.1/', 'not a public address (loopback)'],
])('%s is refused: %s', (address, reason) => {
  expect(judge(address)).toContain(reason);
});

test('lists of domains cover what is below a name, and no other name that ends alike', () => {
  const blocked = { blockedDomains: ['bad.example', '*.worse.example', '1.1.1.1'] };
  for (const address of [
    'https://bad.example/',
    'https://BAD.example./',
    'https://x.bad.example',
    'http://x.worse.example',
    'http://1.1.1.1',
  ])
    expect(judge(address, blocked)).toContain('tools.fetch_blocked_domains');
  expect(judge('https://notbad.example/', blocked)).toBeNull();
  const allowed = { allowedDomains: ['docs.example', 'bücher.example:8080'] };
  expect(judge('https://a.docs.example/', allowed)).toBeNull();
  expect(judge('http://xn--bcher-kva.example:8080/', allowed)).toBeNull();
  expect(judge('http://xn--bcher-kva.example/', allowed)).toContain('tools.fetch_allowed_domains');
  expect(judge('https://docs.example.evil.example/', allowed)).toContain('tools.fetch_allowed_domains');
});

test('a host of one s own is reached by its very name and port only, and never through a name at what clouds tell', () => {
  const rules = { ...open, privateHosts: ['wiki.corp.internal', 'localhost:3000', '169.254.10.1', '10.20.0.0/16'] };
  expect(urlRefusal(new URL('http://wiki.corp.internal/'), rules)).toBeNull();
  expect(urlRefusal(new URL('http://x.wiki.corp.internal/'), rules)).not.toBeNull();
  expect(urlRefusal(new URL('http://localhost:3000/'), rules)).toBeNull();
  expect(urlRefusal(new URL('http://localhost:3001/'), rules)).not.toBeNull();
  expect(urlRefusal(new URL('http://169.254.10.1/'), rules)).toBeNull();
  expect(addressRefusal('10.1.1.1', 'wiki.corp.internal', 80, rules)).toBeNull();
  expect(addressRefusal('127.0.0.1', 'localhost', 3000, rules)).toBeNull();
  expect(addressRefusal('127.0.0.1', 'wiki.corp.internal', 80, rules)).toContain('(loopback)');
  expect(addressRefusal('169.254.169.254', 'wiki.corp.internal', 80, rules)).toContain('(metadata)');
  expect(addressRefusal('10.20.3.4', 'any.example', 80, rules)).toBeNull();
  expect(addressRefusal('10.21.3.4', 'any.example', 80, rules)).toContain(
    'any.example is 10.21.3.4, which is not a public address (private)',
  );
});

test.each([
  ['https://a.example/', false],
  ['http://a.example:8080/', false],
  ['http://a.example:22/', true],
  ['http://a.example:6379/', true],
  ['http://own.example:6379/', false],
])('%s has an unusual port: %s', (address, expected) => {
  expect(isUnusualPort(new URL(address), { ...open, privateHosts: ['own.example:6379'] })).toBe(expected);
});

test.each([
  ['https://a.example/how-to-find-out-why-a-disk-is-full-on-debian-12-and-what-to-do?utm_source=x&page=2', false],
  ['https://a.example/commit/0123456789abcdef0123456789abcdef01234567', false],
  [`https://a.example/?d=${'QUtJQUlPU0ZPRE5ON0VYQU1QTEU4'.repeat(9)}`, true],
  [`https://${'a1b2c3d4e5f6a7b8c9d0a1b2c3d4.'.repeat(8)}a.example/`, true],
])('%s carries much: %s', (address, expected) => {
  expect(carriesMuch(new URL(address))).toBe(expected);
});
