/** The words on the line: what `exec --json` and `rpc` write and `rpc` reads, one JSON object a line. */

import type { ApprovalPolicy, ApprovalRequest } from './approvals.js';
import type { RuntimeCommand, TaskId } from './commands.js';
import type { ModelSummary, QueuedText, RuntimeEvent, RuntimeEventEnvelope } from './events.js';
import type { OfferedCommand } from './offered.js';
import type { PaneId, PaneState, TargetSummary } from './panes.js';
import type { ListedRule } from './rules.js';
import type { SessionId } from './sessions.js';

/**
 * The version of all this. It stays when types, fields and commands are added, so that whoever reads has to pass over what they do not know;
 * another meaning, or less, is another version.
 */
export const PROTOCOL_VERSION = 1;

/** A line of a client that is longer is not read (bytes). */
export const MOST_LINE_BYTES = 16 * 1024 * 1024;

/** The first event of a stream, with `seq` 0: what the lines after it are. */
export interface StreamHeader {
  readonly type: 'stream.header';
  readonly protocol: typeof PROTOCOL_VERSION;
  readonly mode: 'exec' | 'rpc';
  /** Of the program. */
  readonly version: string;
  readonly session: SessionId;
  /** Of the program; commands run in that of the target. */
  readonly cwd: string;
  readonly target: TargetSummary;
  /** What a person should know of configuration and target. */
  readonly notices: readonly string[];
}

/** The last event of `exec --json`: what the run took. Figures that no server gave are null, or guessed for `estimated` answers. */
export interface ExecUsageEvent {
  readonly type: 'exec.usage';
  readonly model: string | null;
  readonly requests: number;
  readonly estimated: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  /** Answers of which no price is known. */
  readonly unpriced: number;
  /** Dollars; null: no price is known. */
  readonly cost: number | null;
}

/** What tells one request of a client from another; it comes back with the reply. */
export type RequestId = string | number;

/** What a client asks of the line itself. */
export type ControlRequest =
  /** Refused when the program speaks another version. Nobody has to ask. */
  | { readonly type: 'hello'; readonly protocol: number }
  /** How everything stands, in one piece. */
  | { readonly type: 'state.tell' };

/** One line of a client, but for its `id`. */
export type WireRequest = RuntimeCommand | ControlRequest;

/** Why a request was not taken. */
export interface WireProblem {
  /** `rpc.line`, `rpc.command`, `rpc.field`, `rpc.protocol`; `rpc.refused`: it was understood, and cannot be done now. */
  readonly code: string;
  readonly message: string;
  /** Of `rpc.field`: which one, as `size.cols`. */
  readonly field?: string;
}

/** What a reply holds besides yes. */
export type ReplyData =
  /** Of `hello`. */
  | {
      readonly protocol: typeof PROTOCOL_VERSION;
      readonly version: string;
      readonly commands: readonly string[];
      readonly events: readonly string[];
    }
  /** Of a command that began a task. */
  | { readonly task: TaskId }
  /** Of `state.tell`. */
  | WireState;

/** The answer to a line of a client: one for each that is not blank. Null where the line did not say it in a way that could be read. */
export type WireReply = {
  readonly type: 'response';
  readonly id: RequestId | null;
  readonly command: WireRequest['type'] | null;
} & ({ readonly ok: true; readonly data?: ReplyData } | { readonly ok: false; readonly error: WireProblem });

/** A line of the program. */
export type WireLine = RuntimeEventEnvelope | { readonly seq: 0; readonly tsMs: number; readonly event: StreamHeader } | WireReply;

/** A task that has not ended. */
export type RunningTask = Pick<Extract<RuntimeEvent, { readonly type: 'task.started' }>, 'task' | 'kind' | 'text' | 'pane'>;

/** A pane that is there. */
export interface OpenPane {
  readonly pane: PaneId;
  readonly title: string;
  /** Null: it was not told yet. */
  readonly state: PaneState | null;
}

/** How everything stands after the event `seq`. */
export interface WireState {
  readonly seq: number;
  readonly session: SessionId;
  /** Given by a person; null: none was. */
  readonly name: string | null;
  readonly model: ModelSummary;
  readonly profiles: readonly ModelSummary[];
  /** Those that are not built in. */
  readonly commands: readonly OfferedCommand[];
  readonly target: TargetSummary;
  readonly policy: ApprovalPolicy;
  readonly rules: readonly ListedRule[];
  readonly tasks: readonly RunningTask[];
  readonly queue: readonly QueuedText[];
  /** The questions that wait, the oldest first. */
  readonly approvals: readonly ApprovalRequest[];
  readonly panes: readonly OpenPane[];
  /** Null: not known. */
  readonly context: { readonly usedTokens: number; readonly windowTokens: number } | null;
}
