/** Where secrets may go. */

import { isLoopback, isSafeForSecrets, proxyFor } from '../../lib/base/proxy.js';

const here = ['localhost', 'LOCALHOST', 'issuer.localhost', '127.0.0.1', '127.8.9.10', '[::1]'];
const elsewhere = ['localhost.example.org', '127.0.0.1.example.org', '128.0.0.1', '10.0.0.1', '[::2]', 'notlocalhost'];

test.each(here)('%s is this machine, for secrets and for proxies', (host) => {
  const url = `http://${host}:8080/v1`;
  expect(isSafeForSecrets(url)).toBe(true);
  expect(isLoopback(host)).toBe(true);
  expect(proxyFor(new URL(url), { http_proxy: 'http://proxy.example.org:3128' })).toBeNull();
});

test.each(elsewhere)('%s is not', (host) => {
  const url = `http://${host}:8080/v1`;
  expect(isSafeForSecrets(url)).toBe(false);
  expect(proxyFor(new URL(url), { http_proxy: 'http://proxy.example.org:3128' })?.host).toBe('proxy.example.org:3128');
  expect(isSafeForSecrets(`https://${host}/v1`)).toBe(true);
});

test.each(['', 'localhost', 'ftp://localhost', 'file:///etc/passwd'])('"%s" is no address for secrets', (url) => {
  expect(isSafeForSecrets(url)).toBe(false);
});
