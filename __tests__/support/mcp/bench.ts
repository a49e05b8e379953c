/** MCP servers with a runtime over them: a scripted model calls their tools, and a test answers what is asked. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../../../lib/base/clock.js';
import { createHttpClient } from '../../../lib/base/http.js';
import { type McpServerConfig, readMcpServers } from '../../../lib/config/mcp-servers.js';
import { builtInExtensions } from '../../../lib/extensions/built-in.js';
import { Registry } from '../../../lib/extensions/registry.js';
import { resourceSource } from '../../../lib/mcp/mentions.js';
import { openPinStore } from '../../../lib/mcp/pins.js';
import { McpServers, type ServersOptions } from '../../../lib/mcp/servers.js';
import type { ToolCall } from '../../../lib/protocol/messages.js';
import type { RuntimeOptions } from '../../../lib/runtime/runtime-options.js';
import { startRuntime } from '../runtime-bench.js';
import type { ScriptedAnswer } from '../scripted-model.js';

const here = dirname(fileURLToPath(import.meta.url));

/** How a package of servers is started. */
export function packaged(name: string, ...args: readonly string[]) {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js'), ...args] };
}

/** How a server that is as bad as `mode` says is started. */
export function badServer(...mode: readonly string[]) {
  return { command: process.execPath, args: [join(here, 'bad-server.mjs'), ...mode] };
}

/** A call of a tool. */
export function toolCall(name: string, args: object = {}, id = 'c1'): ToolCall {
  return { id, name, argsText: JSON.stringify(args) };
}

/** One table `[mcp.servers]`. */
export function serversIn(table: Readonly<Record<string, unknown>>, from = '/home/ann/buddy.toml'): readonly McpServerConfig[] {
  const { servers, faults } = readMcpServers(table, { from, isOwn: true, env: {} });
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return servers;
}

/** Owns a folder for pins; `close` ends all and takes it away. */
export async function startMcp(
  table: Readonly<Record<string, unknown>>,
  answers: readonly ScriptedAnswer[] = [],
  more: Partial<ServersOptions> & { readonly folder?: string; readonly clock?: Clock; readonly runtime?: Partial<RuntimeOptions> } = {},
) {
  const { folder: given, runtime: options, ...rest } = more;
  const folder = given ?? mkdtempSync(join(tmpdir(), 'mcp-'));
  const servers = new McpServers({
    servers: serversIn(table),
    version: '0.0.0',
    clock: systemClock,
    cwd: folder,
    environment: () => ({ PATH: process.env['PATH'] ?? '' }),
    variable: () => null,
    pins: openPinStore(join(folder, 'mcp.json')),
    openHttp: () => Promise.resolve(createHttpClient({ connectTimeoutMs: 5000 })),
    logins: null,
    ...rest,
  });
  const registry = new Registry(builtInExtensions);
  registry.add(servers.extension);
  const bench = await startRuntime(answers, undefined, {
    tools: registry.tools,
    offered: registry.offered,
    servers,
    mentions: [resourceSource(servers)],
    clock: systemClock,
    ...options,
  });
  return {
    ...bench,
    servers,
    registry,
    folder,
    ask: (text = 'go') => bench.runtime.send({ type: 'prompt.submit', text }),
    /** What was said to the person. */
    said: () => bench.events.flatMap((event) => (event.type === 'notice' || event.type === 'warning' ? [event.message] : [])),
    result: (nth = 0) => bench.find('tool.ended')[nth],
    async close(keep = false) {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}
