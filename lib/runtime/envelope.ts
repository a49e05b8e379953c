/** The envelope around every tool result that a model sees (seed format). */

import { withUnseenNamed } from '../base/visible.js';

/** `{"harness_timestamp":{"source":"harness","unix_millis":N},"result":…}`. */
export function toolEnvelope(result: unknown, nowMs: number): string {
  return withUnseenNamed(JSON.stringify({ harness_timestamp: { source: 'harness', unix_millis: nowMs }, result }));
}

/** The same for a result that is longer than that: its beginning and its end as text. `mostBytes` are those of both together. */
export function cutEnvelope(result: unknown, mostBytes: number, nowMs: number): string {
  const bytes = Buffer.from(JSON.stringify(result), 'utf8');
  const half = Math.floor(mostBytes / 2);
  const beginning = bytes
    .subarray(0, half)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  const end = bytes
    .subarray(bytes.length - half)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
  const note = `It has ${bytes.length} bytes; only its beginning and its end are here. Ask for less, or for a piece of it.`;
  return toolEnvelope({ truncated_by_harness: true, note, beginning, end }, nowMs);
}
