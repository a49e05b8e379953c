/** A rule that is being made, as rows: what of the call it names, what it lets through, where and how long. */

import type { Row, Segment } from '../../base/style.js';
import { visibleLine } from '../../base/visible.js';
import type { ApprovalRequest } from '../../protocol/approvals.js';
import {
  chosenRule,
  commandText,
  letsThrough,
  type RuleChoice,
  type RuleOffer,
  type RuleSubject,
  scopeText,
} from '../../protocol/rules.js';
import type { Theme } from '../theme.js';
import { type Line, layOut } from './lines.js';

/** The rows at `width` cells. */
export function ruleRows(request: ApprovalRequest, offer: RuleOffer, choice: RuleChoice, width: number, theme: Theme): readonly Row[] {
  const rule = chosenRule(offer, choice);
  if (rule === null) return [];
  const { styles } = theme;
  const line = (name: string, segments: readonly Segment[]): Line => ({
    lead: [{ text: visibleLine(name.padEnd(NAME_CELLS)), style: styles.muted }],
    hang: [{ text: visibleLine(' '.repeat(NAME_CELLS)), style: styles.muted }],
    segments: segments.filter((part) => part.text !== ''),
  });
  const says = (text: string): readonly Segment[] => [{ text: visibleLine(text, 'exact'), style: styles.text }];
  const lines = [
    line('the rule', named(rule.subject, offer, request, theme)),
    line('allows', says(letsThrough(rule.subject))),
    line('holds', says(scopeText(rule))),
  ];
  return layOut(lines, width, null, null).rows;
}

const NAME_CELLS = 10;

/** The call with the part that the rule names in the look of a key: the rest can be anything. */
function named(subject: RuleSubject, offer: RuleOffer, request: ApprovalRequest, theme: Theme): readonly Segment[] {
  const { styles } = theme;
  const [part, rest] = partsOf(subject, offer, request);
  return [
    { text: visibleLine(part, 'exact'), style: styles.approval_key },
    { text: visibleLine(rest, 'exact'), style: styles.muted },
  ];
}

/** The narrowest subject of an offer is the call itself. */
function partsOf(subject: RuleSubject, { subjects }: RuleOffer, { body }: ApprovalRequest): readonly [string, string] {
  const call = subjects[subjects.length - 1];
  if (subject.kind === 'command') {
    const part = commandText(subject.words);
    const whole = call?.kind === 'command' ? commandText(call.words) : body;
    return [part, subject.exact ? '' : `${whole.slice(part.length)} …`];
  }
  const path = call === undefined || call.kind === 'command' ? subject.path : call.path;
  return [subject.path, path.slice(subject.path.length)];
}
