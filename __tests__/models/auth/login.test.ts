/** Logins against an issuer on this machine that refuses what the real one refuses. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { systemClock } from '../../../lib/base/clock.js';
import { createHttpClient, type Fetch, type HttpClient } from '../../../lib/base/http.js';
import type { Login } from '../../../lib/models/auth/credentials.js';
import { browserLogin } from '../../../lib/models/auth/openai/browser.js';
import { claimsOf } from '../../../lib/models/auth/openai/claims.js';
import { awaitDeviceLogin, requestDeviceCode } from '../../../lib/models/auth/openai/device.js';
import { type IssuerContext, issuerFrom } from '../../../lib/models/auth/openai/issuer.js';
import { FakeClock } from '../../support/fake-clock.js';
import { CLIENT, type FakeIssuer, type FakeIssuerOptions, startFakeIssuer } from '../../support/fake-issuer.js';
import { until } from '../../support/until.js';

const never = new AbortController().signal;
let issuer: FakeIssuer;
let http: HttpClient;
let clock: FakeClock;
beforeEach(() => {
  http = createHttpClient({ connectTimeoutMs: 5000 });
  clock = new FakeClock();
});
afterEach(async () => {
  await http.close();
  await issuer.close();
});

async function start(options: FakeIssuerOptions = {}): Promise<IssuerContext> {
  issuer = await startFakeIssuer({ now: () => clock.now(), ...options });
  return { issuer: issuerFrom(issuer.settings), fetch: wholeFetch, clock };
}

/** Requests under way: meanwhile time must not go on. */
let underWay = 0;
const wholeFetch: Fetch = async (input, init) => {
  underWay++;
  try {
    const response = await http.fetch(input, init);
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  } finally {
    underWay--;
  }
};

describe('with a code', () => {
  /** Lets time pass, poll by poll, until the login has ended. */
  async function passTime(login: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    login.then(over, over);
    while (!isOver) {
      await until('the next poll waits, or the login is over', () => isOver || (underWay === 0 && clock.pending > 0));
      if (!isOver) await clock.advance(1000);
    }
  }

  test('the address is the issuer’s own, and the interval may be a number, a word or missing', async () => {
    for (const [interval, ms] of [
      ['5', 5000],
      [7, 7000],
      [null, 5000],
      ['0', 1000],
      ['soon', 5000],
    ] as const) {
      const context = await start({ interval });
      const code = await requestDeviceCode(context, never);
      expect([code.page, code.intervalMs]).toEqual([`${issuer.url}/codex/device`, ms]);
      expect(code.userCode).toMatch(/^ABCD-/);
      await issuer.close();
    }
    await start();
  });

  test('pending, then approved: tokens, and whose they are', async () => {
    const context = await start();
    issuer.fake.decideAt = 3;
    const waiting = requestDeviceCode(context, never).then((code) => awaitDeviceLogin(context, code, never));
    await passTime(waiting);
    const login: Login = await waiting;
    expect(issuer.log).toEqual(['pending', 'pending', 'pending', 'approved']);
    expect(claimsOf(login)).toEqual({ account: 'acc-1', plan: 'plus', email: 'ann@example.com' });
    expect(login).toMatchObject({ issuer: issuer.url, clientId: CLIENT, expiresAtMs: login.renewedAtMs + 3_600_000 });
    expect(issuer.refreshTokens.has(login.refreshToken ?? '')).toBe(true);
  });

  test('slow_down is obeyed: five seconds more each time', async () => {
    const context = await start();
    const code = await requestDeviceCode(context, never);
    // The issuer has become slower than it said.
    issuer.decide('pending', { intervalMs: 8000 });
    const waiting = awaitDeviceLogin(context, code, never);
    issuer.fake.decideAt = 2;
    await passTime(waiting);
    await waiting;
    expect(issuer.log).toEqual(['slow_down', 'pending', 'pending', 'approved']);
  });

  test.each([
    ['denied', 'The login was refused in the browser'],
    ['expired', 'The code has expired before it was used'],
  ] as const)('%s', async (state, message) => {
    const context = await start();
    const code = await requestDeviceCode(context, never);
    issuer.decide(state);
    const waiting = awaitDeviceLogin(context, code, never);
    const ended = expect(waiting).rejects.toMatchObject({ code: 'auth.refused', message });
    await passTime(waiting);
    await ended;
  });

  test('after 15 minutes it ends by itself', async () => {
    const context = await start({ interval: 60 });
    const waiting = requestDeviceCode(context, never).then((code) => awaitDeviceLogin(context, code, never));
    const ended = expect(waiting).rejects.toMatchObject({ message: 'The code has expired before it was used' });
    await passTime(waiting);
    await ended;
    expect(issuer.count('pending')).toBe(14);
  });

  test('not offered; another client; given up', async () => {
    const context = await start({ deviceLogin: false });
    await expect(requestDeviceCode(context, never)).rejects.toMatchObject({
      code: 'auth.refused',
      message: `${issuer.url} does not offer logins with a code`,
    });
    await issuer.close();
    const other = await start();
    const stranger = { ...other, issuer: { ...other.issuer, clientId: 'stranger' } };
    await expect(requestDeviceCode(stranger, never)).rejects.toMatchObject({
      message: `${issuer.url} gave no code: it answered 400: unknown client`,
    });
    const stop = new AbortController();
    const waiting = requestDeviceCode(other, never).then((code) => awaitDeviceLogin(other, code, stop.signal));
    const ended = expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await until('it waits', () => clock.pending > 0);
    stop.abort();
    await ended;
  });
});

describe('with the browser', () => {
  interface Seen {
    readonly status: number;
    readonly text: string;
  }
  const visit = async (url: URL, headers: Record<string, string> = {}): Promise<Seen> => {
    const at = new URL(url);
    at.hostname = '127.0.0.1';
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      request(at, { headers: { host: url.host, ...headers } }, (response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: text.trim() }));
      })
        .on('error', reject)
        .end();
    });
  };

  /** Starts a login on a port of the system's choice and answers the address that the person gets. */
  async function begin(
    more: { readonly pasted?: Promise<string>; readonly ports?: readonly number[]; readonly patient?: boolean } = {},
    options: FakeIssuerOptions = {},
  ) {
    const context = await start(options);
    let address = '';
    const { pasted } = more;
    const login = browserLogin(
      context,
      { ports: more.ports ?? [await freePort()], open: (url) => (address = url), pasted: pasted === undefined ? null : () => pasted },
      never,
    );
    login.catch(() => undefined);
    await until('the address is shown', async () => {
      if (more.patient === true && address === '') await clock.advance(200);
      return address !== '';
    });
    return { login, address };
  }

  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  test('the address says what the issuer wants to know; the answer gives a login, once', async () => {
    const { login, address } = await begin();
    const back = issuer.agree(address);
    expect(new URL(address).origin + new URL(address).pathname).toBe(`${issuer.url}/oauth/authorize`);
    expect(Object.fromEntries(issuer.authorizations[0] ?? [])).toEqual({
      response_type: 'code',
      client_id: CLIENT,
      redirect_uri: `http://localhost:${back.port}/auth/callback`,
      scope: 'openid profile email offline_access',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      id_token_add_organizations: 'true',
      codex_cli_simplified_flow: 'true',
      state: expect.stringMatching(/^[\w-]{43}$/),
      originator: 'buddy_tui',
    });
    expect(await visit(back)).toEqual({ status: 200, text: 'The login has reached buddy-tui. You can close this page.' });
    expect(claimsOf(await login).email).toBe('ann@example.com');
    await expect(visit(back)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a wrong state is refused with 400 and the login goes on waiting', async () => {
    const { login, address } = await begin();
    const forged = issuer.agree(address, ({ searchParams }) => searchParams.set('state', 'forged'));
    expect((await visit(forged)).status).toBe(400);
    expect((await visit(issuer.agree(address, ({ searchParams }) => searchParams.delete('state')))).status).toBe(400);
    expect((await visit(issuer.agree(address))).status).toBe(200);
    await login;
  });

  test('another name of this machine, another path, another method are refused', async () => {
    const { login, address } = await begin();
    const back = issuer.agree(address);
    expect((await visit(back, { host: 'evil.example' })).status).toBe(403);
    expect((await visit(new URL('/', back))).status).toBe(404);
    expect((await visit(back)).status).toBe(200);
    await login;
  });

  test.each([
    ['access_denied', 'missing_codex_entitlement', 'This account may not be used here: its workspace has no access to Codex'],
    ['access_denied', 'The user said no', 'The login was refused: The user said no'],
    ['server_error', '', 'The login was refused: server_error'],
  ])('%s %s', async (error, description, message) => {
    const { login, address } = await begin();
    const back = issuer.agree(address, ({ searchParams }) => {
      searchParams.delete('code');
      searchParams.set('error', error);
      searchParams.set('error_description', description);
    });
    expect(await visit(back)).toEqual({ status: 400, text: `${message}.` });
    await expect(login).rejects.toMatchObject({ code: 'auth.refused', message });
  });

  test('an answer of another issuer is refused', async () => {
    const { login, address } = await begin();
    await visit(issuer.agree(address, ({ searchParams }) => searchParams.set('iss', 'https://evil.example')));
    await expect(login).rejects.toMatchObject({ message: 'The answer came from another issuer' });
  });

  test('a code that does not fit its verifier is refused by the issuer', async () => {
    const { login, address } = await begin();
    await visit(issuer.agree(address, ({ searchParams }) => searchParams.set('code', 'stolen')));
    await expect(login).rejects.toMatchObject({
      message: `${issuer.url} did not accept the login: it answered 400: The code does not fit.`,
    });
  });

  test('the address can be brought by hand from another machine', async () => {
    let paste: (text: string) => void = () => undefined;
    const { login, address } = await begin({ pasted: new Promise((resolve) => (paste = resolve)) });
    paste(` ${issuer.agree(address)}\n`);
    expect(claimsOf(await login).plan).toBe('plus');
  });

  test('one of another login is refused', async () => {
    const { login, address } = await begin({ pasted: Promise.resolve('http://localhost:1455/auth/callback?code=x&state=y') });
    expect(address).not.toBe('');
    await expect(login).rejects.toMatchObject({ message: 'The address does not belong to this login' });
  });

  test('a login that waits already gives way to the new one, which takes its port', async () => {
    const port = await freePort();
    const first = await begin({ ports: [port] });
    const old = issuer;
    const ended = expect(first.login).rejects.toMatchObject({ message: 'The login was given up: another one was started on this machine' });
    clock = systemClock as unknown as FakeClock;
    const second = await begin({ ports: [port] });
    await ended;
    await visit(issuer.agree(second.address));
    await second.login;
    await old.close();
  });

  test('a port of somebody else is left, the next one is taken; with none of them it says what to do', async () => {
    // It takes connections and never says a word.
    const sockets: Socket[] = [];
    const busy = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as AddressInfo;
    const other = await freePort();
    const { login, address } = await begin({ ports: [port, other], patient: true });
    const back = issuer.agree(address);
    expect(back.port).toBe(String(other));
    await visit(back);
    await login;
    const context = { issuer: issuerFrom(issuer.settings), fetch: http.fetch, clock: systemClock };
    await expect(browserLogin(context, { ports: [port], open: () => undefined, pasted: null }, never)).rejects.toMatchObject({
      code: 'auth.port',
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => busy.close(resolve));
  });

  test('after 5 minutes it ends by itself', async () => {
    const { login } = await begin();
    const ended = expect(login).rejects.toMatchObject({ message: 'Nobody has logged in within 5 minutes' });
    await until('it waits', () => clock.pending > 0);
    await clock.advance(5 * 60_000);
    await ended;
  });
});

test('an issuer that could be listened to is refused', async () => {
  await start();
  expect(() => issuerFrom({ 'login.issuer': 'http://issuer.example' })).toThrow(
    'login.issuer must be an https address, not "http://issuer.example"',
  );
  expect(() => issuerFrom({ 'login.backend': 'nonsense' })).toThrow('login.backend must be an https address');
  expect(issuerFrom({})).toMatchObject({ url: 'https://auth.openai.com', backend: 'https://chatgpt.com/backend-api/codex' });
});
