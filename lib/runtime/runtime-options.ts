/** What a runtime is made of. */

import type { Clock } from '../base/clock.js';
import type { Limits } from '../config/limits.js';
import type { Secrets } from '../policy/redaction.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';
import type { ExecutionTarget } from '../targets/target.js';
import type { ReviewContext, Tool, ToolSource } from '../tools/tool.js';
import type { CompactionSettings } from './compactor.js';
import type { ConversationOptions } from './conversation.js';
import type { ExtensionHost } from './hooks.js';
import type { QueueModes } from './lane.js';
import type { MentionSource } from './mentions/mention-source.js';
import type { OfferedCommands } from './offered-commands.js';
import type { PictureFitter } from './pictures.js';
import type { RuleStore } from './rules.js';
import type { ServerControl } from './server-control.js';
import type { SessionPlace } from './sessions/session-folder.js';

/** Given once, when it is made. */
export interface RuntimeOptions extends ConversationOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly agent: string;
  readonly target: ExecutionTarget;
  /** A list that changes is asked anew at the start of each prompt. */
  readonly tools: readonly Tool[] | ToolSource;
  /** Commands that are not built in; left out: none. */
  readonly offered?: OfferedCommands;
  /** The MCP servers; left out: there are none. */
  readonly servers?: ServerControl;
  /** Who has a say in what happens; left out: nobody. */
  readonly extensions?: ExtensionHost;
  /** What one hook of theirs may take (milliseconds). */
  readonly hookTimeoutMs?: number;
  /** What can stand behind an `@` besides files, the pane and the last output; left out: nothing. */
  readonly mentions?: readonly MentionSource[];
  /** Makes pictures fit to be sent; left out: they go as they are, or not. */
  readonly pictures?: PictureFitter;
  readonly policy: ApprovalPolicy;
  /** False when nobody can answer approvals. */
  readonly interactive: boolean;
  /** What a person alone can allow is asked about once words of strangers were read, even where all was allowed outright. Default true. */
  readonly exposureNarrows?: boolean;
  /** Where rules outlive a run; left out: none do. */
  readonly rules?: RuleStore;
  /** Where sessions outlive a run; left out: none do. */
  readonly sessions?: SessionPlace;
  /** What is masked in all that is told; left out: only what looks like a secret. */
  readonly secrets?: Secrets;
  /** Left out: those of an empty configuration. */
  readonly limits?: Limits;
  /** Left out: all steering at a time, one follow-up. */
  readonly queue?: QueueModes;
  readonly compaction: CompactionSettings;
  readonly review: Omit<ReviewContext, 'target' | 'judge'>;
  /**
   * Does the working folder of this host come from elsewhere (a checkout, or files that this program would load), and has the person not said
   * that they trust it? Asked anew each time: `/trust` changes it. Left out: it does not. False where commands run on another host.
   */
  untrustedFolder?(): boolean;
  /** What of strangers' words the system prompt holds, as the object of "has read"; null or left out: nothing. */
  strangers?(): string | null;
  /** The files that the system prompt is made of; left out: none. */
  told?(): readonly { readonly path: string; readonly characters: number }[];
  /** The system prompt for the tools on offer. */
  instructions(toolNames: readonly string[]): string;
}
