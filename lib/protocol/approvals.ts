/** The words about asking before acting. */

import type { TargetSummary } from './panes.js';
import type { RuleOffer } from './rules.js';

/** Identifies one question; it is answered at most once. */
export type ApprovalId = string;

/** How much is allowed without asking. A duration is `all` until `untilMs`. */
export type ApprovalPolicy =
  | { readonly kind: 'ask' }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'until'; readonly untilMs: number };

/** What the model claims about its own command; shown, and only ever used to be stricter. */
export interface ModelClaim {
  readonly risk: 'low' | 'medium' | 'high';
  readonly mutation: boolean;
  readonly privesc: boolean;
  readonly why: string;
}

/** Who can say yes to an act: the policy, at least a rule that the user has made for it, or only the user, each time. */
export type Caution = 'policy' | 'rule' | 'user';

/** What the program itself makes of a command, from its text alone; the claim of the model can only be stricter. */
export interface ComputedRisk {
  readonly risk: 'low' | 'medium' | 'high';
  /** It changes something, or nobody can tell that it does not. */
  readonly mutation: boolean;
  /** It gains rights. */
  readonly privesc: boolean;
  /** It reaches the network. */
  readonly network: boolean;
  /** Why it is asked about whatever the policy is: sentences without a full stop. Empty when only the policy asks. */
  readonly reasons: readonly string[];
}

/** What an act would change in a file. */
export interface FileDiff {
  readonly path: string;
  /** Null: there is no such file yet. */
  readonly before: string | null;
  readonly after: string;
  /** The line of the file that both begin with, counted from 1: of a large file only a part is told. Left out: the first. */
  readonly firstLine?: number;
}

/** Where an act would happen, and as whom. */
export interface RequestPlace extends Pick<TargetSummary, 'kind' | 'host' | 'user'> {}

/** The question as it is shown. */
export interface ApprovalRequest {
  readonly id: ApprovalId;
  readonly task: string;
  readonly call: string;
  readonly tool: string;
  /** Names the act: `run in pane %1`, `write /etc/hosts`. */
  readonly title: string;
  /** Exactly what will run or be written: every byte of it is to be seen before "yes" works. */
  readonly body: string;
  readonly target: string;
  readonly cwd: string;
  /** Left out: nobody has told it. */
  readonly where?: RequestPlace;
  readonly claim: ModelClaim | null;
  /** Left out: it is no command, and nobody has judged it. */
  readonly computed?: ComputedRisk;
  /** The same as what is there now and what it would become, for an act that writes a file. */
  readonly diff?: FileDiff;
  /** The person may change the body and run that instead. */
  readonly editable?: boolean;
  /** The rules that would cover it; left out: there is none for it. */
  readonly rule?: RuleOffer;
  /** What the person should know before they answer: sentences without a full stop. Left out: nothing. */
  readonly notes?: readonly string[];
}

/** Yes once, yes for every like request of this session, yes by a rule that covers more than this, or no. */
export type ApprovalDecision = 'once' | 'session' | 'rule' | 'deny';
