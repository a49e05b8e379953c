/** The buttons of the approval panel as data: the panel draws them, and a click on one does what its key does. */

import { bodyView, markShown, unseenReason } from './approval.js';
import { type ActionId, keyLabel, keymap, keysOf } from './keymap.js';
import { inside } from './layout.js';
import { onlyWholeReason, questionInFront } from './question.js';
import { unsavableReason } from './ruling.js';
import { screenLayout } from './screen.js';
import type { State } from './state.js';

/** One button. A click does what pressing `key` does, under the same conditions (see `isArmed`). */
export interface PanelButton {
  readonly id: ActionId;
  /** The key as the decoder names it, as it is bound now. */
  readonly key: string;
  /** What stands on it: `[y] once`. */
  readonly label: string;
  /** It would do something now. */
  readonly enabled: boolean;
  /** Cells of the screen: the row, the first column, and the one behind the last. */
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** A button before it has a place. */
type Drawn = Pick<PanelButton, 'id' | 'key' | 'label' | 'enabled'>;

/** "No", or the way back, is never without its button. */
const LEAST_CELLS = 10;

/** Cells between two buttons. */
export const BUTTON_GAP = 2;

/** A kind of button: what stands on it, in fewer cells where there is little room. Those with a higher `need` stay the longest. */
interface Kind {
  readonly id: ActionId;
  readonly word: string;
  readonly short?: string;
  readonly need: number;
}

/** In the order in which they stand. */
const answers: readonly Kind[] = [
  { id: 'approval.once', word: 'once', need: 9 },
  { id: 'approval.session', word: 'session', need: 8 },
  { id: 'approval.rule', word: 'rule…', short: 'rule', need: 6 },
  { id: 'approval.edit', word: 'edit', need: 5 },
  { id: 'approval.deny', word: 'no', need: 10 },
  { id: 'approval.feedback', word: 'no, because', short: 'no, why', need: 7 },
  { id: 'approval.next', word: 'next', need: 4 },
  { id: 'approval.whole', word: 'whole file', short: 'file', need: 2 },
  { id: 'approval.expand', word: 'larger', need: 3 },
];
const ruling: readonly Kind[] = [
  { id: 'ruling.save', word: 'save, and yes', short: 'save', need: 5 },
  { id: 'ruling.wider', word: 'wider', need: 3 },
  { id: 'ruling.narrower', word: 'narrower', need: 2 },
  { id: 'ruling.scope', word: 'where, how long', short: 'where', need: 1 },
  { id: 'ruling.back', word: 'back', need: 4 },
];

/** The buttons of a question that has `cells` for them; none while an answer is written. */
export function buttonsWithin(state: State, cells: number): readonly Drawn[] {
  if (state.approval === null || state.answering !== null) return [];
  // What this very picture shows will have been seen when its keys are read.
  const seen = markShown(state, state.nowMs);
  const kinds = state.ruling === null ? answers : ruling;
  const draw = (isShort: boolean) => kinds.flatMap((kind) => drawn(kind, isShort, seen));
  for (const isShort of [false, true]) {
    const all = draw(isShort);
    if (widthOf(all) <= cells) return all;
  }
  // Where there is little room, only what can be pressed now.
  const kept: (Drawn & Kind)[] = [];
  for (const button of [...draw(true)].sort((a, b) => b.need - a.need)) {
    if (button.enabled && widthOf([...kept, button]) <= cells) kept.push(button);
  }
  const order = (button: Kind) => kinds.findIndex((kind) => kind.id === button.id);
  return kept.sort((a, b) => order(a) - order(b));
}

/** Nothing for what has no meaning now. */
function drawn(kind: Kind, isShort: boolean, seen: State): readonly (Drawn & Kind)[] {
  const row = keymap.find((known) => known.id === kind.id);
  const key = row === undefined ? undefined : keysOf(seen.bindings, row)[0];
  if (row === undefined || key === undefined || row.when?.(seen) === false) return [];
  const hasNoFile = kind.id === 'approval.whole' && onlyWholeReason(seen) !== null;
  if (hasNoFile) return [];
  const label = `[${keyLabel(key)}] ${wordOf(kind, isShort, seen)}`;
  return [{ ...kind, key, label, enabled: (row.disabled?.(seen) ?? null) === null }];
}

function wordOf({ id, word, short = word }: Kind, isShort: boolean, state: State): string {
  const { approval } = state;
  if (id === 'approval.expand' && approval?.expanded === true) return 'smaller';
  if (id === 'approval.whole' && approval?.whole === true) return 'changes';
  // Of a large file only a part is there to be shown.
  if (id === 'approval.whole' && questionInFront(state)?.diff?.firstLine !== undefined) return isShort ? 'part' : 'whole part';
  return isShort ? short : word;
}

/** The buttons as they stand on the screen now. */
export function approvalButtons(state: State): readonly PanelButton[] {
  const { approval, kind } = screenLayout(state);
  if (approval === null || kind === 'small') return [];
  const { x, y, cols, rows } = inside(approval);
  const behind = bodyView(state)?.behind ?? 0;
  let from = x;
  return buttonsWithin(state, buttonCells(state, cols)).map((button) => {
    const to = from + button.label.length;
    const { id, key, label, enabled } = button;
    const placed: PanelButton = { id, key, label, enabled, row: y + rows - 1 - behind, from, to };
    from = to + BUTTON_GAP;
    return placed;
  });
}

/** The button under that cell of the screen, or null. */
export function buttonAt(state: State, x: number, y: number): PanelButton | null {
  return approvalButtons(state).find((button) => button.row === y && x >= button.from && x < button.to) ?? null;
}

/** What is left for buttons in a row of the panel: beside them stands why there can be no yes. */
export function buttonCells(state: State, cols: number): number {
  return Math.max(LEAST_CELLS, cols - 1 - (reasonText(state) ?? '').length);
}

/** Why there can be no yes yet, or the rule cannot be saved, as the panel says it; null when it can. */
export function reasonText(state: State): string | null {
  const reason = state.ruling === null ? unseenReason(markShown(state, state.nowMs)) : unsavableReason(state);
  return reason === null ? null : state.ruling === null ? `y: ${reason}` : reason;
}

function widthOf(buttons: readonly Drawn[]): number {
  return buttons.reduce((sum, button) => sum + button.label.length, 0) + BUTTON_GAP * Math.max(0, buttons.length - 1);
}
