/** The envelope around every tool result that a model sees (seed format). */

/** `{"harness_timestamp":{"source":"harness","unix_millis":N},"result":…}`. */
export function toolEnvelope(result: unknown, nowMs: number): string {
  return JSON.stringify({ harness_timestamp: { source: 'harness', unix_millis: nowMs }, result });
}
