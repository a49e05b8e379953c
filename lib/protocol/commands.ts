/** What a front end may ask of the runtime: imperative. A refused one is answered by the event `command.refused`. */

import type { ApprovalDecision, ApprovalId, ApprovalPolicy } from './approvals.js';
import type { LimitName } from './limits.js';
import type { McpCommand } from './mcp.js';
import type { ImagePart } from './messages.js';
import type { PaneId } from './panes.js';
import type { RuleChoice } from './rules.js';
import type { ExportFormat, SessionId } from './sessions.js';
import type { EntryId } from './tree.js';

/** Identifies a prompt or a background job: `1`, `2`, … in the order they came. */
export type TaskId = string;

/** `take`: out of the queue, `queue.returned` hands it back. `earlier`, `later`: past the next one of its kind. */
export type QueueChange = 'take' | 'delete' | 'earlier' | 'later';

/** What comes with a text. */
export interface Brings {
  /** The part of it in which `@` means something; left out: all of it. What others wrote brings nothing along. */
  readonly mentions?: string;
  readonly images?: readonly ImagePart[];
}

export type RuntimeCommand =
  /** A prompt; when one is running already it waits in the queue as a follow-up. */
  | ({ readonly type: 'prompt.submit'; readonly text: string } & Brings)
  /** To the running prompt, delivered after the tool calls under way; starts one when none runs. */
  | ({ readonly type: 'prompt.steer'; readonly text: string } & Brings)
  /** Asks for `mentions.told`; of several only the last is answered. '': nobody wants to know any more. */
  | { readonly type: 'mentions.tell'; readonly text: string }
  /** Takes every waiting text out of the queue; `queue.returned` hands them back. */
  | { readonly type: 'queue.recall' }
  /** Changes one waiting text; `queued` is its id. */
  | { readonly type: 'queue.edit'; readonly queued: string; readonly change: QueueChange }
  | { readonly type: 'task.cancel'; readonly task: TaskId }
  /** Cancels the task after so many milliseconds from now; null takes the limit away. */
  | { readonly type: 'task.deadline'; readonly task: TaskId; readonly afterMs: number | null }
  /** The person looks at the output of this background job now: `task.output` tells of it, and of no other. Null: of none. */
  | { readonly type: 'task.watch'; readonly task: TaskId | null }
  | {
      readonly type: 'approval.answer';
      readonly approval: ApprovalId;
      readonly decision: ApprovalDecision;
      /** Told to the model with a no. */
      readonly feedback?: string;
      /** With `once`: run this instead of what was asked about. */
      readonly body?: string;
      /** With `rule`: which one of those that were offered. */
      readonly rule?: RuleChoice;
    }
  /** A rule is in force no longer, and not kept either. */
  | { readonly type: 'approval.forget'; readonly rule: string }
  /** A command of the person's own, run in the shared pane; nobody is asked. `tell`: the model hears of it with its next request. */
  | { readonly type: 'command.run'; readonly text: string; readonly tell: boolean }
  /** A command that `commands.offered` told of. It gives a prompt, or does something and says so. `mentions` as of a prompt; left out: the arguments. */
  | { readonly type: 'command.invoke'; readonly name: string; readonly args: string; readonly mentions?: string }
  | { readonly type: 'approval.policy'; readonly policy: ApprovalPolicy }
  /** `effort`: one of the levels that the model has; left out: as the profile says. */
  | { readonly type: 'model.switch'; readonly profile: string; readonly effort?: string }
  | { readonly type: 'session.new' }
  /** Goes on in a kept session; `last` is the newest of this folder. With its model, unless `keepModel`. */
  | { readonly type: 'session.resume'; readonly session: SessionId; readonly keepModel?: boolean }
  /** Goes on in a copy of the session: the one that was copied stays as it is. */
  | { readonly type: 'session.fork' }
  /** Asks for `session.listed`. */
  | { readonly type: 'session.list' }
  /** `session`: of another one than that in use. */
  | { readonly type: 'session.rename'; readonly name: string; readonly session?: SessionId }
  /** Moves a session out of the way; never the one in use, nor one that is open elsewhere. `session.deleted` tells where it is. */
  | { readonly type: 'session.delete'; readonly session: SessionId }
  /** Asks for `session.previewed`. */
  | { readonly type: 'session.preview'; readonly session: SessionId }
  /** Asks for `tree.told`. */
  | { readonly type: 'tree.tell' }
  /** Goes on from that entry: of a prompt before it, its text is handed back; of all others behind it. What came after it stays in the session. */
  | { readonly type: 'tree.go'; readonly entry: EntryId }
  /** Gives an entry (null: the last one) a label; '' takes it away. `tree.told` tells. */
  | { readonly type: 'tree.label'; readonly entry: EntryId | null; readonly label: string }
  /** Writes the session into a file that there is not yet; '' for one in the working directory. `session.exported` tells where. */
  | {
      readonly type: 'session.export';
      readonly format: ExportFormat;
      readonly path: string;
      /** Of the screen, for a format that draws one. */
      readonly size?: { readonly cols: number; readonly rows: number };
    }
  /**
   * Makes a new session of a file of another program (buddy's JSON, pi's JSON lines) or of this one, whoever wrote it, and goes on in it. The
   * file stays as it is.
   */
  | { readonly type: 'session.import'; readonly path: string }
  /** How the limits stand, told once by `limits.told`. */
  | { readonly type: 'limits.tell' }
  /** Another limit until the session ends; null: as the settings say. `limits.told` tells of it. */
  | { readonly type: 'limits.set'; readonly limit: LimitName; readonly value: number | null }
  /** The settings say otherwise from now on; it counts at once, and nothing is told. */
  | { readonly type: 'limits.configure'; readonly limit: LimitName; readonly value: number }
  /** What fills the context window now, told once by `context.told`. */
  | { readonly type: 'context.tell' }
  /** Which extensions there are and how they stand, told once by `extensions.told`. */
  | { readonly type: 'extensions.tell' }
  /** Looks anew for extensions and what else is loaded from files, and starts them anew; refused while a prompt runs. A `notice` tells. */
  | { readonly type: 'extensions.reload' }
  /** Puts a summary in the place of the older part of the conversation. `wishes`: what is to be kept in it, in the person's words. */
  | { readonly type: 'session.compact'; readonly wishes: string }
  /** The person takes the keyboard of the pane: until it is handed back the agent neither types nor looks. */
  | { readonly type: 'pane.takeover'; readonly pane: PaneId }
  /** What the person typed into a pane that was taken over, byte for byte. It is never written down. */
  | { readonly type: 'pane.input'; readonly pane: PaneId; readonly bytes: string }
  /** What the person pasted there, whole; the pane's terminal puts it between marks when its program asked for that. Never written down. */
  | { readonly type: 'pane.paste'; readonly pane: PaneId; readonly text: string }
  | { readonly type: 'pane.handback'; readonly pane: PaneId }
  /** The person looks at this pane now: pictures of it are told, and of no other. */
  | { readonly type: 'pane.watch'; readonly pane: PaneId }
  /** What has scrolled off that pane, told once by `pane.scrollback`. */
  | { readonly type: 'pane.scrollback'; readonly pane: PaneId }
  /** A shell with our marks takes the place of the unknown one in that pane. */
  | { readonly type: 'pane.integrate'; readonly pane: PaneId }
  | { readonly type: 'pane.resize'; readonly pane: PaneId; readonly cols: number; readonly rows: number }
  | McpCommand
  /** The end; `keep` leaves the tmux session and what runs in it behind. */
  | { readonly type: 'runtime.shutdown'; readonly keep?: boolean };
