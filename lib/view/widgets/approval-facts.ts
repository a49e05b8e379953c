/** What the approval panel says about an act: where it would happen and as whom, and what is thought of it. */

import { type Row, rowOf, type Segment, type Style } from '../../base/style.js';
import type { ApprovalRequest, ComputedRisk, RequestPlace } from '../../protocol/approvals.js';
import { type ClaimWord, claimRowWords } from '../claim-words.js';
import { stricter } from '../computed-risk.js';
import { segmentsWidth } from '../rows/lines.js';
import { shownPlan } from '../screen.js';
import type { State } from '../state.js';
import type { Theme, ThemeToken } from '../theme.js';
import { exactPiece, fitted, piece } from './pieces.js';

const targetLooks: Readonly<Record<RequestPlace['kind'], ThemeToken>> = {
  local: 'target_local',
  ssh: 'target_ssh',
  container: 'target_container',
};

/**
 * `approve on web-01 (ssh) · root@web-01 · /srv`: the target in a look of its own, so that another one is seen at a glance. Where that
 * is more than `cells`, the account gives way.
 */
export function placePieces({ target, where, cwd }: ApprovalRequest, cells: number, { styles }: Theme): readonly Segment[] {
  const line = styles.approval_border;
  const look = where === undefined ? line : styles[targetLooks[where.kind]];
  const start = [piece('approve on ', line), exactPiece(target, look)];
  const accounts = where === undefined ? [] : [[where.user, where.host].filter((part) => part !== '').join('@'), where.user];
  const ends = [...accounts, ''].map((account) =>
    exactPiece([account, cwd].flatMap((part) => (part === '' ? [] : [` · ${part}`])).join(''), line),
  );
  const end = ends.find((part) => segmentsWidth([...start, part]) <= cells) ?? ends.at(-1);
  return end === undefined ? start : [...start, end];
}

/** What the program and the model think of it; the risk that counts, the stricter one, in its colour. */
export function claimedRows(state: State, request: ApprovalRequest, cols: number, theme: Theme): readonly Row[] {
  const plan = shownPlan(state);
  if (plan === 'none') return [];
  const { claim, computed } = request;
  const counts = stricter(computed, claim);
  const { muted, warning } = theme.styles;
  const looks: Readonly<Record<ClaimWord['kind'], Style>> = {
    plain: muted,
    reasons: warning,
    'computed risk': computed === undefined || counts === 'claim' ? muted : riskLook(computed.risk, theme),
    'claimed risk': claim === null || counts === 'computed' ? muted : riskLook(claim.risk, theme),
  };
  return claimRowWords(request, plan).map((words) =>
    rowOf(
      ...fitted(
        words.map(({ text, kind }) => piece(text, looks[kind])),
        cols,
      ),
    ),
  );
}

function riskLook(risk: ComputedRisk['risk'], { styles }: Theme): Style {
  return { low: styles.risk_low, medium: styles.risk_medium, high: styles.risk_high }[risk];
}
