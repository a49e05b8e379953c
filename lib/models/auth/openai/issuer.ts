/** The issuer of logins as the settings name it, and how it is spoken to. */

import type { Clock } from '../../../base/clock.js';
import { abortError, BuddyError, messageOf } from '../../../base/errors.js';
import type { Fetch } from '../../../base/http.js';
import { isSafeForSecrets } from '../../../base/proxy.js';
import { type Settings, settingRows } from '../../../config/settings.js';
import { asObject, asText, type JsonObject, parseJson } from '../../json.js';

/** The settings of logins; those left out are the defaults. */
export type LoginSettings = Partial<Pick<Settings, 'login.issuer' | 'login.client_id' | 'login.backend'>>;

/** Who gives logins, and to which program. */
export interface Issuer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly clientId: string;
  /** The only place that the access token is sent to. */
  readonly backend: string;
}

/** What is needed to speak to it. */
export interface IssuerContext {
  readonly issuer: Issuer;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** An answer, read. */
export interface IssuerAnswer {
  readonly status: number;
  /** Empty when it was no JSON object. */
  readonly json: JsonObject;
  /** Its error in one word, '' when there is none. */
  readonly code: string;
  /** Its error in a sentence, '' when there is none. */
  readonly says: string;
}

const LIMIT_MS = 30_000;
const LARGEST_ANSWER = 256 * 1024;
const LONGEST_WORDS = 300;

/** The issuer of the settings. Throws `config.value` when a token would travel there in the open. */
export function issuerFrom(settings: LoginSettings): Issuer {
  const address = (key: 'login.issuer' | 'login.backend') => {
    const url = settings[key] ?? settingRows[key].initial;
    if (isSafeForSecrets(url)) return url.replace(/\/+$/, '');
    throw new BuddyError('config.value', `${key} must be an https address, not "${url}"`, {
      hint: 'Only a server on this machine may be spoken to without encryption.',
    });
  };
  return {
    url: address('login.issuer'),
    clientId: settings['login.client_id'] ?? settingRows['login.client_id'].initial,
    backend: address('login.backend'),
  };
}

/**
 * Posts to a path of the issuer and reads the answer, whatever its status. Redirects are not followed. Throws `auth.connection`
 * (retryable), an AbortError.
 */
export async function postToIssuer(
  { issuer, fetch, clock }: IssuerContext,
  path: string,
  body: { readonly json: JsonObject } | { readonly form: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<IssuerAnswer> {
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const limit = clock.after(LIMIT_MS, onAbort);
  try {
    const response = await fetch(`${issuer.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      signal: stop.signal,
      headers: {
        accept: 'application/json',
        'content-type': 'json' in body ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      body: 'json' in body ? JSON.stringify(body.json) : new URLSearchParams(body.form).toString(),
    });
    return answerOf(response.status, await limitedText(response), secretsOf('json' in body ? body.json : body.form));
  } catch (thrown) {
    if (signal.aborted) throw abortError();
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
    const why = stop.signal.aborted ? `did not answer within ${LIMIT_MS / 1000} s` : `cannot be reached: ${messageOf(cause)}`;
    throw new BuddyError('auth.connection', `${issuer.url} ${why}`, {
      hint: 'Check the network, and login.issuer in the configuration.',
      retryable: true,
      cause: thrown,
    });
  } finally {
    limit.dispose();
    signal.removeEventListener('abort', onAbort);
  }
}

async function limitedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    parts.push(part);
    size += part.length;
    if (size > LARGEST_ANSWER) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** What we sent and a server may send back in its error. */
function secretsOf(body: JsonObject): readonly string[] {
  return ['code', 'code_verifier', 'refresh_token', 'device_auth_id'].map((key) => asText(body[key])).filter((value) => value.length > 3);
}

/** Errors come as `{error, error_description}`, `{error: {code, message}}`, `{detail}`, text, or a page for a browser. */
function answerOf(status: number, text: string, secrets: readonly string[]): IssuerAnswer {
  const json = asObject(parseJson(text)) ?? {};
  const nested = asObject(json['error']) ?? asObject(json['detail']);
  const code = asText(json['error']) || asText(nested?.['code']) || asText(nested?.['type']);
  const plain = Object.keys(json).length === 0 && !/^\s*</.test(text) ? text : '';
  const words =
    asText(json['error_description']) || asText(nested?.['message']) || asText(json['detail']) || asText(json['message']) || plain;
  const hidden = secrets.reduce((said, secret) => said.replaceAll(secret, '(secret)'), words);
  const says = hidden.replace(/\s+/g, ' ').trim().slice(0, LONGEST_WORDS);
  return { status, json, code, says };
}

/** How an answer is told: its status and what it says. */
export function answerWords({ status, code, says }: IssuerAnswer): string {
  return `${status}${says !== '' ? `: ${says}` : code !== '' ? `: ${code}` : ''}`;
}
