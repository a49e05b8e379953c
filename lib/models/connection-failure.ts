/** What went wrong before a model server answered at all, as an error that says what to do. */

import { BuddyError } from '../base/errors.js';
import { ProxyError } from '../base/proxy.js';
import type { ModelProfile } from '../config/profiles.js';
import { type FailureContext, hostOf } from './failure.js';
import { asList, asObject } from './json.js';

const CONNECTION_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network cannot be reached',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
};

/** What an answer that is no HTTP is called here: the parser gives its error no code. */
const NO_HTTP = 'NO_HTTP';

/** The system's code of a failed fetch: it stands on the cause, or on the first of several. */
function networkCode(thrown: unknown): string {
  let at: unknown = thrown;
  for (let depth = 0; depth < 4; depth++) {
    const object = asObject(at);
    if (object === null) return '';
    if (typeof object['code'] === 'string') return object['code'];
    if (object['name'] === 'HTTPParserError') return NO_HTTP;
    at = asList(object['errors'])[0] ?? object['cause'];
  }
  return '';
}

/** What to do about a server whose certificate only its owner vouches for. */
const OWN_AUTHORITY = 'For a server that you trust, name the file of its authority in network.ca_file (or NODE_EXTRA_CA_CERTS).';

/** What is wrong with a certificate, and what can be done about it. */
const CERTIFICATES: Readonly<Record<string, readonly [string, string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is signed by itself', OWN_AUTHORITY],
  SELF_SIGNED_CERT_IN_CHAIN: ['nobody here knows the authority of its certificate', OWN_AUTHORITY],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['nobody here knows the authority of its certificate', OWN_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT: ['nobody here knows the authority of its certificate', OWN_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['nobody here knows the authority of its certificate', OWN_AUTHORITY],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another name', 'Write the name that the certificate is for in api_base_url.'],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Check the clock of this machine; if it is right, the server needs a new certificate.'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Check the clock of this machine: it seems to be slow.'],
};

/** The error for a request that got no answer at all. */
export function connectionFailure(thrown: unknown, { profile }: FailureContext): BuddyError {
  // Nothing was sent: the request itself could not be made as it was configured.
  if (thrown instanceof BuddyError) return thrown;
  if (thrown instanceof ProxyError && thrown.status !== null) return refusedByProxy(thrown.proxy, thrown.status, profile);
  const way = thrown instanceof ProxyError ? ` through the proxy ${thrown.proxy}` : '';
  const code = networkCode(thrown);
  const failed = (words: string, hint: string, retryable: boolean) =>
    new BuddyError('model.connection', `${profile.baseUrl} cannot be reached${way}: ${words}`, { hint, retryable, cause: thrown });
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new BuddyError('model.timeout', `${profile.baseUrl} cannot be reached${way}: no connection in time`, {
      retryable: true,
      cause: thrown,
    });
  }
  const certificate = CERTIFICATES[code];
  if (certificate !== undefined) return failed(certificate[0], certificate[1], false);
  if (/WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|EPROTO/.test(code)) {
    return failed('it does not speak TLS', 'If it is a server of your own, write http:// in api_base_url.', false);
  }
  if (code === NO_HTTP) return failed('what it answers is not HTTP', 'Check host and port of api_base_url; it may need https://.', false);
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : '';
  const hint =
    way === ''
      ? `Check that the server runs and that the base URL of profile ${profile.name} is right.`
      : `Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or name the host in NO_PROXY to go straight.`;
  return failed(CONNECTION_WORDS[code] ?? (cause || code || 'the request failed'), hint, true);
}

/** A proxy that was reached and does not let us through. */
function refusedByProxy(proxy: string, status: number, { baseUrl }: ModelProfile): BuddyError {
  const wantsName = status === 407;
  return new BuddyError('model.connection', `The proxy ${proxy} lets nobody through to ${hostOf(baseUrl)}: it answered ${status}`, {
    hint: wantsName
      ? 'It wants a name and a password: HTTPS_PROXY=http://name:password@host:port.'
      : 'Ask who runs the proxy, or name the host in NO_PROXY to go straight.',
    retryable: status === 429 || status >= 500,
  });
}
