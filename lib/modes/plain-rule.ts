/** A rule in the plain mode: two lists, each answered by a number. */

import { type Visible, visibleLine } from '../base/visible.js';
import type { ApprovalRequest } from '../protocol/approvals.js';
import { letsThrough, type RuleChoice, type RuleOffer, ruleTimes, scopeText } from '../protocol/rules.js';

/** How far the choice is: the rule first, then where and how long it holds. */
export interface PlainRuling {
  readonly request: ApprovalRequest;
  readonly subject: number | null;
}

/** What is said next: the list to choose from. */
export function rulingWords({ request, subject }: PlainRuling): readonly Visible[] {
  const { rule } = request;
  if (rule === undefined) return [];
  const list = subject === null ? rule.subjects.map(letsThrough) : scopesOf(rule).map((scope) => scopeText(scopeOf(rule, scope)));
  const head = subject === null ? 'Which rule? It lets through:' : 'Where, and how long?';
  return [head, ...list.map((text, at) => `${at + 1} ${text}`), '0 no rule; back to the question'].map((line) =>
    visibleLine(line, 'exact'),
  );
}

/** What the line chooses: the next step, the finished choice, or null for anything else. */
export function rulingAfter({ request, subject }: PlainRuling, line: string): PlainRuling | RuleChoice | null {
  const { rule } = request;
  const at = /^\s*[1-9]\d?\s*$/.test(line) ? Number(line) - 1 : -1;
  if (rule === undefined || at < 0) return null;
  if (subject === null) return at < rule.subjects.length ? { request, subject: at } : null;
  const scope = scopesOf(rule)[at];
  return scope === undefined ? null : { subject, ...scope };
}

type Scope = Pick<RuleChoice, 'place' | 'saved' | 'forMs'>;

function scopesOf({ places }: RuleOffer): readonly Scope[] {
  return ruleTimes.flatMap((time) => places.map((_, place) => ({ place, ...time })));
}

function scopeOf({ places }: RuleOffer, { place, ...time }: Scope) {
  return { place: places[place] ?? { target: '', host: '', user: '', folder: null }, ...time };
}
