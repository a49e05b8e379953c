/** The parts of the lines at the top and at the bottom (`[screen] header`, `footer`): one row of this table each. */

import type { Segment, Style } from '../../base/style.js';
import { baseOf } from '../../protocol/efforts.js';
import type { ModelSummary } from '../../protocol/events.js';
import { isRuleFor } from '../../protocol/rules.js';
import type { SegmentName } from '../../protocol/segments.js';
import { sparkline } from '../charts.js';
import { awaitsTrust } from '../project.js';
import { runningFor } from '../rows/elapsed.js';
import { costText, inputText, outputText } from '../spent.js';
import { runningPrompt, type State, shownNow } from '../state.js';
import type { Theme } from '../theme.js';
import { rateNow } from '../usage.js';
import { exactPiece, piece } from './pieces.js';

const GAUGE_CELLS = 7;
/** Cells; a full disk, a read-only file system and what is not permitted are said in fewer. */
const LONGEST_REASON = 30;

/** One part. What it says is text or a few runs of it; nothing when there is nothing to say. */
interface SegmentRow {
  /** Where it stands when the line has no `gap`. */
  readonly side: 'left' | 'right';
  /** In a line that is too long, those with the lowest number go first; without a number it is kept. */
  readonly goes?: number;
  /** All of the state that it depends on. */
  inputs(state: State): readonly unknown[];
  pieces(state: State, theme: Theme): readonly Segment[];
}

/** What makes a part by itself; `hints` and `gap` belong to the line. */
export const segmentRows: Readonly<Record<Exclude<SegmentName, 'hints' | 'gap'>, SegmentRow>> = {
  name: {
    side: 'left',
    inputs: () => [],
    pieces: (_state, { styles }) => [piece(' buddy-tui ', styles.status_name)],
  },
  agent: text('left', 4, (state) => state.agent),
  session: text('left', 3, (state) => state.session),
  unsaved: {
    side: 'right',
    inputs: ({ kept }) => [kept.storage?.trouble ?? null],
    pieces: ({ kept }, { styles }) => unsavedPieces(kept.storage?.trouble ?? null, styles.policy_open),
  },
  trust: {
    side: 'right',
    inputs: ({ project }) => [awaitsTrust(project)],
    pieces: ({ project }, { styles }) => (awaitsTrust(project) ? [piece(' untrusted: /trust ', styles.policy_ask)] : []),
  },
  model: {
    side: 'left',
    inputs: (state) => [state.model],
    pieces: ({ model }, { styles }) => [piece(` ${model === null ? 'starting' : modelText(model)} `, styles.model_name)],
  },
  target: {
    side: 'left',
    inputs: (state) => [state.target],
    pieces: ({ target }, { styles }) => (target === null ? [] : [exactPiece(` ${target.label} `, styles.status_line)]),
  },
  cwd: {
    side: 'left',
    inputs: (state) => [state.target],
    pieces: ({ target }, { styles }) => (target === null ? [] : [exactPiece(` ${target.cwd}`, styles.status_line)]),
  },
  context: { side: 'right', inputs: (state) => [state.context], pieces: gauge },
  rate: text('right', 1, rateText),
  tokens: text('right', 2, ({ usage: { all } }) => (all.requests === 0 ? '' : `${inputText(all)} in ${outputText(all)} out`)),
  cost: text('right', 5, (state) => costText(state.usage.all) ?? ''),
  policy: {
    side: 'right',
    inputs: (state) => [state.policy, state.rules, state.target, state.policy.kind === 'until' ? shownNow(state) : 0],
    pieces: (state, theme) => [policyPiece(state, theme)],
  },
};

/** It stays until all is on the disk. A reason that is longer than that is in the conversation only. */
function unsavedPieces(trouble: string | null, style: Style): readonly Segment[] {
  if (trouble === null) return [];
  return [piece(trouble.length > LONGEST_REASON ? ' not saved ' : ` not saved: ${trouble} `, style)];
}

/** A part that is words in the look of the line. */
function text(side: SegmentRow['side'], goes: number, words: (state: State) => string): SegmentRow {
  return {
    side,
    goes,
    inputs: (state) => [words(state)],
    pieces(state, { styles }) {
      const says = words(state);
      return says === '' ? [] : [piece(` ${says} `, styles.status_line)];
    },
  };
}

/** `codex ▸ responses`, and how much it is told to think: `codex ▸ responses · high`. */
function modelText(model: ModelSummary): string {
  return `${baseOf(model)} ▸ ${model.api}${model.effort === undefined ? '' : ` · ${model.effort}`}`;
}

function rateText(state: State): string {
  if (runningPrompt(state) === null) return '';
  const rate = rateNow(state.usage, state.nowMs);
  return rate.length === 0 ? '' : `${sparkline(rate)} ${rate.at(-1)} t/s`;
}

function gauge(state: State, theme: Theme): readonly Segment[] {
  if (state.context === null || state.context.windowTokens <= 0) return [];
  const share = Math.min(1, state.context.usedTokens / state.context.windowTokens);
  const full = Math.round(share * GAUGE_CELLS);
  return [piece(` ctx ${Math.round(share * 100)}% ${'▓'.repeat(full)}${'░'.repeat(GAUGE_CELLS - full)} `, fullness(share, theme))];
}

/** The look of a gauge that is so full. */
function fullness(share: number, { styles }: Theme): Style {
  return share >= 0.9 ? styles.gauge_high : share >= 0.8 ? styles.gauge_middle : styles.gauge_low;
}

function policyPiece(state: State, theme: Theme): Segment {
  const { policy } = state;
  const { styles } = theme;
  switch (policy.kind) {
    case 'ask':
      return piece(` ask ${rulesHere(state)}`, styles.policy_ask);
    case 'none':
      return piece(' approve none ', styles.policy_ask);
    case 'all':
      return piece(' approve ALL ', styles.policy_open);
    case 'until':
      return piece(` approve all ${runningFor(shownNow(state), policy.untilMs)} `, styles.policy_open);
  }
}

/** How many rules can hold on this target: so much is not asked. */
function rulesHere({ rules, target }: State): string {
  const count = target === null ? 0 : rules.filter((rule) => isRuleFor(rule, target)).length;
  return count === 0 ? '' : `+${count} ${count === 1 ? 'rule' : 'rules'} `;
}
