/** The rules in force: those of this session, and those that are kept. */

import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import { type PolicyInForce, putInForce, standingOf } from '../policy/approval-policy.js';
import { type Act, type ActPlace, covers } from '../policy/approval-rules.js';
import type { ModelClaim } from '../protocol/approvals.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { ListedRule, Rule } from '../protocol/rules.js';

/** Where rules outlive a run. Both reject with a sentence for people. */
export interface RuleStore {
  /** Those of earlier runs. */
  readonly known: readonly Rule[];
  add(rule: Rule): Promise<void>;
  remove(rule: Rule): Promise<void>;
}

/** Owns them, and tells of every change. */
export class Rules {
  readonly #store: RuleStore | null;
  readonly #emit: (event: RuntimeEvent) => void;
  readonly #clock: Clock;
  /** When those end that are for a time: as a policy for a time does. */
  readonly #ends = new Map<string, PolicyInForce>();
  #listed: readonly ListedRule[];
  #count = 0;

  /** Without a store nothing is kept. */
  constructor(store: RuleStore | null, clock: Clock, emit: (event: RuntimeEvent) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#emit = emit;
    this.#listed = (store?.known ?? []).map((rule) => this.#named(rule));
  }

  /** Tells which there are, when there are any. */
  announce(): void {
    if (this.#listed.length > 0) this.#tell();
  }

  /** The first rule that says yes to that act, or null. */
  find(act: Act, place: ActPlace, claim: ModelClaim | null): ListedRule | null {
    this.#dropEnded();
    return this.#listed.find((rule) => covers(rule, act, place, claim)) ?? null;
  }

  /** Puts a rule in force at once. When it cannot be kept, that is told, and it holds until the end of the session. */
  add(rule: Rule): ListedRule {
    const named = this.#named(rule);
    this.#listed = [...this.#listed, named];
    this.#tell();
    if (rule.saved) {
      this.#store?.add(rule).catch((thrown: unknown) => {
        this.#listed = this.#listed.map((known) => (known.id === named.id ? { ...known, saved: false } : known));
        this.#emit({ type: 'warning', message: `The rule holds for this session only: ${messageOf(thrown)}` });
        this.#tell();
      });
    }
    return named;
  }

  /** False: there is no such rule. */
  remove(id: string): boolean {
    const rule = this.#listed.find((known) => known.id === id);
    if (rule === undefined) return false;
    this.#listed = this.#listed.filter((known) => known !== rule);
    this.#tell();
    if (rule.saved) {
      this.#store?.remove(rule).catch((thrown: unknown) => {
        this.#emit({ type: 'warning', message: `The rule is gone for now, but comes back with the next start: ${messageOf(thrown)}` });
      });
    }
    return true;
  }

  /** Those of the session end with it. */
  forget(): void {
    if (this.#listed.every((rule) => rule.saved)) return;
    this.#listed = this.#listed.filter((rule) => rule.saved);
    this.#tell();
  }

  #dropEnded(): void {
    const ended = (id: string) => {
      const ends = this.#ends.get(id);
      return ends !== undefined && standingOf(ends, this.#clock.now(), this.#clock.monotonic()) !== 'allow';
    };
    if (!this.#listed.some(({ id }) => ended(id))) return;
    this.#listed = this.#listed.filter(({ id }) => !ended(id));
    this.#tell();
  }

  #named(rule: Rule): ListedRule {
    this.#count++;
    const id = `r${this.#count}`;
    if (rule.forMs === undefined) return { ...rule, id };
    const untilMs = this.#clock.now() + rule.forMs;
    this.#ends.set(id, putInForce({ kind: 'until', untilMs }, this.#clock.now(), this.#clock.monotonic()));
    return { ...rule, id, untilMs };
  }

  #tell(): void {
    this.#emit({ type: 'approval.rules', rules: this.#listed });
  }
}
