/** The fetch of servers that are reached over HTTP: an answer that grows without end is cut off while it is read. */

import type { Fetch } from '../base/http.js';

/**
 * The same fetch. A stream of events may last as long as it likes, and no line of it may be longer than `mostBytes`; no other answer may
 * be. `onExcess` is told, and reading it fails.
 */
export function cappedFetch(fetch: Fetch, mostBytes: number, onExcess: (says: string) => void): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const { body, status, statusText, headers } = answer;
    if (body === null) return answer;
    const isStream = (headers.get('content-type') ?? '').includes('text/event-stream');
    let bytes = 0;
    const counted = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const end = isStream ? chunk.lastIndexOf(0x0a) : -1;
          bytes = end < 0 ? bytes + chunk.length : chunk.length - end - 1;
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
