/** How long a server asks to be left alone. */

import type { JsonObject } from './json.js';
import { asList, asObject, asText } from './json.js';

function fromSeconds(text: string): number | undefined {
  const seconds = Number(text);
  return text.trim() !== '' && Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
}

/**
 * Milliseconds from `retry-after-ms` (OpenAI), `retry-after` (RFC 9110: seconds or a date), the body's RetryInfo (Google),
 * or the words `try again in 1.3s` (OpenAI); undefined when nothing is said. `nowMs` is the wall clock.
 */
export function retryAfterMs(headers: Headers, error: JsonObject, nowMs: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const header = headers.get('retry-after');
  if (header !== null) {
    const seconds = fromSeconds(header);
    if (seconds !== undefined) return seconds;
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - nowMs);
  }
  for (const detail of asList(error['details'])) {
    const delay = /^([\d.]+)s$/.exec(asText(asObject(detail)?.['retryDelay']));
    if (delay !== null) return fromSeconds(delay[1] ?? '');
  }
  const words = /try again in ([\d.]+)\s*(ms|s)\b/i.exec(asText(error['message']));
  if (words === null) return undefined;
  return words[2]?.toLowerCase() === 'ms' ? Math.ceil(Number(words[1])) : fromSeconds(words[1] ?? '');
}
