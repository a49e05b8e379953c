/** The gate: every act with effects waits here until somebody allows it, exactly once. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import type { Limits } from '../config/limits.js';
import { type PolicyInForce, putInForce, standingOf } from '../policy/approval-policy.js';
import { type Act, type ActPlace, covers } from '../policy/approval-rules.js';
import type { ApprovalDecision, ApprovalId, ApprovalPolicy, ApprovalRequest, Caution } from '../protocol/approvals.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import { chosenRule, type ListedRule, type RuleChoice } from '../protocol/rules.js';
import { Denials } from './denials.js';
import { Exposure } from './exposure.js';
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
export type Question = Omit<ApprovalRequest, 'id' | 'notes'> & {
  /** The same text only for the very same act. */
  readonly like: string;
  /** A yes for the session does not look at the body. */
  readonly ofAnyBody?: true;
  /** False: the user's settings allow it; only the policy `none` refuses it. */
  readonly needsYes: boolean;
  /** Who can say yes to it. */
  readonly caution: Caution;
  /** Why only a person can once words of strangers were read. */
  readonly narrows: readonly string[];
  /** What acts share that are nearly the same. */
  readonly alike: readonly string[];
  /** What it is to rules; left out: no rule is about such acts. */
  readonly act?: Act | undefined;
  readonly place: ActPlace;
};

export interface GateOptions {
  readonly clock: Clock;
  readonly policy: ApprovalPolicy;
  /** False when nobody can answer: what would be asked is refused at once. */
  readonly interactive: boolean;
  /** Where rules outlive a run; left out: nowhere. */
  readonly rules?: RuleStore;
  /** As in the options of the runtime. */
  strangers?(): string | null;
  /** As there. */
  readonly exposureNarrows?: boolean;
  untrustedFolder?(): boolean;
  readonly limits?: Limits;
  emit(event: RuntimeEvent): void;
}

type ApprovalCommand = Extract<RuntimeCommand, { type: `approval.${string}` }>;

/** Who settled a question; `policy` stands for nobody being there. */
type Answerer = 'user' | 'policy' | 'cancel' | 'shutdown';

/** What a person wrote with the answer. */
interface Words {
  readonly feedback?: string | undefined;
  readonly body?: string;
}

/** What is put to a person. */
interface Asked {
  readonly question: Question;
  readonly notes: readonly string[];
  /** What a yes for the session is remembered by. */
  readonly key: string;
}

/** What says yes without a question, as the end of "although". */
interface Permit {
  readonly says: string;
  readonly rule?: ListedRule;
}

interface Pending {
  readonly question: Question;
  settle(decision: ApprovalDecision, by: Answerer, words?: Words): void;
}

/** How often it is looked whether a timed policy has ended (milliseconds). */
const LOOK_MS = 1000;
/** So many refusals of like acts end a prompt where nobody has set a limit. */
const MOST_DENIALS = 3;
const POLICY_NONE = 'The approval policy is "none".';
const ENDING = 'The user said no too often to the like of it: the prompt is being ended, and nothing ran.';
const NOBODY = 'Nobody can answer an approval here, so it was refused and nothing ran.';

/** Owns the pending questions, the policy in force and what was allowed for this session. */
export class Gate {
  readonly #options: GateOptions;
  /** The rules in force. */
  readonly rules: Rules;
  /** What of strangers' words the conversation holds. */
  readonly exposure: Exposure;
  /** What the person said no to. */
  readonly denials: Denials;
  readonly #pending = new Map<ApprovalId, Pending>();
  readonly #allowedForSession = new Set<string>();
  #inForce: PolicyInForce;
  /** Looks whether a timed policy has ended. */
  #watch: Disposable | null = null;
  /** Where it was last known that commands run; '' before. */
  #where = '';
  #count = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.rules = new Rules(options.rules ?? null, options.clock, options.emit);
    this.denials = new Denials(() => options.limits?.value('denials') ?? MOST_DENIALS);
    this.exposure = new Exposure(
      () => options.untrustedFolder?.() === true,
      () => options.strangers?.() ?? null,
    );
    this.#inForce = this.#put(options.policy);
  }

  /** Does it, or answers why not. */
  perform(command: ApprovalCommand): string | null {
    switch (command.type) {
      case 'approval.answer':
        return this.answer(command);
      case 'approval.forget':
        return this.rules.remove(command.rule) ? null : `there is no rule ${command.rule}`;
      case 'approval.policy':
        this.setPolicy(command.policy);
        return null;
    }
  }

  /** Puts another policy in force. `none` says no to what waits; a question that is on the screen is never answered with yes by it. */
  setPolicy(policy: ApprovalPolicy): void {
    const { emit } = this.#options;
    this.#inForce = this.#put(policy);
    emit({ type: 'approval.policy', policy });
    if (policy.kind === 'none')
      for (const pending of [...this.#pending.values()]) pending.settle('deny', 'user', { feedback: POLICY_NONE });
  }

  /** Told of every event: what was allowed on one target is not allowed on another. */
  hear(event: RuntimeEvent): void {
    this.exposure.hear(event);
    if (event.type !== 'target.changed') return;
    const { label, host, user } = event.target;
    if (host === '' || user === '') return;
    const where = JSON.stringify([label, host, user]);
    if (this.#where !== '' && this.#where !== where) this.forget();
    this.#where = where;
  }

  /** What was allowed for this session, and a timed policy, do not outlive it. */
  forget(): void {
    this.#allowedForSession.clear();
    this.rules.forget();
    this.denials.forget();
    if (this.#inForce.policy.kind === 'until') this.setPolicy({ kind: 'ask' });
  }

  /** Resolves with the verdict; a signal that fires means no. Never rejects. */
  ask(question: Question, signal: AbortSignal): Promise<Verdict> {
    const standing = this.#standing();
    if (standing === 'deny') return Promise.resolve({ allowed: false, reason: `${POLICY_NONE} Nothing ran.` });
    const isOpen = standing === 'allow';
    const read = this.#options.exposureNarrows === false ? null : this.exposure.read;
    const asked: Asked = { question: narrowed(question, read), notes: [], key: sessionKey(question, read) };
    const permit = this.#permit(asked, isOpen, read);
    if (permit !== null) {
      if (permit.rule !== undefined)
        this.#options.emit({ type: 'approval.ruled', task: question.task, call: question.call, rule: permit.rule });
      return Promise.resolve({ allowed: true, reason: '' });
    }
    if (signal.aborted) return Promise.resolve({ allowed: false, reason: 'cancelled' });
    if (this.denials.tooOften(question.task) !== null) return Promise.resolve({ allowed: false, reason: ENDING });
    const before = read === null ? null : this.#permit({ ...asked, question, key: sessionKey(question, null) }, isOpen, null);
    return this.#question(
      { ...asked, notes: [...this.#deniedNotes(question), ...coverNotes(question), ...exposureNotes(asked.question, read, before)] },
      signal,
    );
  }

  #deniedNotes({ alike }: Question): readonly string[] {
    const times = this.denials.before(alike);
    return times === 0 ? [] : [`asked again: you said no to the like of it ${times === 1 ? 'once' : `${times} times`} before`];
  }

  /** What says yes to it without a question; null: nothing does. `read`: what of strangers' words was read. */
  #permit({ question, key }: Asked, isOpen: boolean, read: string | null): Permit | null {
    const { caution, needsYes, act, place, claim } = question;
    if (this.#allowedForSession.has(key)) return { says: 'you said yes to it for this session' };
    // Where nobody can answer, everything is only allowed when that was said outright, and a stranger has had no say.
    if (isOpen && (caution === 'policy' || (!this.#options.interactive && read === null))) return { says: 'everything is approved' };
    if (caution === 'policy' && !needsYes) return { says: 'your settings allow it' };
    const rule = caution === 'user' || act === undefined ? null : this.rules.find(act, place, claim);
    return rule === null ? null : { says: `your rule ${rule.id} covers it`, rule };
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

  /** Says no to everything that waits. */
  denyAll(): void {
    this.#watch?.dispose();
    for (const pending of [...this.#pending.values()]) pending.settle('deny', 'shutdown');
  }

  /** That policy from now on. Of a timed one it is told at once when it has ended: the countdown that people see must not be longer. */
  #put(policy: ApprovalPolicy): PolicyInForce {
    const { clock } = this.#options;
    this.#watch?.dispose();
    this.#watch = policy.kind === 'until' ? clock.every(LOOK_MS, () => void this.#standing()) : null;
    return putInForce(policy, clock.now(), clock.monotonic());
  }

  #standing() {
    const { clock, emit } = this.#options;
    const standing = standingOf(this.#inForce, clock.now(), clock.monotonic());
    if (standing === 'ask' && this.#inForce.policy.kind === 'until') {
      this.#inForce = this.#put({ kind: 'ask' });
      emit({ type: 'approval.policy', policy: { kind: 'ask' } });
    }
    return standing;
  }

  #question({ question, notes, key }: Asked, signal: AbortSignal): Promise<Verdict> {
    this.#count++;
    const id = `a${this.#count}`;
    const { like, ofAnyBody, needsYes, caution, narrows, alike, act, place, ...shown } = question;
    return new Promise((resolve) => {
      const onAbort = () => settle('deny', 'cancel');
      const settle = (decision: ApprovalDecision, by: Answerer, words: Words = {}) => {
        if (!this.#pending.delete(id)) return;
        signal.removeEventListener('abort', onAbort);
        if (decision === 'deny' && by === 'user') this.denials.add(question.task, question.alike);
        if (decision === 'session') this.#allowedForSession.add(key);
        this.#options.emit({ type: 'approval.resolved', approval: id, decision, by });
        const changed = words.body === undefined ? {} : { body: words.body };
        resolve({ allowed: decision !== 'deny', reason: denial(by, words.feedback), ...changed });
      };
      this.#pending.set(id, { question, settle });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#options.emit({ type: 'approval.requested', request: { id, ...shown, ...(notes.length === 0 ? {} : { notes }) } });
      if (!this.#options.interactive) settle('deny', 'policy');
    });
  }
}

/**
 * Only the very same act in the same folder of the very same target counts as alike. A yes from before strangers' words were read does not
 * count after it where only a person can say it.
 */
function sessionKey(question: Question, read: string | null): string {
  const isExposed = read !== null && narrowed(question, read).caution === 'user';
  const body = question.ofAnyBody === true ? true : question.body;
  return JSON.stringify([question.target, question.cwd, question.like, body, ...(isExposed ? ['exposed'] : [])]);
}

/** The question as it is once strangers' words were read. */
function narrowed(question: Question, read: string | null): Question {
  const { narrows, computed, claim } = question;
  if (read === null || narrows.length === 0) return question;
  const judged = computed ?? { risk: 'high', mutation: claim?.mutation ?? true, privesc: false, network: false, reasons: [] };
  const { rule, ...rest } = question;
  return { ...rest, caution: 'user', needsYes: true, computed: { ...judged, reasons: [...new Set([...judged.reasons, ...narrows])] } };
}

function coverNotes({ ofAnyBody, tool }: Question): readonly string[] {
  return ofAnyBody === true ? [`a yes for the session is for every call of ${tool}, whatever its arguments are`] : [];
}

/** Why it is asked about though something would have said yes to it, or whose idea it may be. */
function exposureNotes({ caution }: Question, read: string | null, before: Permit | null): readonly string[] {
  if (read === null || caution !== 'user') return [];
  return [
    before === null
      ? `this session has read ${read}, and this may be its idea`
      : `asked although ${before.says}: this session has read ${read} since`,
  ];
}

function denial(by: Answerer, feedback: string | undefined): string {
  if (by === 'policy') return NOBODY;
  if (by !== 'user') return 'It was cancelled before it was allowed; nothing ran.';
  const said = feedback?.trim() ?? '';
  return `The user said no; nothing ran.${said === '' ? ' Do not try the same again; ask or do something else.' : ` They say: ${said}`}`;
}
