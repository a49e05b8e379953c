/** Login with a code that is typed into a browser anywhere: for a machine without one. */

import { delay } from '../../../base/clock.js';
import { BuddyError, isAbort } from '../../../base/errors.js';
import { asText } from '../../json.js';
import type { Login } from '../credentials.js';
import { answerWords, type IssuerAnswer, type IssuerContext, postToIssuer } from './issuer.js';
import { exchangeCode } from './tokens.js';

const ACCOUNTS = '/api/accounts/deviceauth';
const LIFE_MS = 15 * 60_000;
const USUAL_INTERVAL_S = 5;
const SHORTEST_INTERVAL_S = 1;
/** RFC 8628, 3.5: what `slow_down` adds. */
const SLOWER_MS = 5_000;

/** A code, and where a person is to type it. */
export interface DeviceCode {
  readonly userCode: string;
  /** An address of the issuer itself, never one that it sent. */
  readonly page: string;
  readonly deviceId: string;
  readonly intervalMs: number;
  /** Monotonic clock. */
  readonly endMs: number;
}

/** Asks for a code. Throws `auth.refused`, `auth.connection`. */
export async function requestDeviceCode(context: IssuerContext, signal: AbortSignal): Promise<DeviceCode> {
  const { issuer, clock } = context;
  const answer = await postToIssuer(context, `${ACCOUNTS}/usercode`, { json: { client_id: issuer.clientId } }, signal);
  const { json, status } = answer;
  if (status === 404) {
    throw new BuddyError('auth.refused', `${issuer.url} does not offer logins with a code`, {
      hint: 'Log in with the browser on this machine: buddy-tui login openai --with browser.',
    });
  }
  const deviceId = asText(json['device_auth_id']);
  const userCode = asText(json['user_code']) || asText(json['usercode']);
  if (status !== 200 || deviceId === '' || userCode === '') {
    throw new BuddyError('auth.refused', `${issuer.url} gave no code: it answered ${answerWords(answer)}`, { hint: 'Try again later.' });
  }
  const interval = Number(json['interval'] ?? USUAL_INTERVAL_S);
  const seconds = Number.isFinite(interval) ? Math.min(60, Math.max(SHORTEST_INTERVAL_S, interval)) : USUAL_INTERVAL_S;
  return { userCode, deviceId, page: `${issuer.url}/codex/device`, intervalMs: seconds * 1000, endMs: clock.monotonic() + LIFE_MS };
}

/** Waits until the person has typed the code. Throws `auth.refused` when it was denied or has expired, an AbortError. */
export async function awaitDeviceLogin(context: IssuerContext, code: DeviceCode, signal: AbortSignal): Promise<Login> {
  const { issuer, clock } = context;
  let waitMs = code.intervalMs;
  for (;;) {
    await delay(clock, waitMs, signal);
    if (clock.monotonic() >= code.endMs) throw expired();
    const answer = await poll(context, code, signal);
    if (answer === null) continue;
    const { status, json } = answer;
    if (status === 200) {
      const exchange = {
        code: asText(json['authorization_code']),
        verifier: asText(json['code_verifier']),
        redirectUri: `${issuer.url}/deviceauth/callback`,
      };
      return exchangeCode(context, exchange, signal);
    }
    if (answer.code === 'slow_down' || status === 429) waitMs += SLOWER_MS;
    else if (answer.code === 'expired_token') throw expired();
    else if (answer.code === 'access_denied') throw new BuddyError('auth.refused', 'The login was refused in the browser');
    else if (status !== 403 && status !== 404 && status < 500 && answer.code !== 'authorization_pending') {
      throw new BuddyError('auth.refused', `${issuer.url} ended the login: it answered ${answerWords(answer)}`, {
        hint: 'Start the login again.',
      });
    }
  }
}

/** Null when the issuer could not be reached this time: the code is good for minutes, a network may be away for seconds. */
async function poll(context: IssuerContext, { deviceId, userCode }: DeviceCode, signal: AbortSignal): Promise<IssuerAnswer | null> {
  try {
    return await postToIssuer(context, `${ACCOUNTS}/token`, { json: { device_auth_id: deviceId, user_code: userCode } }, signal);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return null;
  }
}

function expired(): BuddyError {
  return new BuddyError('auth.refused', 'The code has expired before it was used', {
    hint: 'Start the login again; a code is good for 15 minutes.',
  });
}
