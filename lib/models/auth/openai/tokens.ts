/** Tokens from the issuer: for a code, and new ones for old ones. */

import { BuddyError } from '../../../base/errors.js';
import { asNumber, asText } from '../../json.js';
import type { Login } from '../credentials.js';
import { lifetimeOf } from './claims.js';
import { answerWords, type IssuerAnswer, type IssuerContext, postToIssuer } from './issuer.js';

const TOKEN_PATH = '/oauth/token';
/** A lifetime below this one is a slip of the issuer's: we would do nothing but renew. */
const SHORTEST_LIFE_MS = 60_000;
/** An access token is renewed so long before its end. */
const EARLY_MS = 90_000;
/** One that does not say when it ends is renewed after so long. */
const UNKNOWN_LIFE_MS = 8 * 24 * 3_600_000;
/** What no second try will change. */
const FINAL = /^(refresh_token_(expired|reused|invalidated)|invalid_grant)$/;

/** What a code is exchanged with. */
export interface CodeExchange {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** The login that a code stands for. Throws `auth.refused`, `auth.connection`. */
export async function exchangeCode(context: IssuerContext, exchange: CodeExchange, signal: AbortSignal): Promise<Login> {
  const form = {
    grant_type: 'authorization_code',
    client_id: context.issuer.clientId,
    code: exchange.code,
    code_verifier: exchange.verifier,
    redirect_uri: exchange.redirectUri,
  };
  const answer = await postToIssuer(context, TOKEN_PATH, { form }, signal);
  const login = loginFrom(answer, context, null);
  if (login !== null) return login;
  throw new BuddyError('auth.refused', `${context.issuer.url} did not accept the login: it answered ${answerWords(answer)}`, {
    hint: 'Start the login again.',
  });
}

/**
 * The same login with new tokens. What it answers must be on the disk before it is used: the old refresh token is worth nothing from now
 * on. Throws `model.auth` when only a new login helps, `auth.connection` (retryable) otherwise.
 */
export async function renewLogin(context: IssuerContext, old: Login, signal: AbortSignal): Promise<Login> {
  if (old.refreshToken === null) throw loginAgain('The login has expired and cannot be renewed');
  const json = { grant_type: 'refresh_token', client_id: context.issuer.clientId, refresh_token: old.refreshToken };
  const answer = await postToIssuer(context, TOKEN_PATH, { json }, signal);
  const login = loginFrom(answer, context, old);
  if (login !== null) return login;
  if (answer.status === 401 || FINAL.test(answer.code))
    throw loginAgain(`The login has ended: ${context.issuer.url} answered ${answerWords(answer)}`);
  throw new BuddyError('auth.connection', `${context.issuer.url} could not renew the login: it answered ${answerWords(answer)}`, {
    hint: 'Try again; if it stays so, log in again: buddy-tui login openai.',
    retryable: true,
  });
}

/** The error when nothing but a new login helps. */
export function loginAgain(message: string): BuddyError {
  return new BuddyError('model.auth', message, { hint: 'Log in again: buddy-tui login openai, or /login openai.' });
}

/** Null when the answer is no success. Every part of an answer to a renewal may be left out: the old one then holds. */
function loginFrom({ status, json }: IssuerAnswer, { issuer, clock }: IssuerContext, old: Login | null): Login | null {
  const accessToken = asText(json['access_token']) || (old?.accessToken ?? '');
  if (status < 200 || status > 299 || accessToken === '') return null;
  const nowMs = clock.now();
  const seconds = asNumber(json['expires_in']);
  const lifeMs = seconds === null ? lifetimeOf(accessToken, nowMs) : seconds * 1000;
  return {
    issuer: issuer.url,
    clientId: issuer.clientId,
    accessToken,
    refreshToken: asText(json['refresh_token']) || (old?.refreshToken ?? null),
    idToken: asText(json['id_token']) || (old?.idToken ?? null),
    expiresAtMs: lifeMs === null ? null : nowMs + Math.max(SHORTEST_LIFE_MS, lifeMs),
    renewedAtMs: nowMs,
  };
}

/** True when the access token has expired. */
export function isExpired({ expiresAtMs }: Login, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** True when the access token should be renewed before it is used. */
export function isDue({ expiresAtMs, renewedAtMs }: Login, nowMs: number): boolean {
  if (expiresAtMs === null) return nowMs - renewedAtMs >= UNKNOWN_LIFE_MS;
  // One that lives for two minutes is not to be renewed all the time.
  const early = Math.min(EARLY_MS, (expiresAtMs - renewedAtMs) / 2);
  return nowMs >= expiresAtMs - early;
}
