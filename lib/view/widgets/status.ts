/** The status bar on top: who, where, how full the context is, and what may happen without asking. */

import type { Segment } from '../../base/style.js';
import { runningFor } from '../rows/elapsed.js';
import { type State, shownNow } from '../state.js';
import type { Theme } from '../theme.js';
import type { Widget } from '../widget.js';
import { ends, exactPiece, piece } from './pieces.js';

const GAUGE_CELLS = 7;

/** One row; the right end is kept, the left one gives way. */
export const status: Widget = {
  id: 'status',
  inputs: (state) => [
    state.model,
    state.target,
    state.context,
    state.policy,
    state.rules.length,
    state.policy.kind === 'until' ? shownNow(state) : 0,
  ],
  rows(state, size, theme) {
    const { styles } = theme;
    const model = state.model === null ? 'starting' : `${state.model.profile} ▸ ${state.model.api}`;
    const left = [piece(' buddy-tui ', styles.status_name), piece(` ${model} `, styles.model_name)];
    if (state.target !== null) left.push(exactPiece(` ${state.target.label}  ${state.target.cwd}`, styles.status_line));
    const right = [...gauge(state, theme), policyPiece(state, theme)];
    return [ends(left, right, size.cols, styles.status_line)];
  },
};

function gauge(state: State, theme: Theme): readonly Segment[] {
  if (state.context === null || state.context.windowTokens <= 0) return [];
  const share = Math.min(1, state.context.usedTokens / state.context.windowTokens);
  const full = Math.round(share * GAUGE_CELLS);
  const style = share >= 0.9 ? theme.styles.gauge_high : share >= 0.8 ? theme.styles.gauge_middle : theme.styles.gauge_low;
  return [piece(` ctx ${Math.round(share * 100)}% ${'▓'.repeat(full)}${'░'.repeat(GAUGE_CELLS - full)} `, style)];
}

function policyPiece(state: State, theme: Theme): Segment {
  const { policy } = state;
  const { styles } = theme;
  switch (policy.kind) {
    case 'ask':
      return piece(state.rules.length === 0 ? ' ask ' : ` ask +${counted(state.rules.length)} `, styles.policy_ask);
    case 'none':
      return piece(' approve none ', styles.policy_ask);
    case 'all':
      return piece(' approve ALL ', styles.policy_open);
    case 'until':
      return piece(` approve all ${runningFor(shownNow(state), policy.untilMs)} `, styles.policy_open);
  }
}

function counted(rules: number): string {
  return `${rules} ${rules === 1 ? 'rule' : 'rules'}`;
}
