/** What went wrong with a model server, as an error that says what to do. */

import { BuddyError, type ErrorCode } from '../base/errors.js';
import type { ModelProfile } from '../config/profiles.js';
import { asList, asObject, asText, type JsonObject, parseJson } from './json.js';
import { retryAfterMs } from './retry-after.js';

/** What is needed to speak of a failure. */
export interface FailureContext {
  readonly profile: ModelProfile;
  /** The key in use, so that it is never shown; '' for none. */
  readonly secret: string;
  /** Wall clock in milliseconds. */
  readonly nowMs: number;
}

const MESSAGE_LIMIT = 600;

/** Any error body as one object with `message`: `{error:{}}`, `{error:""}`, `{detail}`, `{message,code}`, `[{error:{}}]`, text. */
export function errorObject(body: unknown): JsonObject {
  const whole = Array.isArray(body) ? body[0] : body;
  if (typeof whole === 'string') return { message: whole };
  const outer = asObject(whole);
  if (outer === null) return { message: '' };
  const inner = outer['error'] ?? outer['detail'] ?? outer;
  if (typeof inner === 'string') return { message: inner };
  const listed = asObject(asList(inner)[0]);
  if (listed !== null) return { message: asText(listed['msg']) || JSON.stringify(listed) };
  const found = asObject(inner) ?? {};
  return typeof found['message'] === 'string' ? found : { ...found, message: asText(outer['message']) || JSON.stringify(found) };
}

/** True for a page meant for a browser. */
export function isHtml(text: string): boolean {
  return /^\s*(<!doctype html|<html|<head|<body|<\?xml)/i.test(text);
}

function oneLine(text: string, secret: string): string {
  const shown = secret.length > 3 ? text.replaceAll(secret, '(key)') : text;
  const line = shown.replace(/\s+/g, ' ').trim();
  return line.length > MESSAGE_LIMIT ? `${line.slice(0, MESSAGE_LIMIT)}…` : line;
}

/** What the server said, with what a router adds about the server behind it. */
function said(error: JsonObject, secret: string): string {
  const message = oneLine(asText(error['message']), secret);
  const raw = asText(asObject(error['metadata'])?.['raw']);
  const behind = raw === '' ? '' : oneLine(asText(errorObject(parseJson(raw) ?? raw)['message']), secret);
  return behind === '' || behind === message ? message : `${message} (${behind})`;
}

/** What servers call their failures in `code`, `type` or `status`, word for word. */
const NAMED: Readonly<Record<string, ErrorCode>> = Object.fromEntries(
  (
    [
      [
        'model.quota',
        'insufficient_quota insufficient_user_quota exceeded_current_quota_error usage_limit_reached usage_not_included',
        'billing_error billing_hard_limit_reached billing_not_active credit_balance_too_low',
      ],
      [
        'model.context',
        'context_length_exceeded context_window_exceeded string_above_max_length exceed_context_size_error request_too_large',
      ],
      // Groq could not read the call that the model wrote; asked again, it often writes a better one.
      ['model.call', 'tool_use_failed'],
      ['model.rate', 'rate_limit_exceeded rate_limit_error rate_limit_reached_error rate_limited too_many_requests RESOURCE_EXHAUSTED'],
      [
        'model.auth',
        'invalid_api_key authentication_error invalid_authentication_error permission_error permission_denied_error unauthorized',
        'account_deactivated token_expired UNAUTHENTICATED PERMISSION_DENIED',
      ],
      [
        'model.server',
        'overloaded_error engine_overloaded_error server_is_overloaded slow_down server_error api_error internal_error',
        'internal_server_error service_unavailable unavailable_error INTERNAL UNAVAILABLE InternalServerError',
      ],
      ['model.timeout', 'timeout_error timeout DEADLINE_EXCEEDED'],
      ['model.not-found', 'model_not_found not_found_error resource_not_found_error NOT_FOUND NotFoundError'],
    ] as const
  ).flatMap(([code, ...names]) => names.flatMap((list) => list.split(' ').map((name) => [name, code]))),
);
/** These say more than the status that they come with. */
const ABOVE_STATUS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['model.quota', 'model.context', 'model.call']);
/** Refusals that only their words tell from others; none of them is asked again, so a wrong guess costs no more than an advice. */
const CONTEXT_WORDS =
  /maximum context length|context (length|window|size|limit) (exceeded|of)|exceeds? (the |this model's )?(available |maximum )?context|exceed context limit|prompt is too long|input is too long/i;
const QUOTA_WORDS = /credit balance is too low/i;

function named(error: JsonObject): ErrorCode | undefined {
  return [error['code'], error['type'], error['status']]
    .map((word) => (typeof word === 'string' ? NAMED[word] : undefined))
    .find((code) => code !== undefined);
}

/** The class of an error that the server put into words; `status` 0 for one inside a stream. */
function codeOf(status: number, error: JsonObject): ErrorCode {
  const number = Number(error['code'] ?? error['status_code']);
  const effective = status < 400 && number >= 400 && number < 600 ? number : status;
  const code = named(error);
  if (code !== undefined && ABOVE_STATUS.has(code)) return code;
  const message = asText(error['message']);
  if (effective === 402) return 'model.quota';
  if (effective === 401 || effective === 403 || effective === 407) return 'model.auth';
  if (effective === 413) return 'model.context';
  if (effective < 429 || effective === 422) {
    if (CONTEXT_WORDS.test(message)) return 'model.context';
    if (QUOTA_WORDS.test(message)) return 'model.quota';
  }
  if (effective === 404 || (effective >= 400 && code === 'model.not-found')) return 'model.not-found';
  if (effective === 429) return 'model.rate';
  if (effective === 408) return 'model.timeout';
  if (effective >= 500) return 'model.server';
  if (effective >= 400) return 'model.request';
  return code ?? 'model.request';
}

const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model.rate',
  'model.server',
  'model.timeout',
  'model.connection',
  'model.call',
]);

function hintFor(code: ErrorCode, { profile }: FailureContext, error: JsonObject): string | undefined {
  const other = profile.api === 'chat' ? 'responses' : 'completions';
  switch (code) {
    case 'model.auth':
      return keyHint(profile);
    case 'model.quota':
      return 'The account has no credit or quota left; choose another profile with /model or see the provider.';
    case 'model.context':
      return 'The conversation is longer than the model can read; start a new session or choose a model with a larger window.';
    case 'model.call':
      return 'The model wrote a call that its server could not read; ask again, or choose another model with /model.';
    case 'model.not-found':
      if (/model/i.test(`${asText(error['code'])} ${asText(error['message'])}`)) {
        return `Check the model name "${profile.model}" of profile ${profile.name}; /model shows the others.`;
      }
      return `Check the address ${profile.baseUrl}; if it is right, the server may speak the other protocol: api = "${other}".`;
    default:
      return undefined;
  }
}

/** Where the key of `profile` comes from, as an advice. */
export function keyHint({ name, key }: ModelProfile): string {
  if (key?.kind === 'env') return `Check the key in ${key.name} (profile ${name}).`;
  if (key?.kind === 'file') return `Check the key in ${key.path} (profile ${name}).`;
  if (key?.kind === 'literal') return `Check api_key of profile ${name}.`;
  return `Give profile ${name} a key: api_key_env, api_key_file or api_key.`;
}

/** An HTML page where a model was expected. */
function htmlError(status: number, context: FailureContext): BuddyError {
  const again = status === 429 || status >= 500;
  const code: ErrorCode =
    status === 401 || status === 403 ? 'model.auth' : status === 404 ? 'model.not-found' : again ? 'model.server' : 'model.request';
  return new BuddyError(code, `${context.profile.baseUrl} answered with a web page (status ${status}), not as a model server`, {
    hint: 'Check the base URL: it must lead to the API, often with /v1 at its end; a proxy or a login page may stand in between.',
    retryable: again,
  });
}

/** The error for an answer with a status other than 2xx. */
export function statusFailure(status: number, headers: Headers, body: string, context: FailureContext): BuddyError {
  if (isHtml(body)) return htmlError(status, context);
  const error = errorObject(parseJson(body) ?? body);
  const code = codeOf(status, error);
  const words = said(error, context.secret);
  const hint = hintFor(code, context, error);
  const wait = retryAfterMs(headers, error, context.nowMs);
  return new BuddyError(code, `${hostOf(context.profile.baseUrl)} answered ${status}${words === '' ? '' : `: ${words}`}`, {
    ...(hint === undefined ? {} : { hint }),
    retryable: RETRYABLE.has(code) && headers.get('x-should-retry') !== 'false',
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** The error for an error object inside an answer that began well; final once something was shown. */
export function streamFailure(body: unknown, shown: boolean, context: FailureContext): BuddyError {
  const error = errorObject(body);
  const code = codeOf(0, error);
  const hint = hintFor(code, context, error);
  const wait = retryAfterMs(new Headers(), error, context.nowMs);
  return new BuddyError(code, `${hostOf(context.profile.baseUrl)} reports: ${said(error, context.secret) || 'an error without words'}`, {
    ...(hint === undefined ? {} : { hint }),
    retryable: RETRYABLE.has(code) && !shown,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** The error for a stream that broke off or cannot be read; it may be asked again only when nothing was shown. */
export function brokenStream(what: string, shown: boolean, context: FailureContext, cause?: unknown): BuddyError {
  return new BuddyError('model.stream', `The answer of ${hostOf(context.profile.baseUrl)} ${what}`, {
    hint: shown ? 'What came is kept; ask again to go on.' : 'Ask again.',
    retryable: !shown,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error for an answer that is neither a stream nor an answer of this protocol. */
export function strangeAnswer(body: string, context: FailureContext): BuddyError {
  if (isHtml(body)) return htmlError(200, context);
  const start = oneLine(body.slice(0, 200), context.secret);
  return new BuddyError('model.request', `${context.profile.baseUrl} does not answer as a model server; it says: ${start}`, {
    hint: 'Check the base URL: it must lead to the API, often with /v1 at its end.',
  });
}

/** The error for silence. */
export function silence(idleMs: number, shown: boolean, { profile }: FailureContext): BuddyError {
  return new BuddyError('model.timeout', `${hostOf(profile.baseUrl)} was silent for ${Math.round(idleMs / 1000)} s`, {
    hint: 'The limit is network.api_timeout_secs.',
    retryable: !shown,
  });
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

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

/** The system's code of a failed fetch: it stands on the cause, or on the first of several. */
function networkCode(thrown: unknown): string {
  let at: unknown = thrown;
  for (let depth = 0; depth < 4; depth++) {
    const object = asObject(at);
    if (object === null) return '';
    if (typeof object['code'] === 'string') return object['code'];
    at = asList(object['errors'])[0] ?? object['cause'];
  }
  return '';
}

/** The error for a request that got no answer at all. */
export function connectionFailure(thrown: unknown, { profile }: FailureContext): BuddyError {
  const code = networkCode(thrown);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new BuddyError('model.timeout', `${profile.baseUrl} cannot be reached: no connection in time`, {
      retryable: true,
      cause: thrown,
    });
  }
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code);
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : '';
  const words = certificate
    ? `its certificate is not accepted (${code})`
    : (CONNECTION_WORDS[code] ?? (cause || code || 'the request failed'));
  return new BuddyError('model.connection', `${profile.baseUrl} cannot be reached: ${words}`, {
    hint: certificate
      ? 'For a server with a certificate of your own, set NODE_EXTRA_CA_CERTS.'
      : `Check that the server runs and that the base URL of profile ${profile.name} is right.`,
    retryable: !certificate,
    cause: thrown,
  });
}
