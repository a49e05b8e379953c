/** The first line of a stream of events: what the lines after it are. */

import type { RuntimeEventEnvelope } from '../protocol/events.js';
import { PROTOCOL_VERSION, type StreamHeader } from '../protocol/wire.js';

/** The line that goes before the first event of the runtime, with `seq` 0; null before any other event. */
export function headerBefore(
  { event, tsMs }: RuntimeEventEnvelope,
  about: Pick<StreamHeader, 'mode' | 'cwd' | 'notices'>,
): { readonly seq: 0; readonly tsMs: number; readonly event: StreamHeader } | null {
  if (event.type !== 'lifecycle.started') return null;
  const { version, session, target } = event;
  return { seq: 0, tsMs, event: { type: 'stream.header', protocol: PROTOCOL_VERSION, version, session, target, ...about } };
}
