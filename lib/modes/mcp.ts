/** The MCP servers of a run: what the configuration names, with what this process gives them. */

import { join } from 'node:path';
import type { Host } from '../base/host.js';
import { type LoadedConfig, mcpServersNow } from '../config/load.js';
import type { McpServerConfig } from '../config/mcp-servers.js';
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
    find: () =>
      mcpServersNow(
        host,
        config.file,
        findProject(host, config.file, (folder) => readTrust(host).records.get(folder) ?? null),
      ),
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

/** What is called a secret among the variables and headers that they are given. */
function learn(servers: readonly McpServerConfig[], secrets: Secrets): void {
  for (const { launch } of servers) {
    const given = launch.kind === 'stdio' ? launch.env : launch.headers;
    for (const [name, value] of Object.entries(given))
      if ((isSecretName(name) || /key|token|secret|auth|cookie/i.test(name)) && value.trim().length > 3)
        secrets.learn(value.replace(/^(?:Bearer|Basic)\s+/i, ''));
  }
}
