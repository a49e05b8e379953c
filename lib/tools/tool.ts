/** The door of the tools room: what a model may call. */

import type { Clock } from '../base/clock.js';
import type { Act } from '../policy/approval-rules.js';
import type { Judgement } from '../policy/shell/judgement.js';
import type { Caution, ComputedRisk, FileDiff, ModelClaim } from '../protocol/approvals.js';
import type { ImagePart } from '../protocol/messages.js';
import type { PaneId } from '../protocol/panes.js';
import type { BackgroundCommand, ExecutionTarget } from '../targets/target.js';
import type { WebAccess } from './web/access.js';

/** A JSON Schema object, as models are shown it. */
export type ArgumentSchema = Readonly<Record<string, unknown>>;

/** What is to be asked before a call runs. */
export type Review =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'ask';
      readonly title: string;
      /** Every byte that will act. */
      readonly body: string;
      /** Groups requests for "yes for this session": the same text only for the very same act. */
      readonly like: string;
      /** A yes for the session is for every body of `like`, and the person is told so. */
      readonly ofAnyBody?: true;
      readonly claim: ModelClaim | null;
      /** What it is to the user's rules; left out: it is always asked about. */
      readonly act?: Act | undefined;
      /** What the program makes of it; left out: it is no command. */
      readonly computed?: ComputedRisk | undefined;
      /** Who can say yes to it. Default `policy`. */
      readonly caution?: Caution | undefined;
      /** Why only a person can say yes to it once the conversation holds words of strangers, whatever `caution` is otherwise. */
      readonly narrows?: readonly string[];
      /** What it shares with acts that are nearly the same, so that a no to one is known at the next. Left out: its tool and title. */
      readonly alike?: readonly string[];
      /** What it changes in a file, where that is known. */
      readonly diff?: FileDiff | undefined;
      /** The pane that it acts in, when not the shared one: the yes is bound to the folder of its shell. */
      readonly pane?: PaneId | undefined;
      /** False: the user's settings have said yes already; only the policy `none` still refuses it. Default true. */
      readonly needsYes?: boolean;
    }
  | { readonly kind: 'deny'; readonly reason: string };

export interface ReviewContext {
  readonly target: ExecutionTarget;
  readonly denylist: readonly string[];
  /** Where writing is allowed; empty means anywhere that is not sensitive. */
  readonly allowedPaths: readonly string[];
  readonly homeDir: string;
  readonly confirmShell: boolean;
  /** Left out: nothing leads to the web. */
  readonly web?: WebAccess | undefined;
  /** Judges a command for the shell of the target, as if the policy allowed everything: what is asked about then is always asked about. */
  judge(command: string): Judgement;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly target: ExecutionTarget;
  /** As in the review: for what can only be judged when it happens. */
  readonly denylist: readonly string[];
  readonly web?: WebAccess | undefined;
  judge(command: string): Judgement;
  /** Who could say yes to it when it was reviewed. */
  readonly caution: Caution;
  /** Live output for people; raw text, not the result. */
  report(chunk: string): void;
  /** Hands over a command that goes on by itself; answers the id of the task that follows it. */
  background(command: BackgroundCommand): string;
}

export interface ToolResult {
  /** JSON value for the model, put into the envelope by the runtime. */
  readonly result: unknown;
  readonly isError: boolean;
  /** What people see when they expand the call. */
  readonly text: string;
  /** A few words for the card: `exit 0 · 24 lines`. */
  readonly summary: string;
  readonly exitCode: number | null;
  /** What the model is shown besides the result; left out: none. */
  readonly images?: readonly ImagePart[];
}

/** One tool. Tools never ask for approval themselves: `review` says what to ask, the runtime asks. */
export interface Tool<A = unknown> {
  readonly name: string;
  /** Other spellings that models and old sessions use. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly parameters: ArgumentSchema;
  /** Without tmux, such a tool is not offered. */
  readonly needsTmux: boolean;
  /** It types into a pane or reads its screen: it waits while the person has the keyboard. */
  readonly usesTerminal?: true;
  /** It starts a command that may go on by itself: there can be only so many of them. */
  readonly startsCommand?: true;
  /** True when several calls may run at the same time: it only looks. */
  readonly parallel: boolean;
  /** The pane that it works in: calls in one pane run one after the other. Throws `target.pane`. Left out: it works in none. */
  pane?(args: A, target: ExecutionTarget): PaneId | null;
  /** Checked arguments. Throws BuddyError `tool.arguments` with a sentence the model can act on. */
  parse(args: unknown): A;
  /** The arguments in the words of `parameters`, for guards: whatever words the model had for them. Left out: the model has to use those. */
  inItsWords?(args: A): Readonly<Record<string, unknown>>;
  /** The call in one line for people. */
  preview(args: A): string;
  /**
   * Looks on the target for what a person should see before they answer: the arguments with it, for `review` (which is asked once more)
   * and `run`. Only called for a call that would be asked about. Changes nothing.
   */
  prepare?(args: A, context: ReviewContext, signal: AbortSignal): Promise<A>;
  /** Throws BuddyError for what is not there (`target.pane`): nothing is asked then. */
  review(args: A, context: ReviewContext): Review;
  /** Each command that a shell would run for it, and why that could not be read for sure; left out: none. */
  commands?(args: A, context: ReviewContext): Pick<Judgement, 'commands' | 'reasons'>;
  /** The call with another body, as the person wrote it; left out: the body cannot be changed. */
  withBody?(args: A, body: string): A;
  run(args: A, context: ToolContext): Promise<ToolResult>;
}

/** Tools of which some come and go. */
export interface ToolSource {
  list(): readonly Tool[];
  /** Awaited at the start of each prompt: what is being started gets the time that it needs within its own limit. Never rejects but with an AbortError. */
  ready?(signal: AbortSignal): Promise<void>;
}
