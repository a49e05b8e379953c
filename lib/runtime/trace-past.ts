/** The past of a resumed session as a trace has it: its end. All of it is in the session's own file, and may be larger than any trace. Pure. */

import type { PastEvent, RuntimeEvent } from '../protocol/events.js';

/** Events that bring an earlier conversation back. */
type WithPast = Extract<RuntimeEvent, { readonly past: readonly PastEvent[] }>;

/** Of JSON. Some hundred turns; and no key waits for it to be written. */
const MOST_CHARACTERS = 1 << 20;

/** The event with so much of its past as is written; a warning in it tells how much is not. The very same when all is. */
export function withoutOldPast<Event extends WithPast>(event: Event): Event {
  const { past } = event;
  const first = firstKept(past);
  if (first === 0) return event;
  const kept = past.slice(first);
  const message = `${first} earlier events of this session are not in the trace: they are in its own file.`;
  const { tsMs } = kept[0] ?? past[first - 1] ?? { tsMs: 0 };
  return { ...event, past: [{ tsMs, event: { type: 'warning', message } }, ...kept] };
}

/** Where the newest ones that there is room for begin, if it can be where a task does. */
function firstKept(past: readonly PastEvent[]): number {
  let room = MOST_CHARACTERS;
  let first = past.length;
  for (; first > 0; first--) {
    room -= JSON.stringify(past[first - 1]).length;
    if (room < 0) break;
  }
  if (first === 0) return 0;
  const task = past.findIndex(({ event }, at) => at >= first && event.type === 'task.started');
  return task < 0 ? first : task;
}
