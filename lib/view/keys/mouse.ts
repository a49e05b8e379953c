/** The mouse: the wheel scrolls what is under it, a click focuses, takes the pane over, expands a card, or follows again. */

import type { InputEvent } from '../../protocol/input.js';
import { scrollBody } from '../approval.js';
import { toPlace } from '../editor/motions.js';
import { type Step, step } from '../effects.js';
import { contains, WHEEL_ROWS } from '../layout.js';
import { conversationRect, screenLayout } from '../screen.js';
import type { State } from '../state.js';
import { noTakeoverReason } from '../takeover.js';
import { blockAt } from '../transcript.js';
import { isUsageShown } from '../usage.js';
import { isFoldable, viewport } from '../viewport.js';
import type { Rect } from '../widget.js';
import { placeUnder } from '../widgets/editor.js';
import { tabAt } from '../widgets/tabs.js';
import { scrollBy, toggled } from './conversation-keys.js';
import { withEditor } from './editor-keys.js';
import { focusOn } from './global-keys.js';
import { takeOver } from './takeover-keys.js';
import { scrollUsage } from './usage-keys.js';

type MouseEvent = Extract<InputEvent, { type: 'mouse' }>;

/** The step after a mouse event. */
export function handleMouse(state: State, event: MouseEvent, nowMs: number): Step {
  const { x, y } = event;
  const layout = screenLayout(state);
  if (event.action === 'wheel-up' || event.action === 'wheel-down') {
    const rows = event.action === 'wheel-up' ? -WHEEL_ROWS : WHEEL_ROWS;
    if (state.help !== null) return step({ ...state, help: Math.max(0, state.help + rows) });
    if (isUsageShown(state)) return step(scrollUsage(state, rows));
    if (contains(layout.approval, x, y)) return step(scrollBody(state, rows));
    return step(contains(layout.panes.conversation, x, y) ? scrollBy(state, rows) : state);
  }
  if (event.action !== 'press' || event.button !== 'left' || state.help !== null || isUsageShown(state)) return step(state);
  if (contains(layout.editor, x, y)) return step(clickedDraft(state, layout.editor, x, y));
  const tab = contains(layout.tabs, x, y) ? tabAt(state, x) : null;
  if (tab !== null) return step(focusOn(state, tab));
  if (contains(layout.panes.mirror, x, y)) {
    return noTakeoverReason(state) === null ? takeOver(state, nowMs) : step(focusOn(state, 'mirror'));
  }
  if (contains(layout.panes.conversation, x, y)) return step(clickedConversation(state, y));
  if (contains(layout.panes.tasks, x, y)) return step(focusOn(state, 'tasks'));
  return step(state);
}

function clickedDraft(state: State, rect: Rect, x: number, y: number): State {
  const place = placeUnder(state, rect.rows, x - rect.x, y - rect.y);
  const focused = focusOn(state, 'editor');
  return place === null ? focused : withEditor(focused, toPlace(state.editor, place));
}

function clickedConversation(state: State, y: number): State {
  const rect = conversationRect(state);
  if (rect === null) return state;
  const outer = screenLayout(state).panes.conversation;
  // The lower border holds the pill.
  if (outer !== null && y === outer.y + outer.rows - 1) return { ...state, reading: { kind: 'follow' } };
  const seen = viewport(state, rect).rows[y - rect.y];
  const block = seen === undefined ? undefined : blockAt(state.transcript, seen.block);
  if (seen === undefined || block === undefined || !isFoldable(block)) return state;
  return toggled({ ...state, selected: block.kind === 'tool' ? seen.block : state.selected }, seen.block);
}
