/** The class of a failure: by what the server calls it, word for word, and by its status. */

import type { ErrorCode } from '../base/errors.js';
import { asText, type JsonObject } from './json.js';

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
export function codeOf(status: number, error: JsonObject): ErrorCode {
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
