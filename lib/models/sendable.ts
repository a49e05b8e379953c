/** Names, ids and arguments as servers accept them: one that comes from elsewhere in the history must not spoil every later request. */

import { createHash } from 'node:crypto';
import type { ModelProfile } from '../config/profiles.js';
import { dialectOf } from './dialects.js';
import { asObject, parseJson } from './json.js';

/**
 * `value` with every half of a surrogate pair that stands alone made U+FFFD: no server can read a body with one in it. They come from text
 * that was cut, and from models that write one.
 */
export function sendableText<T>(value: T): T {
  return wellFormed(value) as T;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}

/** Escapes in JSON that may stand for half a pair. */
const HALF = /\\u[dD][89a-fA-F]/;

/** Arguments as a JSON object: some servers parse them and fail on anything else. */
export function sendableArguments(argsText: string): string {
  const args = asObject(parseJson(argsText));
  if (args === null) return '{}';
  return HALF.test(argsText) ? JSON.stringify(sendableText(args)) : argsText;
}

/** A name of letters, digits, `_` and `-`, at most 64 (OpenAI's limit, the narrowest). */
export function sendableName(name: string): string {
  const fit = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return fit === '' ? 'unknown' : fit;
}

/** `id` when the server of `profile` accepts it, else one made of it that is always the same. */
export function sendableId(id: string, profile: ModelProfile): string {
  const { pattern, length } = dialectOf(profile).ids;
  if (pattern.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, length);
}
