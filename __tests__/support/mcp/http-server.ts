/** The official example server over streamable HTTP, on a port that the system chose. */

import { createServer } from 'node:net';
import { startProcess } from '../../../lib/base/process.js';
import { until } from '../until.js';
import { packaged } from './bench.js';

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Started and listening; `way` as the server calls it. */
export async function startEverything(way: 'streamableHttp' | 'sse', port?: number) {
  const own = port ?? (await freePort());
  const { command, args } = packaged('@modelcontextprotocol/server-everything', way);
  const child = startProcess(command, args, { env: { ...process.env, PORT: String(own) }, ownGroup: true });
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  await until('it listens', () => /listening|running on port/i.test(printed), 30_000);
  return {
    port: own,
    url: `http://127.0.0.1:${own}/${way === 'sse' ? 'sse' : 'mcp'}`,
    async close() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}
