/** The mouse: the wheel scrolls what is under it; a press of the left button begins something that its release ends. */

import type { InputEvent } from '../../protocol/input.js';
import { scrollBody } from '../approval.js';
import { buttonAt } from '../approval-buttons.js';
import { edgeAt } from '../edges.js';
import { toPlace } from '../editor/motions.js';
import { type Step, step } from '../effects.js';
import { isPicking } from '../keymap.js';
import { contains } from '../layout.js';
import { scrollPane } from '../pane-view.js';
import { pointed } from '../pointing.js';
import { screenLayout } from '../screen.js';
import { draggedTo, type Scrollbar, scrollbars } from '../scrollbar.js';
import { textRect } from '../selection/selection.js';
import type { PaneName, State } from '../state.js';
import { scrolledDetail } from '../task-detail.js';
import { moveSelection, openWindow } from '../task-list.js';
import { isTreeShown } from '../tree-lines.js';
import { isUsageShown } from '../usage.js';
import type { Rect } from '../widget.js';
import { placeUnder } from '../widgets/editor.js';
import { tabAt } from '../widgets/tabs.js';
import { scrollBy } from './conversation-keys.js';
import { withEditor } from './editor-keys.js';
import { focusOn } from './global-keys.js';
import { dragged, type PressKey, pressedInPane, released } from './mouse-hold.js';
import { pickerHandlers } from './picker-keys.js';
import { moveInTree } from './tree-keys.js';
import { scrollUsage } from './usage-keys.js';

type MouseEvent = Extract<InputEvent, { type: 'mouse' }>;

/** The step after a mouse event. */
export function handleMouse(state: State, event: MouseEvent, nowMs: number, pressKey: PressKey): Step {
  switch (event.action) {
    case 'wheel-up':
      return wheeled(state, event, -1, nowMs);
    case 'wheel-down':
      return wheeled(state, event, 1, nowMs);
    case 'press':
      return event.button === 'left' ? step(pressed(state, event, nowMs)) : step(state);
    case 'drag':
      return step(dragged(state, event));
    case 'release':
      return released(state, event, nowMs, pressKey);
  }
}

function wheeled(state: State, { x, y }: MouseEvent, direction: 1 | -1, nowMs: number): Step {
  const layout = screenLayout(state);
  const rows = direction * state.pointer.settings.wheelRows;
  if (state.help !== null) return step({ ...state, help: Math.max(0, state.help + rows) });
  if (isPicking(state)) return pickerHandlers[direction < 0 ? 'picker.up' : 'picker.down'](state, nowMs, '');
  if (isUsageShown(state)) return step(scrollUsage(state, rows));
  if (isTreeShown(state)) return step(moveInTree(state, direction));
  if (openWindow(state) !== null) return step(scrolledDetail(state, rows));
  if (contains(layout.approval, x, y)) return step(scrollBody(state, rows));
  if (contains(layout.panes.mirror, x, y)) return scrollPane(state, rows);
  if (contains(layout.panes.tasks, x, y)) return step(state.focus === 'tasks' ? moveSelection(state, direction) : state);
  return step(contains(layout.panes.conversation, x, y) ? scrollBy(state, rows) : state);
}

function pressed(before: State, { x, y }: MouseEvent, nowMs: number): State {
  const { waking } = before.pointer;
  const state = pointed(before, { waking: false, held: null, selection: null });
  const layout = screenLayout(state);
  if (isCovered(state) || layout.kind === 'small') return state;
  const button = buttonAt(state, x, y);
  // The click that gave the window the focus was not meant for a button.
  if (button !== null) return waking ? state : pointed(state, { held: { kind: 'button', key: button.key } });
  const bar = scrollbars(state).find(({ track }) => contains(track, x, y));
  if (bar !== undefined) return barPressed(state, bar, y);
  if (contains(layout.approval, x, y)) return state;
  if (contains(layout.editor, x, y)) return clickedDraft(state, layout.editor, x, y);
  const tab = contains(layout.tabs, x, y) ? tabAt(state, x) : null;
  if (tab !== null) return focusOn(state, tab);
  const edge = edgeAt(state, x, y);
  if (edge !== null) return pointed(state, { held: { kind: 'border', edge } });
  const pane = paneAt(state, x, y);
  if (pane === null) return state;
  const outer = layout.panes.conversation;
  // The lower border holds the pill.
  if (pane === 'conversation' && outer !== null && y === outer.y + outer.rows - 1) return { ...state, reading: { kind: 'follow' } };
  if (contains(textRect(state, pane), x, y)) return pressedInPane(state, { pane, x, y, nowMs, waking });
  return focusOn(state, pane);
}

/** Something that takes no clicks lies over the panes. */
function isCovered(state: State): boolean {
  return state.help !== null || isPicking(state) || isUsageShown(state) || isTreeShown(state) || openWindow(state) !== null;
}

const paneNames: readonly PaneName[] = ['conversation', 'mirror', 'tasks'];

function paneAt(state: State, x: number, y: number): PaneName | null {
  const { panes } = screenLayout(state);
  return paneNames.find((name) => contains(panes[name], x, y)) ?? null;
}

/** On the thumb it is taken where it is; beside it the middle of the thumb comes under the pointer. */
function barPressed(state: State, bar: Scrollbar, y: number): State {
  const at = y - bar.track.y;
  const isOnThumb = at >= bar.thumb.top && at < bar.thumb.top + bar.thumb.rows;
  const grip = isOnThumb ? at - bar.thumb.top : Math.floor(bar.thumb.rows / 2);
  const held = pointed(state, { held: { kind: 'scrollbar', bar: bar.name, grip } });
  return isOnThumb ? held : draggedTo(held, bar, at - grip);
}

function clickedDraft(state: State, rect: Rect, x: number, y: number): State {
  const place = placeUnder(state, rect.rows, x - rect.x, y - rect.y);
  const focused = focusOn(state, 'editor');
  return place === null ? focused : withEditor(focused, toPlace(state.editor, place));
}
