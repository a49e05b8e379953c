/** The fetch of servers that are reached over HTTP: an answer that grows without end is cut off while it is read. */

import type { Fetch } from '../base/http.js';

const LF = 0x0a;
const CR = 0x0d;

/**
 * The same fetch. A stream of events may last as long as it likes, and no event of it may be longer than `mostBytes`; no other answer may
 * be. `onExcess` is told, and reading it fails.
 */
export function cappedFetch(fetch: Fetch, mostBytes: number, onExcess: (says: string) => void): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const { body, status, statusText, headers } = answer;
    if (body === null) return answer;
    const isStream = (headers.get('content-type') ?? '').includes('text/event-stream');
    let bytes = 0;
    let last: Uint8Array = new Uint8Array();
    const counted = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const joined = isStream ? Buffer.concat([last, chunk]) : chunk;
          const end = isStream ? endOfEvent(joined) : -1;
          bytes = end < 0 ? bytes + chunk.length : joined.length - end - 1;
          last = isStream ? joined.slice(-2) : last;
          if (bytes <= mostBytes) return controller.enqueue(chunk);
          const says = `it sent a message of more than ${Math.round(mostBytes / (1024 * 1024))} MiB`;
          onExcess(says);
          controller.error(new Error(says));
        },
      }),
    );
    return new Response(counted, { status, statusText, headers });
  };
}

/** Where the last empty line ends (WHATWG HTML, "Interpreting an event stream": LF, CR or both end a line); -1: there is none. */
function endOfEvent(bytes: Uint8Array): number {
  const isEnd = (at: number) => bytes[at] === LF || bytes[at] === CR;
  for (let at = bytes.length - 1; at > 0; at--) {
    if (!isEnd(at)) continue;
    const before = bytes[at] === LF && bytes[at - 1] === CR ? at - 2 : at - 1;
    if (isEnd(before)) return at;
  }
  return -1;
}
