/** An issuer of logins and the server behind them, on this machine: it refuses what the real ones refuse, and counts. */

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = 'test-client';

interface Device {
  readonly userCode: string;
  intervalMs: number;
  polledMs: number;
  state: 'pending' | 'approved' | 'denied' | 'expired';
}

/** A code that was given out and can be exchanged once. */
interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

export interface FakeIssuerOptions {
  readonly now?: () => number;
  /** Seconds, as the server says them. */
  readonly interval?: string | number | null;
  readonly expiresIn?: number | null;
  /** The access token says its own end. */
  readonly tokenLifeS?: number;
  readonly deviceLogin?: boolean;
  /** The person types the code at once. */
  readonly approve?: boolean;
}

const jwt = (payload: object) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`;

/** Starts one on a free port of 127.0.0.1. */
export async function startFakeIssuer(options: FakeIssuerOptions = {}) {
  const now = options.now ?? (() => Date.now());
  const devices = new Map<string, Device>();
  const grants = new Map<string, Grant>();
  const refreshTokens = new Set<string>();
  const spent = new Set<string>();
  const accessTokens = new Set<string>();
  const log: string[] = [];
  const authorizations: URLSearchParams[] = [];
  const requests: { readonly headers: IncomingMessage['headers']; readonly body: Record<string, unknown> }[] = [];
  const fake = {
    account: 'acc-1',
    failing: 0,
    decideAt: null as number | null,
    hold: null as Promise<void> | null,
    meanwhile: null as (() => Promise<void>) | null,
    keepsRefreshToken: false,
  };
  let issued = 0;

  function tokens(): object {
    issued++;
    const iat = Math.floor(now() / 1000);
    const claims = {
      'https://api.openai.com/auth': { chatgpt_account_id: fake.account, chatgpt_plan_type: 'plus' },
      email: 'ann@example.com',
    };
    const life = options.tokenLifeS === undefined ? {} : { iat, exp: iat + options.tokenLifeS };
    const access = jwt({ n: issued, ...claims, ...life });
    accessTokens.add(access);
    const refresh = `refresh-${issued}-${randomBytes(4).toString('hex')}`;
    if (!fake.keepsRefreshToken || issued === 1) refreshTokens.add(refresh);
    const expires = options.expiresIn === null ? {} : { expires_in: options.expiresIn ?? 3600 };
    return {
      id_token: jwt(claims),
      access_token: access,
      ...(fake.keepsRefreshToken && issued > 1 ? {} : { refresh_token: refresh }),
      ...expires,
    };
  }

  function send(response: ServerResponse, status: number, body: unknown): unknown {
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function poll(response: ServerResponse, { device_auth_id: id, user_code: code }: Record<string, unknown>): unknown {
    const device = devices.get(String(id));
    if (device === undefined || device.userCode !== code)
      return send(response, 400, { error: { code: 'invalid_request', message: 'unknown device' } });
    if (fake.decideAt !== null && log.filter((entry) => entry === 'pending').length >= fake.decideAt) device.state = 'approved';
    const early = now() - device.polledMs < device.intervalMs - 50;
    device.polledMs = now();
    if (early) {
      log.push('slow_down');
      return send(response, 400, { error: 'slow_down' });
    }
    log.push(device.state);
    if (device.state === 'pending') return send(response, 403, { error: 'authorization_pending' });
    if (device.state === 'denied') return send(response, 400, { error: 'access_denied' });
    if (device.state === 'expired') return send(response, 400, { error: 'expired_token' });
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return send(response, 200, {
      authorization_code: grant({ challenge, redirectUri: `${url()}/deviceauth/callback` }),
      code_challenge: challenge,
      code_verifier: verifier,
    });
  }

  function grant(of: Grant): string {
    const code = `code-${randomBytes(6).toString('hex')}`;
    grants.set(code, of);
    return code;
  }

  async function token(response: ServerResponse, body: Record<string, string>): Promise<unknown> {
    if (body['client_id'] !== CLIENT) return send(response, 401, { error: { code: 'invalid_client', message: 'unknown client' } });
    if (body['grant_type'] === 'refresh_token') {
      log.push('refresh');
      if (fake.hold !== null) await fake.hold;
      if (fake.failing > 0) {
        fake.failing--;
        return send(response, 503, { error: { message: 'try later' } });
      }
      const given = body['refresh_token'] ?? '';
      if (spent.has(given))
        return send(response, 400, { error: { code: 'refresh_token_reused', message: `token ${given} was used before` } });
      if (!refreshTokens.has(given)) return send(response, 401, { error: { code: 'refresh_token_invalidated' } });
      if (!fake.keepsRefreshToken) {
        refreshTokens.delete(given);
        spent.add(given);
      }
      return send(response, 200, tokens());
    }
    const known = grants.get(body['code'] ?? '');
    grants.delete(body['code'] ?? '');
    const challenge = createHash('sha256')
      .update(body['code_verifier'] ?? '')
      .digest('base64url');
    if (known === undefined || known.challenge !== challenge || known.redirectUri !== body['redirect_uri'])
      return send(response, 400, { error: 'invalid_grant', error_description: 'The code does not fit.' });
    return send(response, 200, tokens());
  }

  /** What the server behind the login refuses, in its own form of an error. */
  function refusal(body: Record<string, unknown>): string | null {
    if (body['store'] !== false) return 'Store must be set to false';
    if (body['stream'] !== true) return 'Stream must be set to true';
    if (typeof body['instructions'] !== 'string' || body['instructions'] === '') return 'Instructions are required';
    if ((body['input'] as { role?: string }[]).some((item) => item.role === 'system')) return 'System messages are not allowed';
    const unsupported = ['max_output_tokens', 'temperature', 'top_p'].find((name) => name in body);
    return unsupported === undefined ? null : `Unsupported parameter: ${unsupported}`;
  }

  async function respond(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>): Promise<unknown> {
    requests.push({ headers: request.headers, body });
    const access = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (!accessTokens.has(access)) {
      log.push('401');
      await fake.meanwhile?.();
      return send(response, 401, { detail: `Could not parse your authentication token ${access}` });
    }
    if (request.headers['chatgpt-account-id'] !== fake.account) return send(response, 403, { detail: 'Wrong account' });
    const refused = refusal(body);
    if (refused !== null) return send(response, 400, { detail: refused });
    log.push('answer');
    const message = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'behind the login', annotations: [] }],
    };
    const events = [
      { type: 'codex.rate_limits', plan_type: 'plus' },
      { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'behind the login' },
      { type: 'response.output_item.done', output_index: 0, item: message },
      {
        type: 'response.completed',
        response: {
          id: 'resp_1',
          object: 'response',
          status: 'completed',
          output: [message],
          usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13 },
        },
      },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-codex-primary-used-percent': '1' });
    return response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const isForm = request.headers['content-type']?.includes('urlencoded') === true;
      const body = (isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? {} : JSON.parse(text)) as Record<
        string,
        unknown
      >;
      const path = new URL(request.url ?? '/', 'http://x').pathname;
      if (path === '/api/accounts/deviceauth/usercode') {
        if (options.deviceLogin === false) return send(response, 404, {});
        if (body['client_id'] !== CLIENT) return send(response, 400, { error: { message: 'unknown client' } });
        const id = randomBytes(6).toString('hex');
        const userCode = `ABCD-${id.slice(0, 4).toUpperCase()}`;
        const { interval = '5' } = options;
        devices.set(id, {
          userCode,
          intervalMs: Number(interval ?? 5) * 1000,
          polledMs: now(),
          state: options.approve === true ? 'approved' : 'pending',
        });
        return send(response, 200, { device_auth_id: id, user_code: userCode, ...(interval === null ? {} : { interval }) });
      }
      if (path === '/api/accounts/deviceauth/token') return poll(response, body);
      if (path === '/oauth/token') return token(response, body as Record<string, string>);
      if (path === '/oauth/revoke') {
        if (!refreshTokens.delete(String(body['token']))) return send(response, 400, { error: 'invalid_request' });
        log.push('revoked');
        return send(response, 200, {});
      }
      if (path === '/backend/responses') return respond(request, response, body);
      return send(response, 404, { error: 'not_found' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...{ fake, log, requests, accessTokens, refreshTokens, authorizations },
    url: url(),
    backend: `${url()}/backend`,
    settings: { 'login.issuer': url(), 'login.client_id': CLIENT, 'login.backend': `${url()}/backend` },
    count: (what: string) => log.filter((entry) => entry === what).length,
    /** What the person does in the browser with the newest code. */
    decide(state: Device['state'], more: Partial<Device> = {}) {
      const device = [...devices.values()].at(-1);
      if (device !== undefined) Object.assign(device, { state, ...more });
    },
    /** What a browser does with an authorize address: the person agrees, and it goes where it is sent back to. */
    agree(address: string, change: (back: URL) => void = () => undefined): URL {
      const { searchParams } = new URL(address);
      authorizations.push(searchParams);
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      const back = new URL(redirectUri);
      back.searchParams.set('code', grant({ challenge: searchParams.get('code_challenge') ?? '', redirectUri }));
      back.searchParams.set('state', searchParams.get('state') ?? '');
      change(back);
      return back;
    },
    /** A login as it would stand after the person logged in. */
    loggedIn: () => tokens() as { readonly access_token: string; readonly refresh_token: string; readonly id_token: string },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export type FakeIssuer = Awaited<ReturnType<typeof startFakeIssuer>>;
