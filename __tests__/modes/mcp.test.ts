/** What this process gives the MCP servers of its configuration, and what it knows of their secrets. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import type { LoadedConfig } from '../../lib/config/load.js';
import { readMcpServers } from '../../lib/config/mcp-servers.js';
import { defaultSettings } from '../../lib/config/settings.js';
import { openMcpServers } from '../../lib/modes/mcp.js';
import { createSecrets } from '../../lib/policy/redaction.js';

const root = mkdtempSync(join(tmpdir(), 'mcp-mode-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what servers are given is kept out of sight: in variables, arguments, headers and addresses, also after /reload', async () => {
  const host = {
    ...{ env: {}, homeDir: root, cwd: root, pid: process.pid, hostname: 'here', version: '0', platform: 'linux' },
    ...{ uid: process.getuid?.() ?? null, clock: systemClock },
  } as unknown as Host;
  const table = {
    one: {
      command: 'x',
      args: ['--api-key', 'in-the-next', '--token=in-the-same', '--verbose', 'plainly'],
      env: { A_TOKEN: 'in-a-variable' },
    },
    two: { url: 'https://x.example/?key=in-the-address', headers: { 'X-Auth': 'in-a-header' } },
  };
  const { servers } = readMcpServers(table, { from: 'buddy.toml', isOwn: true, env: {} });
  const secrets = createSecrets(() => []);
  const config = { mcp: servers, settings: defaultSettings(), file: null } as unknown as LoadedConfig;
  const opened = openMcpServers(host, config, secrets, () => host);
  const said = 'in-the-next in-the-same in-a-variable in-the-address in-a-header';
  expect(secrets.redact(`${said} plainly`)).toMatch(/^\S+ \S+ \S+ \S+ \S+ plainly$/);
  for (const word of said.split(' ')) expect(secrets.redact(said)).not.toContain(word);

  mkdirSync(join(root, '.config', 'buddy'), { recursive: true });
  writeFileSync(
    join(root, '.config', 'buddy', 'mcp.json'),
    JSON.stringify({ mcpServers: { three: { command: 'y', env: { PASSWORD: 'after-a-reload' } } } }),
  );
  await opened.extension.reload?.(new AbortController().signal, () => undefined);
  expect(opened.names).toEqual(['three']);
  expect(secrets.redact('after-a-reload')).not.toContain('reload');
  await opened.close();
});
