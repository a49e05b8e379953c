/** The one error type that crosses rooms. Everything a user may read is in `message` and `hint`. */

/** Stable, dotted codes: `config.syntax`, `model.auth`, `target.lost`. The part before the dot names the room. */
export type ErrorCode = `${string}.${string}`;

/** What a BuddyError is made of besides its message. */
export interface ErrorDetails {
  /** What the user can do about it, as one sentence. */
  readonly hint?: string;
  /** True when the same call may succeed if it is simply made again. */
  readonly retryable?: boolean;
  /** How long to wait before a second try, when somebody said so (milliseconds). */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** An expected failure: shown as a sentence, never with a stack trace. */
export class BuddyError extends Error {
  override readonly name = 'BuddyError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Any thrown value as a BuddyError; one that already is comes back untouched. */
export function asBuddyError(thrown: unknown, code: ErrorCode): BuddyError {
  if (thrown instanceof BuddyError) return thrown;
  return new BuddyError(code, messageOf(thrown), { cause: thrown });
}

/** The message of any thrown value. Errors are told by their shape, since those of another realm are no `Error` of ours. */
export function messageOf(thrown: unknown): string {
  return hasText(thrown, 'message') ? thrown.message : String(thrown);
}

/** True when `value` is an object with a string under `key`. */
export function hasText<K extends string>(value: unknown, key: K): value is Readonly<Record<K, string>> {
  return (
    typeof value === 'object' && value !== null && key in value && typeof (value as Readonly<Record<string, unknown>>)[key] === 'string'
  );
}

/** True for the error that an aborted operation rejects with, whatever library threw it. */
export function isAbort(thrown: unknown): boolean {
  return hasText(thrown, 'name') && (thrown.name === 'AbortError' || thrown.name === 'APIUserAbortError');
}

/** The error to reject with when `signal` has fired. */
export function abortError(): Error {
  const error = new Error('cancelled');
  error.name = 'AbortError';
  return error;
}

/** The process exit codes of the program (design §10; 129, 130, 143 are 128 + signal number). */
export const exitCodes = { ok: 0, failed: 1, usage: 2, bug: 70, hangup: 129, interrupted: 130, terminated: 143 } as const;
