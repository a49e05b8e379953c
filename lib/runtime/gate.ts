/** The gate: every act with effects waits here until somebody allows it, exactly once. */

import type { Clock } from '../base/clock.js';
import { type PolicyInForce, putInForce, standingOf } from '../policy/approval-policy.js';
import { type Act, type ActPlace, covers } from '../policy/approval-rules.js';
import type { ApprovalDecision, ApprovalId, ApprovalPolicy, ApprovalRequest, Caution } from '../protocol/approvals.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import { chosenRule, type RuleChoice } from '../protocol/rules.js';
import { type RuleStore, Rules } from './rules.js';

/** What came of a question. */
export interface Verdict {
  readonly allowed: boolean;
  /** Told to the model after a no. */
  readonly reason: string;
  /** What the person wrote instead of the body that was asked about. */
  readonly body?: string;
}

/** What is asked, before it has an id. */
export type Question = Omit<ApprovalRequest, 'id'> & {
  /** The same text only for the very same act. */
  readonly like: string;
  /** False: the user's settings allow it; only the policy `none` refuses it. */
  readonly needsYes: boolean;
  /** Who can say yes to it. */
  readonly caution: Caution;
  /** What it is to rules; left out: no rule is about such acts. */
  readonly act?: Act | undefined;
  readonly place: ActPlace;
};

export interface GateOptions {
  readonly clock: Clock;
  readonly policy: ApprovalPolicy;
  /** False when nobody can answer: what would be asked is refused at once. */
  readonly interactive: boolean;
  /** Where rules outlive a run; null: nowhere. */
  readonly rules: RuleStore | null;
  emit(event: RuntimeEvent): void;
}

/** Who settled a question; `policy` stands for nobody being there. */
type Answerer = 'user' | 'policy' | 'cancel' | 'shutdown';

/** What a person wrote with the answer. */
interface Words {
  readonly feedback?: string | undefined;
  readonly body?: string;
}

interface Pending {
  readonly question: Question;
  settle(decision: ApprovalDecision, by: Answerer, words?: Words): void;
}

const POLICY_NONE = 'The approval policy is "none".';
const NOBODY = 'Nobody can answer an approval here, so it was refused and nothing ran.';

/** Owns the pending questions, the policy in force and what was allowed for this session. */
export class Gate {
  readonly #options: GateOptions;
  /** The rules in force. */
  readonly rules: Rules;
  readonly #pending = new Map<ApprovalId, Pending>();
  readonly #allowedForSession = new Set<string>();
  #inForce: PolicyInForce;
  #count = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.rules = new Rules(options.rules, options.emit);
    this.#inForce = putInForce(options.policy, options.clock.now(), options.clock.monotonic());
  }

  /** Puts another policy in force. `none` says no to what waits; a question that is on the screen is never answered with yes by it. */
  setPolicy(policy: ApprovalPolicy): void {
    const { clock, emit } = this.#options;
    this.#inForce = putInForce(policy, clock.now(), clock.monotonic());
    emit({ type: 'approval.policy', policy });
    if (policy.kind === 'none')
      for (const pending of [...this.#pending.values()]) pending.settle('deny', 'user', { feedback: POLICY_NONE });
  }

  /** What was allowed for this session, and a timed policy, do not outlive it. */
  forget(): void {
    this.#allowedForSession.clear();
    this.rules.forget();
    if (this.#inForce.policy.kind === 'until') this.setPolicy({ kind: 'ask' });
  }

  /** Resolves with the verdict; a signal that fires means no. Never rejects. */
  ask(question: Question, signal: AbortSignal): Promise<Verdict> {
    const standing = this.#standing();
    if (standing === 'deny') return Promise.resolve({ allowed: false, reason: `${POLICY_NONE} Nothing ran.` });
    if (this.#isAllowed(question, standing === 'allow')) return Promise.resolve({ allowed: true, reason: '' });
    if (signal.aborted) return Promise.resolve({ allowed: false, reason: 'cancelled' });
    return this.#put(question, signal);
  }

  #isAllowed(question: Question, isOpen: boolean): boolean {
    const { caution, needsYes } = question;
    if (this.#allowedForSession.has(sessionKey(question))) return true;
    // Where nobody can answer, everything is only allowed when that was said outright.
    if (isOpen && (caution === 'policy' || !this.#options.interactive)) return true;
    if (caution === 'policy' && !needsYes) return true;
    return caution !== 'user' && this.#isRuled(question);
  }

  /** Why the answer does not count, or null: a second one finds no question. */
  answer({ approval, decision, feedback, body, rule }: Extract<RuntimeCommand, { type: 'approval.answer' }>): string | null {
    const pending = this.#pending.get(approval);
    if (pending === undefined) return 'that question has been answered already';
    if (decision === 'rule') return this.#answerByRule(pending, rule);
    const isChanged = decision === 'once' && body !== undefined && body !== pending.question.body && pending.question.editable === true;
    pending.settle(decision, 'user', isChanged ? { body } : { feedback });
    return null;
  }

  /** A rule is never made of anything but what was offered, and it has to cover what was asked. */
  #answerByRule(pending: Pending, choice: RuleChoice | undefined): string | null {
    const { act, place, claim, rule: offer } = pending.question;
    const rule = offer === undefined || choice === undefined ? null : chosenRule(offer, choice);
    if (rule === null || act === undefined || !covers(rule, act, place, claim)) return 'there is no such rule for this question';
    this.rules.add(rule);
    pending.settle('rule', 'user');
    return null;
  }

  /** Does a rule say yes? Then that is told. */
  #isRuled({ act, place, claim, task, call }: Question): boolean {
    const rule = act === undefined ? null : this.rules.find(act, place, claim);
    if (rule !== null) this.#options.emit({ type: 'approval.ruled', task, call, rule });
    return rule !== null;
  }

  /** Says no to everything that waits. */
  denyAll(): void {
    for (const pending of [...this.#pending.values()]) pending.settle('deny', 'shutdown');
  }

  #standing() {
    const { clock, emit } = this.#options;
    const standing = standingOf(this.#inForce, clock.now(), clock.monotonic());
    if (standing === 'ask' && this.#inForce.policy.kind === 'until') {
      this.#inForce = putInForce({ kind: 'ask' }, 0, 0);
      emit({ type: 'approval.policy', policy: { kind: 'ask' } });
    }
    return standing;
  }

  #put(question: Question, signal: AbortSignal): Promise<Verdict> {
    this.#count++;
    const id = `a${this.#count}`;
    const { like, needsYes, caution, act, place, ...shown } = question;
    return new Promise((resolve) => {
      const onAbort = () => settle('deny', 'cancel');
      const settle = (decision: ApprovalDecision, by: Answerer, words: Words = {}) => {
        if (!this.#pending.delete(id)) return;
        signal.removeEventListener('abort', onAbort);
        if (decision === 'session') this.#allowedForSession.add(sessionKey(question));
        this.#options.emit({ type: 'approval.resolved', approval: id, decision, by });
        const changed = words.body === undefined ? {} : { body: words.body };
        resolve({ allowed: decision !== 'deny', reason: denial(by, words.feedback), ...changed });
      };
      this.#pending.set(id, { question, settle });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#options.emit({ type: 'approval.requested', request: { id, ...shown } });
      if (!this.#options.interactive) settle('deny', 'policy');
    });
  }
}

/** Only the very same act in the same folder of the very same target counts as alike. */
function sessionKey(question: Question): string {
  return JSON.stringify([question.target, question.cwd, question.like, question.body]);
}

function denial(by: Answerer, feedback: string | undefined): string {
  if (by === 'policy') return NOBODY;
  if (by !== 'user') return 'It was cancelled before it was allowed; nothing ran.';
  const said = feedback?.trim() ?? '';
  return `The user said no; nothing ran.${said === '' ? ' Do not try the same again; ask or do something else.' : ` They say: ${said}`}`;
}
