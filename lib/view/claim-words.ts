/** What the program and the model think of a command, in words, and how they share the rows of the panel. */

import { visibleLine } from '../base/visible.js';
import { cellWidth } from '../base/width.js';
import type { ApprovalRequest, ComputedRisk, ModelClaim } from '../protocol/approvals.js';
import { computedWords } from './computed-risk.js';
import type { Size } from './widget.js';

/** In fewer rows both share one, and say less. */
const LEAST_ROWS_FOR_TWO = 24;

/**
 * `beside`: in one row, whole. `below`: what was computed and why it is asked about in every mode, and below that the model. `brief`: one row
 * with the end left out. `none`: nobody has said anything.
 */
export type ClaimPlan = 'none' | 'beside' | 'below' | 'brief';

/** A stretch of a row: a word for the risk, or what stands around it. */
export interface ClaimWord {
  readonly text: string;
  readonly kind: 'computed risk' | 'claimed risk' | 'reasons' | 'plain';
}

const plain = (text: string): ClaimWord => ({ text, kind: 'plain' });

/** What is thought of an act, and what is to be known of it. */
export type Judged = Pick<ApprovalRequest, 'claim' | 'computed' | 'notes'>;

/** How both are shown in a window of that size. */
export function claimPlan({ claim, computed, notes = [] }: Judged, size: Size): ClaimPlan {
  if (computed === undefined || claim === null) return computed === undefined && claim === null && notes.length === 0 ? 'none' : 'beside';
  const width = besideWords(claim, computed).reduce((sum, { text }) => sum + cellWidth(visibleLine(text)), 0);
  if (computed.reasons.length === 0 && notes.length === 0 && width <= size.cols - 2) return 'beside';
  return size.rows >= LEAST_ROWS_FOR_TWO ? 'below' : 'brief';
}

/** The words of each row. */
export function claimRowWords({ claim, computed, notes = [] }: Judged, plan: ClaimPlan): readonly (readonly ClaimWord[])[] {
  if (plan === 'none') return [];
  const noted = notes.map((text): readonly ClaimWord[] => [{ text, kind: 'reasons' }]);
  if (claim === null || computed === undefined) {
    if (claim !== null) return [...noted, claimedWords(claim)];
    return computed === undefined ? noted : [...noted, [...riskWords(computed), ...reasonWords(computed)]];
  }
  if (plan === 'beside') return [besideWords(claim, computed)];
  if (plan === 'below') return [...noted, [...riskWords(computed), ...reasonWords(computed)], claimedWords(claim)];
  const short: readonly ClaimWord[] = [plain(' · model: '), { text: claim.risk, kind: 'claimed risk' }];
  const end = computed.reasons.length === 0 ? [plain(`: “${claim.why}”`)] : reasonWords(computed, ' · ');
  return [[...noted.flatMap((words) => [...words, plain(' · ')]), ...riskWords(computed), ...short, ...end]];
}

function besideWords(claim: ModelClaim, computed: ComputedRisk): readonly ClaimWord[] {
  return [...riskWords(computed), plain(' · '), ...claimedWords(claim)];
}

function riskWords(computed: ComputedRisk): readonly ClaimWord[] {
  const [risk = '', ...more] = computedWords(computed);
  return [plain('computed: '), { text: risk, kind: 'computed risk' }, plain(`, ${more.join(', ')}`)];
}

function reasonWords({ reasons }: ComputedRisk, before = ': '): readonly ClaimWord[] {
  return reasons.length === 0 ? [] : [plain(before), { text: reasons.join('; '), kind: 'reasons' }];
}

function claimedWords({ risk, mutation, privesc, why }: ModelClaim): readonly ClaimWord[] {
  const more = `${mutation ? ', changes things' : ', changes nothing'}${privesc ? ', as root' : ''}: “${why}”`;
  return [plain('the model says: '), { text: `${risk} risk`, kind: 'claimed risk' }, plain(more)];
}
