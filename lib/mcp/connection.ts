/** The only file that imports the MCP SDK: one connection to one server, in our words. Loaded with the first server that is started. */

import { pathToFileURL } from 'node:url';
import { auth, type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { BuddyError, isAbort, messageOf } from '../base/errors.js';
import type { Fetch } from '../base/http.js';
import { type Loose, oneLine } from './loose.js';
import type { StdioTransport } from './stdio-transport.js';

/** What a connection is made of. */
export interface ConnectOptions {
  readonly version: string;
  /** The folder that servers on this machine are told of; null: none. */
  readonly root: string | null;
  readonly startMs: number;
  readonly timeoutMs: number;
  log(line: string): void;
  onListChanged(what: 'tools' | 'prompts' | 'resources'): void;
  /** It ended, by itself or by `close`. */
  onClosed(): void;
}

/** A server over HTTP. */
export interface HttpPlace {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  /** With the headers that the server wants. */
  readonly fetch: Fetch;
  readonly login: LoginState | null;
}

/** What is kept of a login at a server, as the SDK wants it: values of JSON. */
export interface LoginState {
  readonly clientId: string | null;
  /** Where the browser comes back to; null: nobody is there to log in. */
  readonly redirectUrl: string | null;
  readonly state: string;
  read(part: 'client' | 'tokens'): unknown;
  write(part: 'client' | 'tokens', value: unknown): Promise<void>;
  /** Opens the browser. Only called when there is a `redirectUrl`. */
  open(url: URL): void;
}

/** What can be asked of a server while it is there. All reject with BuddyError `mcp.*`, or an AbortError. */
export interface Connection {
  /** Does it have such things? */
  has(what: 'tools' | 'prompts' | 'resources'): boolean;
  /** One page of a list. */
  list(method: ListMethod, cursor: string | undefined, signal: AbortSignal): Promise<Loose>;
  callTool(name: string, args: Loose, signal: AbortSignal, onProgress: (line: string) => void): Promise<Loose>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Loose>;
  readResource(uri: string, signal: AbortSignal): Promise<Loose>;
  close(): Promise<void>;
}

/** What can be listed. */
export type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** Of what a server says of a fault so much is told (characters). */
const TOLD = 500;

/** Whatever it says: each part is looked at by whoever uses it. */
const anything = z.looseObject({});

/** Rejects with `mcp.start`, `mcp.login`, or an AbortError; nothing is left then. */
export async function connect(to: StdioTransport | HttpPlace, options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  if ('start' in to) return connectBy(to as never, options, signal);
  const url = new URL(to.url);
  // Without a login that is kept nobody is introduced to anyone, before a person asks for it.
  const provider = to.login?.read('tokens') === undefined ? {} : { authProvider: providerOf(to.login) };
  const init = { fetch: to.fetch, ...provider };
  if (to.kind === 'sse') return connectBy(new SSEClientTransport(url, init), options, signal);
  try {
    return await connectBy(new StreamableHTTPClientTransport(url, init), options, signal);
  } catch (thrown) {
    // Servers of before 2025 do not know a POST there (MCP 2025-06-18, "Backwards Compatibility").
    const status = thrown instanceof BuddyError && thrown.cause instanceof StreamableHTTPError ? thrown.cause.code : undefined;
    if (status === undefined || status < 400 || status >= 500 || status === 401 || status === 403) throw thrown;
    return connectBy(new SSEClientTransport(url, init), options, signal);
  }
}

type AnyTransport = Parameters<Client['connect']>[0];

async function connectBy(transport: AnyTransport, options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const { root, startMs, timeoutMs } = options;
  const client = new Client(
    { name: 'buddy-tui', version: options.version },
    // Neither our models nor the person are at its service: sampling and elicitation are not offered.
    { capabilities: root === null ? {} : { roots: {} } },
  );
  if (root !== null)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: [{ uri: pathToFileURL(root).href, name: root.split('/').pop() ?? '' }],
    }));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onListChanged('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => options.onListChanged('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => options.onListChanged('resources'));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, data } }) =>
    options.log(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
  );
  client.onerror = (error) => options.log(`connection: ${messageOf(error)}`);
  let onAbort = () => {};
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    // The SDK watches over its first question, not over the stream that a server opens before it.
    await Promise.race([client.connect(transport, { timeout: startMs, signal }), ended]);
  } catch (thrown) {
    await client.close().catch(() => undefined);
    throw failure(thrown, 'mcp.start', signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  client.onclose = () => options.onClosed();
  const asking = (of: AbortSignal) => ({ signal: of, timeout: timeoutMs });
  const ask = async (method: string, params: Loose, of: AbortSignal, more: { readonly onprogress?: (line: string) => void } = {}) => {
    const { onprogress } = more;
    const progress =
      onprogress === undefined
        ? {}
        : {
            resetTimeoutOnProgress: true,
            onprogress: (told: { progress: number; total?: number | undefined; message?: string | undefined }) =>
              onprogress(progressLine(told)),
          };
    try {
      return (await client.request({ method, params } as never, anything as never, { ...asking(of), ...progress })) as Loose;
    } catch (thrown) {
      throw failure(thrown, 'mcp.request', of);
    }
  };
  return {
    has: (what) => client.getServerCapabilities()?.[what] !== undefined,
    list: (method, cursor, of) => ask(method, cursor === undefined ? {} : { cursor }, of),
    callTool: (name, args, of, onprogress) => ask('tools/call', { name, arguments: args }, of, { onprogress }),
    getPrompt: (name, args, of) => ask('prompts/get', { name, arguments: args }, of),
    readResource: (uri, of) => ask('resources/read', { uri }, of),
    close: () => client.close(),
  };
}

function progressLine({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}): string {
  return `${total === undefined ? progress : `${progress}/${total}`}${message === undefined ? '' : ` ${message}`}\n`;
}

/** In words for people and models. */
function failure(thrown: unknown, code: 'mcp.start' | 'mcp.request', signal: AbortSignal): unknown {
  if (signal.aborted || isAbort(thrown)) return signal.aborted ? signal.reason : thrown;
  if (thrown instanceof UnauthorizedError || (thrown instanceof StreamableHTTPError && thrown.code === 401))
    return new BuddyError('mcp.login', 'it wants a login', { cause: thrown });
  if (thrown instanceof McpError) {
    const words = oneLine(thrown.message.replace(/^MCP error -?\d+: /, '').slice(0, TOLD));
    if (/Request timed out|timed out/i.test(words)) return new BuddyError(code, 'it did not answer in time', { cause: thrown });
    return new BuddyError(code, words === 'Connection closed' ? 'the server is gone' : `it says: ${words}`, { cause: thrown });
  }
  if (thrown instanceof StreamableHTTPError && thrown.code !== undefined && thrown.code >= 400)
    return new BuddyError(
      code,
      `it answers with HTTP ${thrown.code}: ${oneLine(thrown.message.replace(/^.*?endpoint: /s, '').slice(0, TOLD))}`,
      {
        cause: thrown,
      },
    );
  // Of what the SDK finds wrong nobody but its authors can make sense.
  if (thrown instanceof z.ZodError) return new BuddyError(code, 'it answers with what is no message of MCP', { cause: thrown });
  return new BuddyError(code, oneLine(messageOf(thrown).slice(0, TOLD)), { cause: thrown });
}

function providerOf(login: LoginState, verifier: { code: string } = { code: '' }): OAuthClientProvider {
  return {
    redirectUrl: login.redirectUrl ?? 'http://127.0.0.1/callback',
    clientMetadata: {
      client_name: 'buddy-tui',
      redirect_uris: [login.redirectUrl ?? 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => login.state,
    clientInformation: () => (login.clientId === null ? login.read('client') : { client_id: login.clientId }) as never,
    // Without somebody at a browser there is no one to be introduced.
    saveClientInformation: (value) => (login.redirectUrl === null ? undefined : login.write('client', value)),
    tokens: () => login.read('tokens') as never,
    saveTokens: (value) => login.write('tokens', value),
    redirectToAuthorization(url) {
      if (login.redirectUrl === null) throw new UnauthorizedError('it wants a login');
      login.open(url);
    },
    saveCodeVerifier: (code) => {
      verifier.code = code;
    },
    codeVerifier: () => verifier.code,
    invalidateCredentials: (scope) => (scope === 'all' || scope === 'tokens' ? login.write('tokens', null) : undefined),
  };
}

/** Logs in at a server: `code` answers what the browser came back with. Rejects with `mcp.login`. */
export async function logIn(url: string, fetch: Fetch, login: LoginState, code: () => Promise<string>): Promise<void> {
  const provider = providerOf(login);
  try {
    const first = await auth(provider, { serverUrl: url, fetchFn: fetch });
    if (first === 'AUTHORIZED') return;
    await auth(provider, { serverUrl: url, fetchFn: fetch, authorizationCode: await code() });
  } catch (thrown) {
    if (isAbort(thrown) || thrown instanceof BuddyError) throw thrown;
    throw new BuddyError('mcp.login', `the login failed: ${messageOf(thrown)}`, { cause: thrown });
  }
}
