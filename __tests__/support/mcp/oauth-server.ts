/** An MCP server over HTTP that wants a login, and its own login server (RFC 9728, 8414, 7591, 7636): strict about what it is sent. */

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** It gives out tokens that live so long; `heard` is each path that was asked for. */
export async function startOauthServer(livesSecs = 3600) {
  const heard: string[] = [];
  const tokens = new Set<string>();
  const refreshers = new Set<string>();
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string; readonly client: string }>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += String(text);
    });
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answer(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const url = new URL(request.url ?? '/', origin);
    heard.push(`${request.method} ${url.pathname}`);
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    if (url.pathname === '/register') return register(JSON.parse(body) as { redirect_uris: readonly string[] }, json);
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token') return token(new URLSearchParams(body), json);
    if (url.pathname !== '/mcp') return json(404, {});
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!tokens.has(bearer)) {
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"` });
      return response.end();
    }
    return speak(request, body, response, json);
  }

  function register({ redirect_uris }: { redirect_uris: readonly string[] }, json: (status: number, value: unknown) => unknown): unknown {
    const client_id = randomUUID();
    clients.set(client_id, redirect_uris);
    return json(201, { client_id, redirect_uris, token_endpoint_auth_method: 'none' });
  }

  function authorize(query: URLSearchParams, response: ServerResponse): unknown {
    const [client, redirect] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
    if (clients.get(client)?.includes(redirect) !== true || query.get('code_challenge_method') !== 'S256')
      return response.writeHead(400).end();
    const code = randomUUID();
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect, client });
    const to = new URL(redirect);
    to.searchParams.set('code', code);
    to.searchParams.set('state', query.get('state') ?? '');
    return response.writeHead(302, { location: to.href }).end();
  }

  function token(form: URLSearchParams, json: (status: number, value: unknown) => unknown): unknown {
    if (form.get('grant_type') === 'refresh_token') {
      if (!refreshers.delete(form.get('refresh_token') ?? '')) return json(400, { error: 'invalid_grant' });
    } else {
      const code = codes.get(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      codes.delete(form.get('code') ?? '');
      const fits = code?.challenge === proof && code.redirect === form.get('redirect_uri') && code.client === form.get('client_id');
      if (!fits) return json(400, { error: 'invalid_grant' });
    }
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    tokens.add(access_token);
    refreshers.add(refresh_token);
    return json(200, { access_token, refresh_token, token_type: 'Bearer', expires_in: livesSecs });
  }

  function speak(
    request: IncomingMessage,
    body: string,
    response: ServerResponse,
    json: (status: number, value: unknown) => unknown,
  ): unknown {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } };
    if (id === undefined) return response.writeHead(202).end();
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'private', version: '1' } },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'you are ann' }] },
    };
    return json(200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  }

  return {
    url: `${origin}/mcp`,
    heard,
    /** No access token that was given out is good any more. */
    expire: () => tokens.clear(),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
