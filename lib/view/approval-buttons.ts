/** The buttons of the approval panel as data: the panel draws them, and a click on one does what its key does. */

import { markShown, unseenReason } from './approval.js';
import { type ActionId, keyLabel, keymap, keysOf } from './keymap.js';
import { inside } from './layout.js';
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

/** Cells between two buttons. */
export const BUTTON_GAP = 2;

/** Where there is little room the later ones give way; then they stand in the order of `order`. */
const byNeed: readonly ActionId[] = [
  'approval.deny',
  'approval.once',
  'approval.session',
  'approval.feedback',
  'approval.edit',
  'approval.expand',
];
const order: readonly ActionId[] = [
  'approval.once',
  'approval.session',
  'approval.edit',
  'approval.deny',
  'approval.feedback',
  'approval.expand',
];

const words: Readonly<Partial<Record<ActionId, string>>> = {
  'approval.once': 'once',
  'approval.session': 'session',
  'approval.edit': 'edit',
  'approval.deny': 'no',
  'approval.feedback': 'no, because',
  'approval.expand': 'larger',
};

/** The same in fewer cells. */
const shortWords: Readonly<Partial<Record<ActionId, string>>> = { 'approval.feedback': 'no, why' };

/** The buttons of a question that has `cells` for them; none while an answer is written. */
export function buttonsWithin(state: State, cells: number): readonly Drawn[] {
  if (state.approval === null || state.answering !== null) return [];
  // What this very picture shows will have been seen when its keys are read.
  const seen = markShown(state, state.nowMs);
  const draw = (id: ActionId, isShort: boolean): readonly Drawn[] => {
    const row = keymap.find((known) => known.id === id && known.context === 'approval');
    const key = row === undefined ? undefined : keysOf(state.bindings, row)[0];
    if (row === undefined || key === undefined) return [];
    const label = `[${keyLabel(key)}] ${(isShort ? shortWords[id] : undefined) ?? wordsOf(id, state)}`;
    return [{ id, key, label, enabled: (row.disabled?.(seen) ?? null) === null }];
  };
  for (const isShort of [false, true]) {
    const all = order.flatMap((id) => draw(id, isShort));
    if (widthOf(all) <= cells) return all;
  }
  // Where there is little room, only what can be pressed now.
  const kept: Drawn[] = [];
  for (const button of byNeed.flatMap((id) => draw(id, true))) {
    if (button.enabled && widthOf([...kept, button]) <= cells) kept.push(button);
  }
  return kept.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

/** The buttons as they stand on the screen now. */
export function approvalButtons(state: State): readonly PanelButton[] {
  const { approval, kind } = screenLayout(state);
  if (approval === null || kind === 'small') return [];
  const { x, y, cols, rows } = inside(approval);
  let from = x;
  return buttonsWithin(state, buttonCells(state, cols)).map((button) => {
    const to = from + button.label.length;
    const placed: PanelButton = { ...button, row: y + rows - 1, from, to };
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
  const reason = unseenReason(markShown(state, state.nowMs));
  return Math.max(0, cols - 1 - (reason === null ? 0 : reasonText(reason).length));
}

/** Why there can be no yes yet, as the panel says it. */
export function reasonText(reason: string): string {
  return `y: ${reason}`;
}

function wordsOf(id: ActionId, state: State): string {
  return id === 'approval.expand' && state.approval?.expanded === true ? 'smaller' : (words[id] ?? '');
}

function widthOf(buttons: readonly Drawn[]): number {
  return buttons.reduce((sum, button) => sum + button.label.length, 0) + BUTTON_GAP * Math.max(0, buttons.length - 1);
}
