/** What goes on while the left button is held, and what its release does: selections, clicks, borders, scrollbars, buttons. */

import type { InputEvent } from '../../protocol/input.js';
import { buttonAt } from '../approval-buttons.js';
import { edgeMovedTo } from '../edges.js';
import { type Step, step } from '../effects.js';
import { isAnswerFolded } from '../folded-answers.js';
import { backToLive } from '../pane-view.js';
import type { Clicked, Held } from '../pointer.js';
import { pointed } from '../pointing.js';
import { gutterCells } from '../rows/block.js';
import { conversationRect } from '../screen.js';
import { draggedTo, scrollbars } from '../scrollbar.js';
import { selectionBegun, selectionExtended, textRect } from '../selection/selection.js';
import type { PaneName, State } from '../state.js';
import { noTakeoverReason } from '../takeover.js';
import { blockAt } from '../transcript.js';
import { isFoldable, pinned, scrolled, viewport } from '../viewport.js';
import { entryUnder } from '../widgets/tasks.js';
import { answerToggled, toggled } from './conversation-keys.js';
import { focusOn } from './global-keys.js';
import { copySelection } from './mouse-keys.js';
import { takeOver } from './takeover-keys.js';

type MouseEvent = Extract<InputEvent, { type: 'mouse' }>;
type Selecting = Extract<Held, { kind: 'select' }>;

/** What a click on a button does: it presses the key. */
export type PressKey = (state: State, key: string, nowMs: number) => Step;

/** A click within this time of another one is a double click. */
const AGAIN_MS = 400;

/** A press on text. */
interface PressedText {
  readonly pane: PaneName;
  readonly x: number;
  readonly y: number;
  readonly nowMs: number;
  /** The window had just got the focus. */
  readonly waking: boolean;
}

/** A selection begins: of cells, at the second click of a word, at the third of a line. */
export function pressedInPane(before: State, { pane, x, y, nowMs, waking }: PressedText): State {
  const { clicked } = before.pointer;
  const isAgain = clicked !== null && clicked.x === x && clicked.y === y && nowMs - clicked.atMs <= AGAIN_MS;
  const count = isAgain ? (clicked.count % 3) + 1 : 1;
  // What the first click opened or folded would stand under another place now.
  const state: State = isAgain && count === 2 ? { ...before, ...clicked.before } : before;
  const held: Held = { kind: 'select', pane, x, y, count, moved: false, waking, back: null };
  return pointed(selectionBegun(state, pane, x, y, count), { held });
}

/** The pointer moved with the button down. */
export function dragged(state: State, { x, y }: MouseEvent): State {
  const { held } = state.pointer;
  switch (held?.kind) {
    case 'border':
      return edgeMovedTo(state, held.edge, x, y);
    case 'scrollbar': {
      const bar = scrollbars(state).find(({ name }) => name === held.bar);
      return bar === undefined ? state : draggedTo(state, bar, y - bar.track.y - held.grip);
    }
    case 'select':
      return selecting(state, held, x, y);
    default:
      return state;
  }
}

function selecting(before: State, held: Selecting, x: number, y: number): State {
  if (!held.moved && held.x === x && held.y === y) return before;
  const state = held.pane === 'conversation' ? conversationHeld(before, held, y) : pointed(before, { held: { ...held, moved: true } });
  return selectionExtended(state, x, y);
}

/** What is read stands still while it is selected from; beyond an edge it is scrolled, row by row. */
function conversationHeld(state: State, held: Selecting, y: number): State {
  const rect = textRect(state, 'conversation');
  if (rect === null) return state;
  const beyond = y < rect.y ? -1 : y >= rect.y + rect.rows ? 1 : 0;
  const isFirst = !held.moved;
  const reading = isFirst ? pinned(state, rect) : state.reading;
  const back = beyond !== 0 ? null : isFirst ? state.reading : held.back;
  const still: State = { ...state, reading };
  const next: State = beyond === 0 ? still : { ...still, reading: scrolled(still, rect, beyond) };
  return pointed(next, { held: { ...held, moved: true, back } });
}

/** The button was let go. */
export function released(state: State, event: MouseEvent, nowMs: number, pressKey: PressKey): Step {
  const { held } = state.pointer;
  if (held === null) return step(state);
  const free = pointed(state, { held: null });
  if (held.kind === 'button') {
    return buttonAt(free, event.x, event.y)?.key === held.key ? pressKey(free, held.key, nowMs) : step(free);
  }
  if (held.kind !== 'select') return step(free);
  const before = { toggled: free.toggled, reading: free.reading, selected: free.selected };
  const clicked: Clicked | null = held.moved ? null : { x: held.x, y: held.y, atMs: nowMs, count: held.count, before };
  const next = pointed({ ...free, reading: held.back ?? free.reading }, { clicked });
  if (!held.moved && held.count === 1) return click(pointed(next, { selection: null }), held, nowMs);
  return next.pointer.settings.copyOnRelease ? copySelection(next) : step(next);
}

/** A click focuses, and where something can be done with what is under it, does that. */
function click(state: State, held: Selecting, nowMs: number): Step {
  const { pane, waking } = held;
  if (pane === 'mirror' && !waking && state.takeover === null && noTakeoverReason(state) === null) return takeOver(state, nowMs);
  // Who has the keyboard of the pane keeps it, and types into what is live.
  if (state.takeover !== null && pane === 'mirror') return step(backToLive(state));
  const focused = focusOn(state, pane);
  if (pane === 'tasks') return step(clickedTask(state, focused, held.y));
  return step(pane === 'conversation' && !waking ? clickedBlock(focused, held) : focused);
}

/** The entry that was seen there is chosen. */
function clickedTask(seen: State, focused: State, y: number): State {
  const rect = textRect(seen, 'tasks');
  const entry = rect === null ? null : entryUnder(seen, rect, y - rect.y);
  return entry === null ? focused : { ...focused, taskList: { ...focused.taskList, selected: entry.key } };
}

function clickedBlock(state: State, { x, y }: Selecting): State {
  const rect = conversationRect(state);
  const seen = rect === null ? undefined : viewport(state, rect).rows[y - rect.y];
  const block = seen === undefined ? undefined : blockAt(state.transcript, seen.block);
  if (seen !== undefined && block?.kind === 'assistant') {
    // On its mark; of a folded one all that is seen is that.
    const isOnMark = !block.continued && seen.key === 0 && x < (rect?.x ?? 0) + gutterCells;
    return isOnMark || isAnswerFolded(state, seen.block) ? answerToggled(state, seen.block) : state;
  }
  if (seen === undefined || block === undefined || !isFoldable(block)) return state;
  return toggled({ ...state, selected: block.kind === 'tool' ? seen.block : state.selected }, seen.block);
}
