/** Login with the browser of this machine: authorization code with PKCE (RFC 7636), answered to a server of ours on the loopback address. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { delay } from '../../../base/clock.js';
import { BuddyError } from '../../../base/errors.js';
import { systemCode } from '../../../base/files.js';
import { type LoopbackAnswer, type LoopbackRequest, type LoopbackServer, listenOnLoopback } from '../../../base/loopback-server.js';
import type { Login } from '../credentials.js';
import type { IssuerContext } from './issuer.js';
import { exchangeCode } from './tokens.js';

/** The only ports that the issuer sends a browser back to, the usual one first. */
export const CALLBACK_PORTS: readonly number[] = [1455, 1457];
const CALLBACK_PATH = '/auth/callback';
/** Another login that waits on the same port is asked to give up; it gets so many chances, so far apart. */
const CANCEL_TRIES = 10;
const CANCEL_PAUSE_MS = 200;
const CANCEL_LIMIT_MS = 2000;
const LIFE_MS = 5 * 60_000;
const SCOPE = 'openid profile email offline_access';
const ORIGINATOR = 'buddy_tui';

export interface BrowserLoginOptions {
  readonly ports: readonly number[];
  /** Shows the address, and opens a browser on it where there is one. */
  open(url: string): void;
  /** The address that the browser ended at, when a person brings it from another machine; null when nobody can. */
  readonly pasted: ((signal: AbortSignal) => Promise<string>) | null;
}

interface Attempt {
  readonly state: string;
  readonly verifier: string;
  readonly issuer: string;
}

/** Resolves with the login. Throws `auth.refused`, `auth.connection`, `auth.port`, an AbortError. */
export async function browserLogin(context: IssuerContext, options: BrowserLoginOptions, signal: AbortSignal): Promise<Login> {
  const attempt: Attempt = {
    state: randomBytes(32).toString('base64url'),
    verifier: randomBytes(64).toString('base64url'),
    issuer: context.issuer.url,
  };
  const ended = new AbortController();
  const onAbort = () => ended.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const callback = new Callback(attempt);
  const server = await serverFor(options, callback, context, ended.signal);
  try {
    const redirectUri = `http://localhost:${server?.port ?? options.ports[0]}${CALLBACK_PATH}`;
    options.open(authorizeUrl(context, attempt, redirectUri));
    const ways = [callback.code, expiry(context, ended.signal)];
    if (options.pasted !== null) ways.push(options.pasted(ended.signal).then((text) => codeIn(pastedQuery(text), attempt)));
    const code = await Promise.race(ways);
    return await exchangeCode(context, { code, verifier: attempt.verifier, redirectUri }, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
    ended.abort();
    await server?.close();
  }
}

function authorizeUrl({ issuer }: IssuerContext, { state, verifier }: Attempt, redirectUri: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: issuer.clientId,
    redirect_uri: redirectUri,
    scope: SCOPE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    id_token_add_organizations: 'true',
    codex_cli_simplified_flow: 'true',
    state,
    originator: ORIGINATOR,
  });
  return `${issuer.url}/oauth/authorize?${query}`;
}

/** What the browser brings back, once. */
class Callback {
  readonly code: Promise<string>;
  readonly #attempt: Attempt;
  #resolve: (code: string) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #isOver = false;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
    this.code = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.code.catch(() => undefined);
  }

  readonly answer = ({ path, query }: LoopbackRequest): LoopbackAnswer => {
    if (path === '/cancel') {
      this.#over(() => this.#reject(new BuddyError('auth.refused', 'The login was given up: another one was started on this machine')));
      return { status: 200, text: 'The login was cancelled.' };
    }
    if (path !== CALLBACK_PATH) return { status: 404, text: 'There is nothing here.' };
    if (this.#isOver) return { status: 400, text: 'This login is over.' };
    if (!isSame(query.get('state') ?? '', this.#attempt.state)) {
      return {
        status: 400,
        text: 'This answer does not belong to the login that waits here. Start from the address that the program shows.',
      };
    }
    try {
      const code = codeIn(query, this.#attempt);
      this.#over(() => this.#resolve(code));
      return { status: 200, text: 'The login has reached buddy-tui. You can close this page.' };
    } catch (thrown) {
      this.#over(() => this.#reject(thrown as Error));
      return { status: 400, text: `${(thrown as Error).message}.` };
    }
  };

  #over(settle: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    settle();
  }
}

/** Compared in constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** The code of a good answer. Throws `auth.refused`. */
function codeIn(query: URLSearchParams, { state, issuer }: Attempt): string {
  if (!isSame(query.get('state') ?? '', state)) {
    throw new BuddyError('auth.refused', 'The address does not belong to this login', {
      hint: 'Start the login again, and use the newest address.',
    });
  }
  const iss = query.get('iss');
  // RFC 9207: an answer of another issuer must not be taken to this one.
  if (iss !== null && iss.replace(/\/+$/, '') !== issuer) throw new BuddyError('auth.refused', 'The answer came from another issuer');
  const error = query.get('error');
  if (error !== null) {
    const words = query.get('error_description') ?? '';
    if (error === 'access_denied' && /missing_codex_entitlement/.test(words)) {
      throw new BuddyError('auth.refused', 'This account may not be used here: its workspace has no access to Codex', {
        hint: 'Ask the administrator of the workspace, or log in with another account.',
      });
    }
    throw new BuddyError('auth.refused', `The login was refused: ${(words || error).replace(/\s+/g, ' ').slice(0, 300)}`);
  }
  const code = query.get('code') ?? '';
  if (code !== '') return code;
  throw new BuddyError('auth.refused', 'The answer holds no code', { hint: 'Start the login again.' });
}

/** A whole address, or what stands behind its question mark. */
function pastedQuery(text: string): URLSearchParams {
  const line = text.trim();
  return URL.canParse(line) ? new URL(line).searchParams : new URLSearchParams(line.replace(/^[^?]*\?/, ''));
}

async function expiry({ clock }: IssuerContext, signal: AbortSignal): Promise<never> {
  await delay(clock, LIFE_MS, signal);
  throw new BuddyError('auth.refused', 'Nobody has logged in within 5 minutes', { hint: 'Start the login again.' });
}

/** Null when no port is free and the address can be pasted. */
async function serverFor(
  { ports, pasted }: BrowserLoginOptions,
  callback: Callback,
  context: IssuerContext,
  signal: AbortSignal,
): Promise<LoopbackServer | null> {
  for (const port of ports) {
    for (let attempt = 0; attempt <= CANCEL_TRIES; attempt++) {
      const server = await listenOnLoopback(port, callback.answer).catch((thrown: unknown) => {
        if (systemCode(thrown) === 'EADDRINUSE' || systemCode(thrown) === 'EACCES') return null;
        throw thrown;
      });
      if (server !== null) return server;
      if (attempt === 0) await askToGiveUp(port, context, signal);
      if (attempt < CANCEL_TRIES) await delay(context.clock, CANCEL_PAUSE_MS, signal);
    }
  }
  if (pasted !== null) return null;
  throw new BuddyError('auth.port', `The ports that a browser can come back to (${ports.join(', ')}) are in use`, {
    hint: 'End the program that uses them, or log in with a code: buddy-tui login openai --with device.',
  });
}

/** Whoever has the port may be no login at all, and may never answer. */
async function askToGiveUp(port: number, { fetch, clock }: IssuerContext, signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const limit = clock.after(CANCEL_LIMIT_MS, () => enough.abort());
  const stop = AbortSignal.any([signal, enough.signal]);
  await fetch(`http://127.0.0.1:${port}/cancel`, { redirect: 'manual', signal: stop }).catch(() => undefined);
  limit.dispose();
}
