/** What is kept of logins and API keys, as values, and how it stands in auth.json. What is not known there is kept as it is. */

import { join } from 'node:path';
import type { Host } from '../../base/host.js';
import { configDir } from '../../config/load.js';
import { asNumber, asObject, asText, type JsonObject } from '../json.js';

/** A login at an issuer: short-lived access, and what it is renewed with. */
export interface Login {
  /** Where it was made; it is renewed there and nowhere else. */
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  /** Changes with each renewal; null: it cannot be renewed. */
  readonly refreshToken: string | null;
  readonly idToken: string | null;
  /** Wall clock; null: the issuer did not say. */
  readonly expiresAtMs: number | null;
  /** When the access token came. */
  readonly renewedAtMs: number;
}

/** An API key, and the only origin that it is sent to. */
export interface StoredKey {
  readonly name: string;
  readonly key: string;
  readonly origin: string;
}

/** Of the form of auth.json. Numbers below are of other programs and are never written. */
export const STORE_VERSION = 4;

/** Where logins and keys are kept. */
export function storePath(host: Host): string {
  return join(configDir(host), 'auth.json');
}

/** Under which name the login at OpenAI is kept. */
export const OPENAI_LOGIN = 'openai';

/** An empty auth.json. */
export const emptyStore: JsonObject = { version: STORE_VERSION };

/** The login under `name`, or null when there is none that could be used. */
export function loginOf(file: JsonObject, name: string): Login | null {
  const found = asObject(asObject(file['logins'])?.[name]);
  const accessToken = asText(found?.['access_token']);
  if (found === null || accessToken === '') return null;
  return {
    issuer: asText(found['issuer']),
    clientId: asText(found['client_id']),
    accessToken,
    refreshToken: asText(found['refresh_token']) || null,
    idToken: asText(found['id_token']) || null,
    expiresAtMs: asNumber(found['expires_at_ms']),
    renewedAtMs: asNumber(found['renewed_at_ms']) ?? 0,
  };
}

/** The names of all logins. */
export function loginNames(file: JsonObject): readonly string[] {
  return Object.keys(asObject(file['logins']) ?? {}).filter((name) => loginOf(file, name) !== null);
}

/** Every API key that could be used. */
export function keysOf(file: JsonObject): readonly StoredKey[] {
  return Object.entries(asObject(file['api_keys']) ?? {}).flatMap(([name, value]) => {
    const key = asText(asObject(value)?.['key']);
    const origin = asText(asObject(value)?.['origin']);
    return key === '' || origin === '' ? [] : [{ name, key, origin }];
  });
}

/** The key for the origin of `baseUrl`; '' when there is none. */
export function keyFor(file: JsonObject, baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return '';
  const { origin } = new URL(baseUrl);
  return keysOf(file).find((stored) => stored.origin === origin)?.key ?? '';
}

/** `file` with that login. */
export function withLogin(file: JsonObject, name: string, login: Login): JsonObject {
  return withEntry(file, 'logins', name, {
    issuer: login.issuer,
    client_id: login.clientId,
    access_token: login.accessToken,
    refresh_token: login.refreshToken,
    id_token: login.idToken,
    expires_at_ms: login.expiresAtMs,
    renewed_at_ms: login.renewedAtMs,
  });
}

/** `file` with that key. */
export function withKey(file: JsonObject, { name, key, origin }: StoredKey): JsonObject {
  return withEntry(file, 'api_keys', name, { key, origin });
}

function withEntry(file: JsonObject, table: 'logins' | 'api_keys', name: string, entry: JsonObject): JsonObject {
  const entries = asObject(file[table]) ?? {};
  return { ...file, version: STORE_VERSION, [table]: { ...entries, [name]: { ...asObject(entries[name]), ...entry } } };
}

/** Both in one; where they name the same login or key, that of `newer` is taken. */
export function joined(older: JsonObject, newer: JsonObject): JsonObject {
  const tables = (['logins', 'api_keys'] as const).flatMap((table) => {
    const entries = { ...asObject(older[table]), ...asObject(newer[table]) };
    return Object.keys(entries).length === 0 ? [] : [[table, entries] as const];
  });
  return { ...older, ...newer, ...Object.fromEntries(tables) };
}

/** `file` without the login and the key of that name. */
export function without(file: JsonObject, name: string): JsonObject {
  const rest = Object.fromEntries(
    (['logins', 'api_keys'] as const).flatMap((table) => {
      const entries = asObject(file[table]);
      return entries === null ? [] : [[table, Object.fromEntries(Object.entries(entries).filter(([of]) => of !== name))]];
    }),
  );
  return { ...file, ...rest };
}

/** What is kept of a login at an MCP server: as its protocol has it, `client` and `tokens`. */
export type McpLogin = Readonly<Record<string, unknown>>;

/** The login at that server; an empty one when there is none. */
export function mcpLoginOf(file: JsonObject, url: string): McpLogin {
  return asObject(asObject(file['mcp_logins'])?.[url]) ?? {};
}

/** `file` with that login, or without it. */
export function withMcpLogin(file: JsonObject, url: string, login: McpLogin | null): JsonObject {
  const { [url]: _gone, ...others } = asObject(file['mcp_logins']) ?? {};
  return { ...file, version: STORE_VERSION, mcp_logins: login === null ? others : { ...others, [url]: login } };
}

/** The secrets of such a login. */
export function mcpSecrets({ client, tokens }: McpLogin): readonly string[] {
  const of = asObject(tokens);
  return [of?.['access_token'], of?.['refresh_token'], of?.['id_token'], asObject(client)?.['client_secret']].filter(
    (secret) => typeof secret === 'string' && secret !== '',
  ) as string[];
}

/** Every value that must not be written anywhere else. */
export function secretsIn(file: JsonObject): readonly string[] {
  const logins = loginNames(file).flatMap((name) => {
    const login = loginOf(file, name);
    return [login?.accessToken, login?.refreshToken, login?.idToken].filter((secret) => typeof secret === 'string');
  });
  const servers = Object.values(asObject(file['mcp_logins']) ?? {}).flatMap((login) => mcpSecrets(asObject(login) ?? {}));
  return [...logins, ...keysOf(file).map(({ key }) => key), ...servers];
}
