/** Parts of a request that can be left out when a server refuses them: better an answer at once, or without figures, than none. */

import { errorObject } from './failure.js';
import { asList, asObject, asText, type JsonObject, parseJson } from './json.js';

/** The parts, by the name of their field. */
export type Concession = 'stream' | 'stream_options' | 'prompt_cache_key' | 'parallel_tool_calls';

/** Longer names first: a message about `stream_options` holds the word stream too. */
const FIELDS: readonly Concession[] = ['stream_options', 'prompt_cache_key', 'parallel_tool_calls', 'stream'];
/** Statuses of a request that was understood and not accepted; nothing was done and nothing is billed. */
const REFUSALS: ReadonlySet<number> = new Set([400, 405, 415, 422, 501]);
const NO =
  /not (be )?(supported|allowed|permitted|available|enabled|implemented|recognized)|unsupported|unrecognized|unknown|unexpected|does(n't| not) support|cannot stream|can't stream|disabled|forbidden|verified to stream|must be (set to )?false/i;
const STREAMING = /\bstream(ing)?\b/i;

/** The field that an error names: by its own name, or in the words of pydantic (`loc`). */
function namedField(body: unknown, error: JsonObject): string {
  const detail = asObject(asList(asObject(body)?.['detail'])[0]);
  const place = asList(detail?.['loc']).at(-1);
  return asText(error['param']) || asText(place);
}

/** What of the request an answer with `status` and `text` refuses, or null when it is nothing that can be left out. */
export function refusedBy(status: number, text: string): Concession | null {
  if (!REFUSALS.has(status)) return null;
  const body = parseJson(text);
  const error = errorObject(body ?? text);
  const field = namedField(body, error);
  const message = asText(error['message']);
  const exact = FIELDS.find((name) => name === field);
  if (exact !== undefined) return /must be (set to )?true/i.test(message) ? null : exact;
  if (field !== '' || !NO.test(message)) return null;
  return FIELDS.find((name) => (name === 'stream' ? STREAMING.test(message) : message.includes(name))) ?? null;
}

/** `body` without what was refused. */
export function withConcessions(body: JsonObject, conceded: ReadonlySet<Concession>): JsonObject {
  const { stream, ...rest } = body;
  const wholly = conceded.has('stream');
  const left = Object.entries(rest).filter(([key]) => !conceded.has(key as Concession) && !(wholly && key === 'stream_options'));
  return { ...Object.fromEntries(left), stream: wholly ? false : stream };
}
