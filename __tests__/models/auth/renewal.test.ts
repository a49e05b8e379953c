/** A login that is used: renewed in time, once whoever asks, and never lost. Real requests to a server on this machine. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../../lib/base/host.js';
import { createHttpClient, type HttpClient } from '../../../lib/base/http.js';
import { type ModelProfile, OPENAI_BASE_URL } from '../../../lib/config/profiles.js';
import { CredentialStore } from '../../../lib/models/auth/credential-store.js';
import { type Login, loginOf, OPENAI_LOGIN, withLogin } from '../../../lib/models/auth/credentials.js';
import { createProvider } from '../../../lib/models/index.js';
import type { JsonObject } from '../../../lib/models/json.js';
import type { ModelProvider } from '../../../lib/models/provider.js';
import { FakeClock } from '../../support/fake-clock.js';
import { CLIENT, type FakeIssuer, type FakeIssuerOptions, startFakeIssuer } from '../../support/fake-issuer.js';
import { until } from '../../support/until.js';
import { ask, collect, modelHost, profileFor } from '../provider-under-test.js';

const never = new AbortController().signal;
let home: string;
let clock: FakeClock;
let http: HttpClient;
let issuer: FakeIssuer;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-renewal-'));
  clock = new FakeClock(Date.now());
  http = createHttpClient({ connectTimeoutMs: 5000 });
});
afterEach(async () => {
  await http.close();
  await issuer.close();
  rmSync(home, { recursive: true, force: true });
});

const host = (): Host => ({ ...modelHost(), homeDir: home, clock }) as Host;
const stored = async (): Promise<Login> => loginOf(await new CredentialStore(host()).read(), OPENAI_LOGIN) as Login;

/** An issuer, and a login at it on the disk. */
async function loggedIn(options: FakeIssuerOptions = {}, more: Partial<Login> = {}): Promise<Login> {
  issuer = await startFakeIssuer({ now: () => clock.now(), ...options });
  const tokens = issuer.loggedIn();
  const login: Login = {
    issuer: issuer.url,
    clientId: CLIENT,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    idToken: tokens.id_token,
    expiresAtMs: clock.now() + 3_600_000,
    renewedAtMs: clock.now(),
    ...more,
  };
  await new CredentialStore(host()).update((file) => withLogin(file, OPENAI_LOGIN, login), 'fail', never);
  return login;
}

/** A provider as another process would have it: nothing is shared but the disk. */
function open(more: Partial<ModelProfile> = {}): Promise<ModelProvider> {
  return createProvider({
    profile: profileFor('responses', OPENAI_BASE_URL, { auth: 'login', key: null, provider: 'openai', reasoningEffort: 'low', ...more }),
    host: host(),
    clock,
    fetch: http.fetch,
    settings: { 'network.api_timeout_secs': 120, 'network.ca_file': '', 'agent.temperature': 0.5, 'agent.top_p': 0.5, ...issuer.settings },
  });
}

const answer = async (provider?: ModelProvider, signal = never) => (await collect(provider ?? (await open()), ask(), signal)).text;

test('the request is one that the server behind the login takes', async () => {
  const login = await loggedIn();
  expect(await answer()).toBe('behind the login');
  const [{ headers, body } = { headers: {}, body: {} as JsonObject }] = issuer.requests;
  expect(headers).toMatchObject({
    authorization: `Bearer ${login.accessToken}`,
    'chatgpt-account-id': 'acc-1',
    originator: 'buddy_tui',
    accept: expect.stringContaining('text/event-stream'),
    'user-agent': expect.stringMatching(/^buddy-tui\//),
  });
  expect(body).toMatchObject({
    store: false,
    stream: true,
    instructions: 'Be brief.',
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  });
  expect(issuer.log).toEqual(['answer']);
});

test('a login that is about to end is renewed first, and is on the disk before it is used', async () => {
  const old = await loggedIn();
  await clock.advance(3_600_000 - 89_000);
  expect(await answer()).toBe('behind the login');
  const fresh = await stored();
  expect(issuer.log).toEqual(['refresh', 'answer']);
  expect([fresh.accessToken, fresh.refreshToken]).not.toEqual([old.accessToken, old.refreshToken]);
  expect(issuer.refreshTokens.has(fresh.refreshToken ?? '')).toBe(true);
  expect(issuer.requests[0]?.headers.authorization).toBe(`Bearer ${fresh.accessToken}`);
  expect(await answer()).toBe('behind the login');
  expect(issuer.log).toEqual(['refresh', 'answer', 'answer']);
});

test('an issuer that keeps the refresh token leaves the old one in force', async () => {
  const old = await loggedIn({}, { expiresAtMs: 1 });
  issuer.fake.keepsRefreshToken = true;
  await answer();
  expect((await stored()).refreshToken).toBe(old.refreshToken);
});

test('without a word on its end: what the token says by the issuer’s own clock, else eight days', async () => {
  await loggedIn({ expiresIn: null, tokenLifeS: 600 }, { expiresAtMs: 1 });
  await answer();
  const login = await stored();
  expect((login.expiresAtMs ?? 0) - login.renewedAtMs).toBe(600_000);
  await issuer.close();
  await loggedIn({}, { expiresAtMs: null });
  await clock.advance(8 * 24 * 3_600_000 - 1000);
  await answer();
  expect(issuer.count('refresh')).toBe(0);
  await clock.advance(1000);
  await answer();
  expect(issuer.count('refresh')).toBe(1);
});

test('five at once renew once', async () => {
  await loggedIn({}, { expiresAtMs: 1 });
  const five = await Promise.all([1, 2, 3, 4, 5].map(() => open()));
  let release = () => {};
  issuer.fake.hold = new Promise((resolve) => (release = resolve));
  const answers = Promise.all(five.map((provider) => answer(provider)));
  await until('the first one asks', () => issuer.count('refresh') === 1);
  const moving = until('the others have waited and are through', () => clock.advance(25).then(() => issuer.count('answer') === 5));
  release();
  expect(await answers).toEqual(Array.from({ length: 5 }, () => 'behind the login'));
  await moving;
  expect(issuer.count('refresh')).toBe(1);
});

test('a 401: another process has renewed already, so its token is taken', async () => {
  const old = await loggedIn();
  issuer.accessTokens.delete(old.accessToken);
  const tokens = issuer.loggedIn();
  const other: Login = { ...old, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
  const store = new CredentialStore(host());
  // Between our look at the disk and the answer of the server.
  issuer.fake.meanwhile = () => store.update((file) => withLogin(file, OPENAI_LOGIN, other), 'fail', never);
  expect(await answer()).toBe('behind the login');
  expect(issuer.log).toEqual(['401', 'answer']);
});

test('a 401, and another account was logged in meanwhile: nothing is sent in its name', async () => {
  const old = await loggedIn();
  issuer.accessTokens.delete(old.accessToken);
  issuer.fake.account = 'acc-2';
  const tokens = issuer.loggedIn();
  const other: Login = { ...old, accessToken: tokens.access_token, idToken: tokens.id_token };
  const store = new CredentialStore(host());
  const provider = await open();
  let isSwapped = false;
  issuer.fake.meanwhile = async () => {
    isSwapped = true;
    await store.update((file) => withLogin(file, OPENAI_LOGIN, other), 'fail', never);
  };
  await expect(answer(provider)).rejects.toMatchObject({
    code: 'model.auth',
    message: 'Somebody logged in with another account meanwhile',
  });
  expect([isSwapped, issuer.log]).toEqual([true, ['401']]);
});

test('a 401 is followed by one renewal and one more try; a second one tells how to log in', async () => {
  const old = await loggedIn();
  issuer.accessTokens.delete(old.accessToken);
  expect(await answer()).toBe('behind the login');
  expect(issuer.log).toEqual(['401', 'refresh', 'answer']);
  issuer.accessTokens.clear();
  const provider = await open();
  issuer.accessTokens.add = () => issuer.accessTokens;
  const thrown = await answer(provider).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'model.auth', hint: 'Log in again: buddy-tui login openai, or /login openai.', retryable: false });
  expect(issuer.log.slice(3)).toEqual(['401', 'refresh', '401']);
  // The server puts the token into its error.
  expect(String((thrown as Error).message)).not.toContain((await stored()).accessToken);
});

test('a refresh token that was used before is final, and is not shown', async () => {
  const old = await loggedIn({}, { refreshToken: 'long-gone-token', expiresAtMs: 1 });
  await expect(answer()).rejects.toMatchObject({
    code: 'model.auth',
    message: expect.stringMatching(/^The login has ended: .* answered 401/),
  });
  await issuer.close();
  await loggedIn({}, { expiresAtMs: 1 });
  const { refreshToken } = await stored();
  await answer();
  await new CredentialStore(host()).update(
    (file) => withLogin(file, OPENAI_LOGIN, { ...old, issuer: issuer.url, refreshToken }),
    'fail',
    never,
  );
  const thrown = await answer().catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'model.auth', message: expect.stringContaining('400: token (secret) was used before') });
});

test('an issuer that is away does no harm while the token is good, and is asked again later', async () => {
  await loggedIn();
  await clock.advance(3_600_000 - 60_000);
  issuer.fake.failing = 2;
  expect(await answer()).toBe('behind the login');
  await clock.advance(60_000);
  await expect(answer()).rejects.toMatchObject({ code: 'auth.connection', retryable: true });
  expect(await answer()).toBe('behind the login');
  expect(issuer.count('refresh')).toBe(3);
});

test('who gives up while it is renewed does not lose the login', async () => {
  const old = await loggedIn({}, { expiresAtMs: 1 });
  let release = () => {};
  issuer.fake.hold = new Promise((resolve) => (release = resolve));
  const stop = new AbortController();
  const asked = expect(answer(await open(), stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  await until('the issuer is asked', () => issuer.count('refresh') === 1);
  stop.abort();
  await asked;
  release();
  await until('the new login is on the disk', async () => (await stored()).refreshToken !== old.refreshToken);
  expect(await answer()).toBe('behind the login');
  expect(issuer.count('refresh')).toBe(1);
});

test('a disk that does not take the new login does not lose it: it is used, and saved later', async () => {
  await loggedIn({}, { expiresAtMs: 1 });
  const provider = await open();
  const { path } = new CredentialStore(host());
  let release = () => {};
  issuer.fake.hold = new Promise((resolve) => (release = resolve));
  const asked = answer(provider);
  await until('the issuer is asked', () => issuer.count('refresh') === 1);
  const before = readFileSync(path, 'utf8');
  rmSync(path);
  mkdirSync(join(path, 'in-the-way'), { recursive: true });
  release();
  expect(await asked).toBe('behind the login');
  rmSync(path, { recursive: true });
  expect(before).not.toBe('');
  expect(await answer(provider)).toBe('behind the login');
  expect(issuer.count('refresh')).toBe(1);
  expect(issuer.refreshTokens.has((await stored()).refreshToken ?? '')).toBe(true);
});

test('nobody is logged in; another issuer; another server', async () => {
  const login = await loggedIn();
  await expect(open({ baseUrl: 'https://elsewhere.example/v1' }).then(answer)).rejects.toMatchObject({
    code: 'model.auth',
    message: `Profile test uses auth = "login" with https://elsewhere.example/v1; a login goes to ${issuer.backend} only`,
  });
  const store = new CredentialStore(host());
  await store.update((file) => withLogin(file, OPENAI_LOGIN, { ...login, issuer: 'https://old.example' }), 'fail', never);
  await expect(answer()).rejects.toMatchObject({
    code: 'model.auth',
    message: expect.stringContaining('The login was made at https://old.example'),
  });
  rmSync(store.path);
  await expect(answer()).rejects.toMatchObject({
    code: 'model.auth',
    message: 'Profile test uses auth = "login", and nobody is logged in',
  });
  expect(issuer.requests).toEqual([]);
});

test('a key from a command is asked for once, and again when it was refused', async () => {
  issuer = await startFakeIssuer({ now: () => clock.now() });
  const first = issuer.loggedIn().access_token;
  const second = issuer.loggedIn().access_token;
  issuer.accessTokens.delete(first);
  const command = `echo x >> ${home}/asked; if [ $(wc -l < ${home}/asked) = 1 ]; then echo ${first}; else echo ${second}; fi`;
  const provider = await createProvider({
    profile: profileFor('responses', issuer.backend, { key: { kind: 'command', command } }),
    host: { ...host(), env: { PATH: '/usr/bin:/bin' } } as Host,
    clock,
    fetch: (input, init) =>
      http.fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), 'chatgpt-account-id': 'acc-1' } }),
  });
  expect(await answer(provider)).toBe('behind the login');
  expect(await answer(provider)).toBe('behind the login');
  expect(issuer.log).toEqual(['401', 'answer', 'answer']);
  expect(readFileSync(`${home}/asked`, 'utf8')).toBe('x\nx\n');
});
