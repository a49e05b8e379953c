/** Logins at MCP servers: kept in auth.json as other logins are, made with a browser and a page of this machine that it comes back to. */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { delay } from '../base/clock.js';
import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Fetch } from '../base/http.js';
import { type LoopbackAnswer, type LoopbackRequest, listenOnLoopback } from '../base/loopback-server.js';
import { startProcess } from '../base/process.js';
import { isSafeForSecrets } from '../base/proxy.js';
import type { LoadedConfig } from '../config/load.js';
import type { McpServerConfig } from '../config/mcp-servers.js';
import { cappedFetch } from '../mcp/capped-fetch.js';
import type { LoginState } from '../mcp/connection.js';
import { MOST_BYTES } from '../mcp/server.js';
import { CredentialStore } from '../models/auth/credential-store.js';
import { mcpLoginOf, mcpSecrets, withMcpLogin } from '../models/auth/credentials.js';
import { openHttp } from '../models/index.js';
import type { JsonObject } from '../models/json.js';
import type { Secrets } from '../policy/redaction.js';
import { hostOfPrograms } from './program-environment.js';

/** So long a person has at the browser (milliseconds). */
const PATIENCE_MS = 5 * 60_000;
const PATH = '/callback';

/** What this needs of the program. */
interface Surroundings {
  readonly host: Host;
  readonly config: LoadedConfig;
  readonly secrets: Secrets;
  /** For the person. */
  say(text: string): void;
}

/** The logins of a run. */
export class McpLogins {
  readonly #around: Surroundings;
  readonly #store: CredentialStore;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#store = new CredentialStore(around.host, { notice: around.say, keep: around.config.settings['auth.store'] });
  }

  /** What is kept of the login at that server, for one connection; `redirectUrl` when somebody is there to log in. Rejects with `auth.*`. */
  async stateOf(
    { launch }: McpServerConfig,
    redirectUrl: string | null = null,
    open: (url: URL) => void = () => undefined,
  ): Promise<LoginState> {
    if (launch.kind === 'stdio') throw new BuddyError('mcp.login', 'it is started here and needs no login');
    const { url, clientId } = launch;
    const { secrets } = this.#around;
    let kept = { ...mcpLoginOf(await this.#store.read(), url) };
    for (const secret of mcpSecrets(kept)) secrets.learn(secret);
    // Whoever logs in is introduced anew: the address that the browser comes back to is another one.
    if (redirectUrl !== null) kept['client'] = undefined;
    return {
      clientId,
      redirectUrl,
      state: randomBytes(32).toString('base64url'),
      read: (part) => kept[part] ?? undefined,
      write: async (part, value) => {
        const change = (file: JsonObject): JsonObject => {
          const now = mcpLoginOf(file, url);
          // What is refused here may be what another program has renewed meanwhile: then that is what counts.
          const isRenewed = value === null && now[part] !== undefined && !isEqual(now[part], kept[part]);
          kept = isRenewed ? { ...now } : { ...now, [part]: value ?? undefined };
          for (const secret of mcpSecrets(kept)) secrets.learn(secret);
          return isRenewed ? file : withMcpLogin(file, url, kept);
        };
        await this.#store.update(change, 'set-aside', new AbortController().signal);
      },
      open,
    };
  }

  /** Has the person log in. Rejects with `mcp.login`, `auth.*`, or an AbortError. */
  async logIn(server: McpServerConfig, signal: AbortSignal): Promise<void> {
    const { host, config, say } = this.#around;
    const { launch } = server;
    if (launch.kind === 'stdio') return;
    const callback = new Callback();
    const page = await listenOnLoopback(0, callback.answer);
    const http = await openHttp(config.settings['network.ca_file'], host);
    const ended = new AbortController();
    const over = AbortSignal.any([ended.signal, signal]);
    try {
      const login = await this.stateOf(server, `http://127.0.0.1:${page.port}${PATH}`, (url) => {
        say(`To log in at the MCP server ${server.name}, open this in a browser of this machine:\n${url.href}`);
        this.#open(url.href);
      });
      callback.state = login.state;
      const expiry = delay(host.clock, PATIENCE_MS, over).then(() => {
        throw new BuddyError('mcp.login', 'it was not done within 5 minutes');
      });
      expiry.catch(() => undefined);
      const { logIn } = await import('../mcp/connection.js');
      const fetch = safely(cappedFetch(http.fetch, MOST_BYTES, () => undefined));
      // Nobody has to answer us: not the server, not its login server, not the person.
      await Promise.race([logIn(launch.url, fetch, login, () => callback.code), expiry]);
      say(`Logged in at the MCP server ${server.name}.`);
    } finally {
      ended.abort();
      await page.close();
      await http.close();
    }
  }

  /** Forgets it. Rejects with `auth.*`. */
  async logOut({ launch }: McpServerConfig): Promise<void> {
    if (launch.kind === 'stdio') return;
    await this.#store.update((file) => withMcpLogin(file, launch.url, null), 'fail', new AbortController().signal);
  }

  /** Over ssh a browser would open on the wrong screen, or none: then the address that was told has to do. */
  #open(url: string): void {
    const { host, secrets } = this.#around;
    const { env, platform } = hostOfPrograms(host, secrets);
    const hasScreen = platform === 'darwin' || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
    if (!hasScreen || env['SSH_CONNECTION'] !== undefined || !isSafeForSecrets(url)) return;
    const child = startProcess(platform === 'darwin' ? 'open' : 'xdg-open', [url], { env, ownGroup: true });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.end();
  }
}

/** The same fetch, which sends nothing of a login where it could be read on its way. */
function safely(fetch: Fetch): Fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (isSafeForSecrets(url)) return fetch(input, init);
    throw new BuddyError('mcp.login', `${new URL(url).origin} is reached over plain http, where a login could be read on its way`);
  };
}

/** What the browser brings back, once. */
class Callback {
  state = '';
  readonly code: Promise<string>;
  #resolve: (code: string) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor() {
    this.code = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.code.catch(() => undefined);
  }

  readonly answer = ({ path, query }: LoopbackRequest): LoopbackAnswer => {
    if (path !== PATH) return { status: 404, text: 'There is nothing here.' };
    if (!isSame(query.get('state') ?? '', this.state))
      return {
        status: 400,
        text: 'This answer does not belong to the login that waits here. Start from the address that the program shows.',
      };
    const code = query.get('code') ?? '';
    if (code === '') {
      this.#reject(
        new BuddyError(
          'mcp.login',
          `the login was refused: ${(query.get('error_description') ?? query.get('error') ?? 'no reason').slice(0, 200)}`,
        ),
      );
      return { status: 400, text: 'The login was refused.' };
    }
    this.#resolve(code);
    return { status: 200, text: 'The login has reached buddy-tui. You can close this page.' };
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return other !== '' && a.length === b.length && timingSafeEqual(a, b);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
