/** What went wrong with a model server, as an error that says what to do. */

import { BuddyError, type ErrorCode } from '../base/errors.js';
import { visibleLine } from '../base/visible.js';
import type { ModelProfile } from '../config/profiles.js';
import { codeOf } from './failure-class.js';
import { asList, asObject, asText, type JsonObject, parseJson } from './json.js';
import { retryAfterMs } from './retry-after.js';

/** What is needed to speak of a failure. */
export interface FailureContext {
  readonly profile: ModelProfile;
  /** The key in use and what else must never be shown. */
  readonly secrets: readonly string[];
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

function oneLine(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((so, secret) => so.replaceAll(secret, '(key)'), text);
  // A server may say anything, also what no sentence holds: NUL, escape sequences.
  const line = visibleLine(shown.replace(/\s+/g, ' ').trim());
  return line.length > MESSAGE_LIMIT ? `${line.slice(0, MESSAGE_LIMIT)}…` : line;
}

/** What the server said, with what a router adds about the server behind it. */
function said(error: JsonObject, secrets: readonly string[]): string {
  const message = oneLine(asText(error['message']), secrets);
  const raw = asText(asObject(error['metadata'])?.['raw']);
  const behind = raw === '' ? '' : oneLine(asText(errorObject(parseJson(raw) ?? raw)['message']), secrets);
  return behind === '' || behind === message ? message : `${message} (${behind})`;
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
      return hasVersion(profile.baseUrl)
        ? `Check the address ${profile.baseUrl}; if it is right, the server may speak another protocol: api = "${other}".`
        : `The address has no version at its end: write api_base_url = "${withVersion(profile.baseUrl)}".`;
    default:
      return undefined;
  }
}

/** The last part of most addresses: /v1, /v4, /v1beta/openai. */
function hasVersion(baseUrl: string): boolean {
  return /\/v\d/.test(new URL(baseUrl).pathname);
}

function withVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1`;
  return url.href;
}

/** Where the key of `profile` comes from, as an advice. */
export function keyHint({ name, key, auth }: ModelProfile): string {
  if (auth === 'login') return 'Log in again: buddy-tui login openai, or /login openai.';
  if (key?.kind === 'env') return `Check the key in ${key.name} (profile ${name}).`;
  if (key?.kind === 'file') return `Check the key in ${key.path} (profile ${name}).`;
  if (key?.kind === 'command') return `Check what api_key_command of profile ${name} prints.`;
  if (key?.kind === 'literal') return `Check api_key of profile ${name}.`;
  return `Give profile ${name} a key: api_key_env, api_key_file or api_key, or store one with "buddy-tui login".`;
}

/** An HTML page where a model was expected. */
function htmlError(status: number, context: FailureContext): BuddyError {
  const again = status === 429 || status >= 500;
  const code: ErrorCode =
    status === 401 || status === 403 ? 'model.auth' : status === 404 ? 'model.not-found' : again ? 'model.server' : 'model.request';
  return new BuddyError(code, `${context.profile.baseUrl} answered with a web page (status ${status}), not as a model server`, {
    hint: hasVersion(context.profile.baseUrl)
      ? 'Check the base URL: it must lead to the API; a proxy or a login page may stand in between.'
      : `The base URL has no version at its end: write api_base_url = "${withVersion(context.profile.baseUrl)}".`,
    retryable: again,
  });
}

/** A redirect: nobody follows it with a key in hand. */
function redirected(status: number, location: string | null, { profile }: FailureContext): BuddyError {
  const target = location !== null && URL.canParse(location, profile.baseUrl) ? new URL(location, profile.baseUrl).href : null;
  const address = target?.replace(/\/(chat\/completions|responses|messages)\/?(\?.*)?$/, '') ?? null;
  return new BuddyError('model.request', `${profile.baseUrl} answered ${status}: it has moved${address === null ? '' : ` to ${address}`}`, {
    hint:
      address === null || address === profile.baseUrl
        ? 'Check api_base_url; a login page may stand in between.'
        : `If you trust it, write api_base_url = "${address}".`,
  });
}

/** The error for an answer with a status other than 2xx. */
export function statusFailure(status: number, headers: Headers, body: string, context: FailureContext): BuddyError {
  if (status >= 300 && status < 400) return redirected(status, headers.get('location'), context);
  if (isHtml(body)) return htmlError(status, context);
  const error = errorObject(parseJson(body) ?? body);
  const code = codeOf(status, error);
  const words = said(error, context.secrets);
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
  return new BuddyError(code, `${hostOf(context.profile.baseUrl)} reports: ${said(error, context.secrets) || 'an error without words'}`, {
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

/** The error for an answer that does not end: it is given up. What was too long in one piece may be a fault of the line, and is asked for again. */
export function tooLong(what: 'event' | 'answer', mostBytes: number, shown: boolean, { profile }: FailureContext): BuddyError {
  const host = hostOf(profile.baseUrl);
  const [said, setting] =
    what === 'event'
      ? [`holds a line or an event of more than ${mostBytes / 1024} KiB`, 'limits.stream_event_kib (/limits event)']
      : [`is longer than ${mostBytes / 1024 / 1024} MiB`, 'limits.stream_total_mib (/limits answer)'];
  return new BuddyError('model.stream', `The answer of ${host} ${said}, and was given up`, {
    hint: `${shown ? 'What came is kept. ' : ''}The limit is ${setting}.`,
    retryable: what === 'event' && !shown,
  });
}

/** The error for an answer that is neither a stream nor an answer of this protocol. */
export function strangeAnswer(body: string, context: FailureContext): BuddyError {
  if (isHtml(body)) return htmlError(200, context);
  const start = oneLine(body.slice(0, 200), context.secrets);
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

/** Host and port of an address, for a sentence. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
