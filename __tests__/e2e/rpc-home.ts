/** The built program behind its client, against a model that the test plays. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuddyClient, type ClientOptions, connect, type RuntimeEvent, type RuntimeEventEnvelope } from '../../lib/client/index.js';
import { type ChatServer, type Reply, startChatServer } from '../support/chat-server.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

/** A client whose events are written down. */
export interface Driven {
  readonly client: BuddyClient;
  readonly envelopes: RuntimeEventEnvelope[];
  /** Resolves with the first event of that type that `is`; `what` names it. */
  seen<T extends RuntimeEvent['type']>(
    type: T,
    is?: (event: Extract<RuntimeEvent, { readonly type: T }>) => boolean,
  ): Promise<Extract<RuntimeEvent, { readonly type: T }>>;
}

export interface RpcHome {
  readonly home: Home;
  readonly server: ChatServer;
  start(options?: ClientOptions): Promise<Driven>;
}

/** A home with a profile for the played model; what was started is ended after the test. */
export async function withRpc(reply: Reply, test: (rpc: RpcHome) => Promise<void>): Promise<void> {
  programPath();
  const home = freshHome();
  const server = await startChatServer(reply);
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "mock-1"', 'api_key = "key-for-tests-only"'];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, 'context_limit = 200000', ''].join('\n'), { mode: 0o600 });
  const started: BuddyClient[] = [];
  try {
    await test({
      home,
      server,
      async start(options = {}) {
        const client = await connect({ cwd: home.folder, env: home.env, ...options });
        started.push(client);
        return driven(client);
      },
    });
  } finally {
    await Promise.all(started.map((client) => client.close()));
    await server.close();
    await home.dispose();
  }
}

function driven(client: BuddyClient): Driven {
  const envelopes: RuntimeEventEnvelope[] = [];
  client.onEvent((envelope) => envelopes.push(envelope));
  return {
    client,
    envelopes,
    seen: (type, is = () => true) =>
      until(`${type} comes`, () => {
        for (const { event } of envelopes) {
          const found = event as Extract<RuntimeEvent, { readonly type: typeof type }>;
          if (event.type === type && is(found)) return found;
        }
        return null;
      }),
  };
}
