/** What --ssh takes, what it refuses, and how a script gets through any login shell. */

import { spawnSync } from 'node:child_process';
import { forAnyShell } from '../../lib/targets/places/remote-script.js';
import { parseSshDestination } from '../../lib/targets/places/ssh.js';

test.each([
  ['web-01', { user: null, host: 'web-01', port: null }],
  ['ann@web-01.example.org', { user: 'ann', host: 'web-01.example.org', port: null }],
  ['ann@10.0.0.7:2222', { user: 'ann', host: '10.0.0.7', port: 2222 }],
  ['[::1]:22', { user: null, host: '::1', port: 22 }],
  ['root@[fe80::1%eth0]', { user: 'root', host: 'fe80::1%eth0', port: null }],
  ['ssh://ann@web:22/', { user: 'ann', host: 'web', port: 22 }],
  ['DOMAIN\\ann@host_1', { user: 'DOMAIN\\ann', host: 'host_1', port: null }],
])('%s', (text, destination) => {
  expect(parseSshDestination(text)).toEqual(destination);
});

test.each([
  ...['', '-oProxyCommand=x', '--', 'ann@-oProxyCommand=x', '-l@host', 'a b', 'host name', 'host\n', 'host\tx', 'h\x1b[m', '@host', 'ann@'],
  ...['host:', 'host:0', 'host:70000', 'host:x', 'a;b', '$(x)', '`x`', 'a|b', 'a&b', "a'b", 'h/../x', '[::1', '[-x]', 'żółć'],
])('refused: %j', (text) => {
  expect(() => parseSshDestination(text)).toThrow(expect.objectContaining({ code: 'usage.ssh' }));
});

const script = 'printf \'%s|\' "it\'s" \'$HOME "q" \\ % !x `y` #z\' "$(cat)"\nprintf żółć';
const expected = 'it\'s|$HOME "q" \\ % !x `y` #z|input|żółć';
const shells = ['sh', 'bash', 'dash', 'zsh', 'fish', 'tcsh', 'csh'].filter((name) => spawnSync(name, ['-c', 'exit 0']).status === 0);

test.each(shells)('a script through %s as login shell', (shell) => {
  const ran = spawnSync(shell, ['-c', forAnyShell(script)], { input: 'input', encoding: 'utf8' });
  expect([ran.stdout, ran.stderr]).toEqual([expected, '']);
});
