/** What the tokens of a login say about it (JSON Web Tokens, RFC 7519). Nothing is decided by it: the issuer has checked them. */

import { asNumber, asObject, asText, type JsonObject, parseJson } from '../../json.js';
import type { Login } from '../credentials.js';

/** Whose login it is; '' for what is not said. */
export interface Claims {
  readonly account: string;
  readonly plan: string;
  readonly email: string;
}

/** The claims of a token; empty when it is none. */
export function payloadOf(token: string): JsonObject {
  const [, payload = ''] = token.split('.');
  return asObject(parseJson(Buffer.from(payload, 'base64url').toString('utf8'))) ?? {};
}

/** Of the id token, and what it leaves out of the access token. */
export function claimsOf({ idToken, accessToken }: Pick<Login, 'idToken' | 'accessToken'>): Claims {
  const payloads = [payloadOf(idToken ?? ''), payloadOf(accessToken)];
  const first = (pick: (payload: JsonObject) => unknown) =>
    payloads.map((payload) => asText(pick(payload))).find((text) => text !== '') ?? '';
  const auth = (payload: JsonObject) => asObject(payload['https://api.openai.com/auth']);
  return {
    account: first((payload) => auth(payload)?.['chatgpt_account_id']),
    plan: first((payload) => auth(payload)?.['chatgpt_plan_type']),
    email: first((payload) => payload['email']) || first((payload) => asObject(payload['https://api.openai.com/profile'])?.['email']),
  };
}

/** How long a token lives, in milliseconds; measured by the issuer's own clock, ours may be wrong. Null when it does not say. */
export function lifetimeOf(token: string, nowMs: number): number | null {
  const payload = payloadOf(token);
  const until = asNumber(payload['exp']);
  if (until === null) return null;
  return until * 1000 - (asNumber(payload['iat']) ?? nowMs / 1000) * 1000;
}
