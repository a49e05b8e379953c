/** Names, ids and arguments as servers accept them: one that comes from elsewhere in the history must not spoil every later request. */

import { createHash } from 'node:crypto';
import type { ModelProfile } from '../config/profiles.js';
import { dialectOf } from './dialects.js';
import { asObject, parseJson } from './json.js';

/** Arguments as a JSON object: some servers parse them and fail on anything else. */
export function sendableArguments(argsText: string): string {
  return asObject(parseJson(argsText)) === null ? '{}' : argsText;
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
