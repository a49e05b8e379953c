/** logout: forgets a login or a key, and takes the login back at its issuer. */

import { asBuddyError, exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import { CredentialStore } from '../models/auth/credential-store.js';
import { keysOf, type Login, loginNames, loginOf, without } from '../models/auth/credentials.js';
import { issuerFrom, postToIssuer } from '../models/auth/openai/issuer.js';
import { openHttp } from '../models/index.js';
import { configOf } from './assembly-config.js';
import type { LoginWords } from './login-here.js';
import { placeNamed } from './login-places.js';
import { Questions, untilStopped } from './questions.js';

/** What `logout` is asked. */
export interface LogoutRequest {
  readonly options: Options;
  /** '' for everything. */
  readonly provider: string;
}

/** Resolves with the exit code. Throws BuddyError `usage.*`, `auth.store`, `config.*`. */
export async function logout(host: Host, { options, provider }: LogoutRequest): Promise<number> {
  host.stdout.on('error', () => undefined);
  return untilStopped(host, async (signal) => {
    const config = await configOf(host, options);
    new Questions(host).say(await forget(host, config, provider, signal));
    return exitCodes.ok;
  });
}

/** Forgets what is kept for a provider ('' for all of them); answers what was done, in a sentence. */
async function forget(host: Host, config: LoadedConfig, provider: string, signal: AbortSignal): Promise<string> {
  const store = new CredentialStore(host);
  const before = await store.read(signal);
  const all = [...new Set([...loginNames(before), ...keysOf(before).map(({ name }) => name)])];
  const wanted = provider === '' ? all : [placeNamed(provider, config).name];
  const names = wanted.filter((name) => all.includes(name));
  if (names.length === 0) return provider === '' ? 'Nobody was logged in.' : `There was no login and no key for ${wanted[0] ?? provider}.`;
  const logins = names.flatMap((name) => loginOf(before, name) ?? []);
  await store.update((file) => names.reduce(without, file), 'fail', signal);
  const revoked = await Promise.all(logins.map((login) => revoke(host, config, login, signal)));
  const left = revoked.includes(false) ? ' The issuer could not be told; the login ends there by itself.' : '';
  return `Forgotten: ${names.join(', ')}.${left}`;
}

/** The same for the conversation. Never rejects. */
export async function logoutHere(host: Host, config: LoadedConfig, provider: string): Promise<LoginWords> {
  try {
    return { level: 'info', text: await forget(host, config, provider, new AbortController().signal) };
  } catch (thrown) {
    return { level: 'error', text: asBuddyError(thrown, 'auth.store').message };
  }
}

/** Tells the issuer, so that a copy of the token is worth nothing either. False when it could not be told. */
async function revoke(host: Host, config: LoadedConfig, login: Login, signal: AbortSignal): Promise<boolean> {
  const issuer = issuerFrom(config.settings);
  // The tokens are for the issuer that gave them, whatever the settings name now.
  if (login.issuer !== issuer.url) return false;
  const http = await openHttp(config.settings['network.ca_file'], host);
  const [token, hint] = login.refreshToken === null ? [login.accessToken, 'access_token'] : [login.refreshToken, 'refresh_token'];
  try {
    const json = { token, token_type_hint: hint, client_id: login.clientId };
    const { status } = await postToIssuer({ issuer, fetch: http.fetch, clock: host.clock }, '/oauth/revoke', { json }, signal);
    return status < 300;
  } catch {
    return false;
  } finally {
    await http.close();
  }
}
