/** What has happened, in the past tense: the only thing a front end learns from. */

import type { ApprovalDecision, ApprovalId, ApprovalPolicy, ApprovalRequest, FileDiff } from './approvals.js';
import type { RuntimeCommand, TaskId } from './commands.js';
import type { ExtensionConflict, ExtensionInfo, ExtensionWidget, OfferedKey } from './extensions.js';
import type { LimitStatus } from './limits.js';
import type { McpServerStatus } from './mcp.js';
import type { MentionChoice } from './mentions.js';
import type { AssistantMessage, Attachment, Usage } from './messages.js';
import type { OfferedCommand } from './offered.js';
import type { PaneCommand, PaneId, PaneScreen, PaneScrollback, PaneState, TargetSummary } from './panes.js';
import type { ListedRule } from './rules.js';
import type { SessionId, SessionPreview, SessionSummary } from './sessions.js';
import type { ModelPrices, Spent } from './spent.js';
import type { EntryId, TreeEntry } from './tree.js';

/** What a model costs is a part of what is told of it. */
export type { ModelPrices };

/** A model as a person knows it. */
export interface ModelSummary {
  /** Key of the profile in buddy.toml. */
  readonly profile: string;
  /** Name of the model as the server knows it. */
  readonly model: string;
  readonly api: 'chat' | 'responses' | 'anthropic' | 'demo';
  readonly contextTokens: number;
  /** Left out when they are not known. */
  readonly prices?: ModelPrices;
  /** Whether it takes pictures; left out when that is not known, and none are sent then. */
  readonly images?: boolean;
  /** How much it is told to think; left out: it is not told. */
  readonly effort?: string;
  /** How much it can be told to think; left out when that is not known. */
  readonly efforts?: readonly string[];
  /** The extension that brings it; left out: none does. */
  readonly extension?: string;
  /** The profile that this one is but for its effort. */
  readonly variantOf?: string;
}

/** A text that waits for its turn. */
export interface QueuedText {
  readonly id: string;
  readonly text: string;
  readonly mode: 'steer' | 'follow-up';
}

/** What can fill the context window of a model. */
export type ContextKind = (typeof contextKinds)[number];

/** In the order in which a request holds them. */
export const contextKinds = ['instructions', 'tools', 'prompts', 'answers', 'results', 'terminal'] as const;

/** One part of what the next request would hold. */
export interface ContextPart {
  readonly kind: ContextKind;
  readonly tokens: number;
  /** How many there are; null where that says nothing. */
  readonly count: number | null;
}

/** How a task ended. */
export type TaskOutcome = 'completed' | 'failed' | 'cancelled' | 'timed-out';

/** The end of a task's output. */
export interface TaskOutput {
  /** Raw text, escape sequences still in it. */
  readonly text: string;
  /** Bytes before it. */
  readonly offset: number;
  /** Bytes of all of it. */
  readonly total: number;
  /** Where all of it can be read (`read_output`); null: nowhere. */
  readonly id: string | null;
}

export type RuntimeEvent =
  | {
      readonly type: 'lifecycle.started';
      readonly agent: string;
      readonly session: string;
      readonly model: ModelSummary;
      readonly profiles: readonly ModelSummary[];
      readonly target: TargetSummary;
      readonly policy: ApprovalPolicy;
      readonly version: string;
    }
  | { readonly type: 'lifecycle.stopping' }
  /** `kept`: the tmux session was left behind. */
  | { readonly type: 'lifecycle.stopped'; readonly kept: boolean }
  | { readonly type: 'session.started'; readonly session: string }
  /** A kept session goes on; `past` is what happened in it, the oldest first. */
  | {
      readonly type: 'session.resumed';
      readonly session: SessionId;
      readonly name: string | null;
      /** It goes on as a copy of that one. */
      readonly copyOf: SessionId | null;
      readonly past: readonly PastEvent[];
      /** What it has used before; left out: that is not known. */
      readonly spent?: Spent;
    }
  /** The newest first. */
  | { readonly type: 'session.listed'; readonly sessions: readonly SessionSummary[] }
  /** `session`: another one than that in use. */
  | { readonly type: 'session.renamed'; readonly name: string; readonly session?: SessionId }
  | { readonly type: 'session.deleted'; readonly session: SessionId; readonly movedTo: string }
  | { readonly type: 'session.previewed'; readonly preview: SessionPreview }
  /** All of the session in use, in the order of its file; `leaf`: where it goes on, null before all of them. */
  | { readonly type: 'tree.told'; readonly entries: readonly TreeEntry[]; readonly leaf: EntryId | null }
  /** The session goes on from an earlier place; `past` is what leads there, `text` the prompt that can be asked anew. */
  | { readonly type: 'session.branched'; readonly past: readonly PastEvent[]; readonly text: string | null }
  /** `entry` has that label now; '': none. */
  | { readonly type: 'session.labelled'; readonly entry: EntryId; readonly label: string }
  | { readonly type: 'session.exported'; readonly path: string }
  /** Is the session written down? `trouble`: why not; it stays in memory then, and is written once that is over. */
  | { readonly type: 'session.storage'; readonly session: SessionId; readonly trouble: string | null }
  /** `task`: of one that had begun already: the pane would not have it. */
  | { readonly type: 'command.refused'; readonly command: RuntimeCommand['type']; readonly reason: string; readonly task?: TaskId }
  | { readonly type: 'queue.changed'; readonly waiting: readonly QueuedText[] }
  | { readonly type: 'queue.returned'; readonly texts: readonly string[] }
  /** A prompt began, a command went to the background, the person runs one of their own, or the conversation is being summarised. */
  | {
      readonly type: 'task.started';
      readonly task: TaskId;
      readonly kind: 'prompt' | 'job' | 'command' | 'compaction';
      readonly text: string;
      readonly pane: PaneId | null;
    }
  /** A steering text was handed to the model. */
  | { readonly type: 'task.steered'; readonly task: TaskId; readonly text: string }
  /** What the person brought along with the words that were told last of that task. */
  | { readonly type: 'task.attached'; readonly task: TaskId; readonly attached: readonly Attachment[] }
  /** What the mentions in `text` would bring along; `troubles` are sentences without their ends, `missing` what there is nothing for. */
  | {
      readonly type: 'mentions.told';
      readonly text: string;
      readonly attached: readonly Attachment[];
      readonly tokens: number;
      readonly troubles: readonly string[];
      readonly missing: readonly string[];
      /** What could stand for those that are not written to their end, but for files. */
      readonly choices: readonly MentionChoice[];
    }
  | { readonly type: 'task.progress'; readonly task: TaskId; readonly lastLine: string }
  /** The end of what the watched job has printed so far. */
  | { readonly type: 'task.output'; readonly task: TaskId; readonly output: TaskOutput }
  | { readonly type: 'task.deadline'; readonly task: TaskId; readonly atMs: number | null }
  | {
      readonly type: 'task.ended';
      readonly task: TaskId;
      readonly outcome: TaskOutcome;
      /** Of a job: its exit code; null for a prompt or when it was never learned. */
      readonly exitCode: number | null;
      /** Why it failed, and what to do. */
      readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
    }
  | {
      readonly type: 'model.requested';
      readonly task: TaskId;
      readonly iteration: number;
      readonly estimatedTokens: number;
      /** Messages of the conversation in it. */
      readonly messages?: number;
    }
  | { readonly type: 'model.text'; readonly task: TaskId; readonly text: string }
  | { readonly type: 'model.reasoning'; readonly task: TaskId; readonly text: string }
  | {
      readonly type: 'model.retrying';
      readonly task: TaskId;
      readonly attempt: number;
      /** At most so many tries. */
      readonly attempts?: number;
      readonly atMs: number;
      readonly reason: string;
    }
  | { readonly type: 'model.answered'; readonly task: TaskId; readonly message: AssistantMessage; readonly usage: Usage | null }
  | { readonly type: 'model.switched'; readonly model: ModelSummary }
  | {
      readonly type: 'tool.requested';
      readonly task: TaskId;
      readonly call: string;
      readonly name: string;
      /** The call in one line for people: the command, the path. */
      readonly preview: string;
      /** A command of the person's own that the model does not hear of; it is kept nowhere either. */
      readonly untold?: true;
    }
  /** The person, or the hook of an extension, changed the call before it ran. */
  | { readonly type: 'tool.changed'; readonly task: TaskId; readonly call: string; readonly preview: string }
  | { readonly type: 'tool.started'; readonly task: TaskId; readonly call: string; readonly diff?: FileDiff }
  | { readonly type: 'tool.output'; readonly task: TaskId; readonly call: string; readonly text: string }
  | {
      readonly type: 'tool.ended';
      readonly task: TaskId;
      readonly call: string;
      readonly isError: boolean;
      /** What people see of the result. */
      readonly text: string;
      /** `exit 0`, `denied`, `24 lines`. */
      readonly summary: string;
      readonly exitCode: number | null;
      readonly elapsedMs: number;
    }
  | { readonly type: 'approval.requested'; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval.resolved';
      readonly approval: ApprovalId;
      readonly decision: ApprovalDecision;
      readonly by: 'user' | 'policy' | 'cancel' | 'shutdown';
    }
  | { readonly type: 'approval.policy'; readonly policy: ApprovalPolicy }
  /** The rules that are in force now; told at the start when there are any. */
  | { readonly type: 'approval.rules'; readonly rules: readonly ListedRule[] }
  /** A call was let through by a rule: nobody was asked. */
  | { readonly type: 'approval.ruled'; readonly task: TaskId; readonly call: string; readonly rule: ListedRule }
  | { readonly type: 'pane.opened'; readonly pane: PaneId; readonly title: string }
  | { readonly type: 'pane.screen'; readonly pane: PaneId; readonly screen: PaneScreen }
  /** Null: it could not be had. */
  | { readonly type: 'pane.scrollback'; readonly pane: PaneId; readonly scrollback: PaneScrollback | null }
  | { readonly type: 'pane.state'; readonly pane: PaneId; readonly state: PaneState; readonly lastExit: number | null }
  | { readonly type: 'pane.closed'; readonly pane: PaneId }
  /** A person ran a command in the pane, outside of a takeover, and it has ended; the model is told with its next request. */
  | ({ readonly type: 'pane.command'; readonly pane: PaneId } & PaneCommand)
  /** The person has the keyboard of the pane. */
  | { readonly type: 'pane.taken'; readonly pane: PaneId }
  /** It was handed back; what the person ran meanwhile. */
  | { readonly type: 'pane.returned'; readonly pane: PaneId; readonly commands: readonly PaneCommand[] }
  | { readonly type: 'target.changed'; readonly target: TargetSummary }
  /** The older part of the conversation was replaced by a summary of it, or with `trimmed` by what of it could be kept without one. */
  | { readonly type: 'context.compacted'; readonly tokensBefore: number; readonly tokensAfter: number; readonly trimmed?: true }
  /** A model wrote such a summary; what that used. Whether it is put in place `context.compacted` tells. */
  | {
      readonly type: 'context.summarised';
      readonly task: TaskId;
      readonly profile: string;
      readonly usage: Usage | null;
      /** Of the request. */
      readonly estimatedTokens: number;
      /** Of the summary. */
      readonly characters: number;
    }
  | { readonly type: 'metrics.context'; readonly usedTokens: number; readonly windowTokens: number }
  /** What the next request would hold. `isMeasured`: the estimate was corrected by what a server counted. */
  | {
      readonly type: 'context.told';
      readonly parts: readonly ContextPart[];
      readonly windowTokens: number;
      readonly isMeasured: boolean;
      /** Files that the instructions are made of, skills among them; left out: none. */
      readonly files?: readonly { readonly path: string; readonly tokens: number }[];
    }
  /** How these limits stand: all, or the one that was set. */
  | { readonly type: 'limits.told'; readonly limits: readonly LimitStatus[] }
  /** The commands that are not built in, all of them. */
  | { readonly type: 'commands.offered'; readonly commands: readonly OfferedCommand[] }
  /** How the MCP servers stand, told when something of it has changed, and when somebody asks (`isAsked`). */
  | { readonly type: 'mcp.told'; readonly servers: readonly McpServerStatus[]; readonly isAsked: boolean }
  /** The newest lines of the log of one, the oldest first. */
  | { readonly type: 'mcp.logged'; readonly server: string; readonly lines: readonly string[] }
  /** All extensions, and what was left out because its name was taken. */
  | {
      readonly type: 'extensions.told';
      readonly extensions: readonly ExtensionInfo[];
      readonly conflicts: readonly ExtensionConflict[];
    }
  /** An extension shows lines, or other ones; null: none any more. */
  | { readonly type: 'widget.shown'; readonly id: string; readonly widget: ExtensionWidget | null }
  /** All models that extensions bring; those of the start stay. */
  | { readonly type: 'profiles.offered'; readonly profiles: readonly ModelSummary[] }
  /** All keys that extensions have given a meaning. */
  | { readonly type: 'keys.offered'; readonly keys: readonly OfferedKey[] }
  /** A sentence for the person. */
  | { readonly type: 'notice'; readonly message: string }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly hint: string | null };

/** Something that happened in an earlier run. */
export interface PastEvent {
  readonly tsMs: number;
  readonly event: RuntimeEvent;
}

/** One event with its place in the order of things. `seq` counts from 1 without gaps. */
export interface RuntimeEventEnvelope {
  readonly seq: number;
  readonly tsMs: number;
  readonly event: RuntimeEvent;
}
