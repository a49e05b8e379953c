/** The words about asking before acting. */

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

/** What an act would change in a file. */
export interface FileDiff {
  readonly path: string;
  /** Null: there is no such file yet. */
  readonly before: string | null;
  readonly after: string;
}

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
  readonly claim: ModelClaim | null;
  /** The same as what is there now and what it would become, for an act that writes a file. */
  readonly diff?: FileDiff;
  /** The person may change the body and run that instead. */
  readonly editable?: boolean;
  /** The rules that would cover it; left out: there is none for it. */
  readonly rule?: RuleOffer;
}

/** Yes once, yes for every like request of this session, yes by a rule that covers more than this, or no. */
export type ApprovalDecision = 'once' | 'session' | 'rule' | 'deny';
