/** The door to the MCP servers: whoever has them. The runtime hands their commands on, and tells what comes back. */

import type { Event } from '../base/emitter.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { McpCommand } from '../protocol/mcp.js';

/** All servers of a run. */
export interface ServerControl {
  /** Why it is refused, or null. */
  perform(command: McpCommand, signal: AbortSignal): string | null;
  readonly onEvent: Event<RuntimeEvent>;
  /** Tells how they stand, when there are any. */
  announce(): void;
  /** Ends all of them. Resolves within two seconds, whatever they do. */
  close(): Promise<void>;
}
