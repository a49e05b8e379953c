/** The MCP servers of a run: what the configuration names, with what this process gives them. */

import { join } from 'node:path';
import type { Host } from '../base/host.js';
import { type LoadedConfig, mcpServersNow } from '../config/load.js';
import type { McpLaunch, McpServerConfig } from '../config/mcp-servers.js';
import { findProject } from '../config/project.js';
import { openPinStore } from '../mcp/pins.js';
import { McpServers } from '../mcp/servers.js';
import { openHttp } from '../models/index.js';
import type { Secrets } from '../policy/redaction.js';
import { commandEnvironment } from '../targets/environment.js';
import { McpLogins } from './mcp-login.js';
import { isSecretName } from './program-environment.js';
import { stateFolder } from './state-folder.js';
import { readTrust } from './trust-store.js';

/** None is started by this. `programs`: the host as other programs are shown it. */
export function openMcpServers(host: Host, config: LoadedConfig, secrets: Secrets, programs: () => Host): McpServers {
  learn(config.mcp, secrets);
  return new McpServers({
    servers: config.mcp,
    async find() {
      const project = findProject(host, config.file, (folder) => readTrust(host).records.get(folder) ?? null);
      const found = await mcpServersNow(host, config.file, project);
      learn(found.servers, secrets);
      return found;
    },
    version: host.version,
    clock: host.clock,
    cwd: host.cwd,
    environment: () => commandEnvironment(programs().env),
    variable(name) {
      const value = host.env[name]?.trim() ?? '';
      if (value === '') return null;
      secrets.learn(value);
      return value;
    },
    pins: openPinStore(join(stateFolder(host), 'mcp.json')),
    openHttp: () => openHttp(config.settings['network.ca_file'], host),
    logins: (say) => new McpLogins({ host, config, secrets, say }),
  });
}

/** What is called a secret among all that they are given. */
function learn(servers: readonly McpServerConfig[], secrets: Secrets): void {
  for (const { launch } of servers) {
    const given = launch.kind === 'stdio' ? [...Object.entries(launch.env), ...flagsIn(launch.args)] : inAddress(launch);
    for (const [name, value] of given)
      if ((isSecretName(name) || /key|token|secret|auth|cookie|password/i.test(name)) && value.trim().length > 3)
        secrets.learn(value.replace(/^(?:Bearer|Basic)\s+/i, ''));
  }
}

type Named = readonly [name: string, value: string];

/** `--name=value` and `--name value`. */
function flagsIn(args: readonly string[]): readonly Named[] {
  return args.flatMap((arg, at): readonly Named[] => {
    const [, name, value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    return name === undefined ? [] : [[name, value ?? args[at + 1] ?? '']];
  });
}

/** The headers, and what stands in the address besides the place. */
function inAddress({ url, headers }: Extract<McpLaunch, { readonly url: string }>): readonly Named[] {
  const { password, searchParams } = new URL(url);
  return [...Object.entries(headers), ...searchParams, ['password', password]];
}
