/** From input to a new state and what is to be done: the keyboard side of the dashboard. Pure. */

import type { InputEvent } from '../protocol/input.js';
import { isArmed } from './approval.js';
import { broughtWanted } from './brought.js';
import { offersFiles } from './completion.js';
import { insertPaste } from './editor/editor.js';
import { isCommanding, typeInto, viKey } from './editor/vi/machine.js';
import { type Effect, type Step, send, step } from './effects.js';
import { filesWanted } from './file-choices.js';
import { type ActionId, continuations, isPicking, keyLabel, rowFor } from './keymap.js';
import { approvalHandlers, earlyKey } from './keys/approval-keys.js';
import { arrangementHandlers } from './keys/arrangement-keys.js';
import { conversationHandlers, searchTyped } from './keys/conversation-keys.js';
import { editorHandlers, type Handler, isQuoting, literal, withEditor } from './keys/editor-keys.js';
import { globalHandlers } from './keys/global-keys.js';
import { leavingHandlers } from './keys/leaving-keys.js';
import { mirrorHandlers } from './keys/mirror-keys.js';
import { handleMouse } from './keys/mouse.js';
import { afterKey, mouseHandlers } from './keys/mouse-keys.js';
import { chosenOf, pickerHandlers, pickerTyped, take } from './keys/picker-keys.js';
import { queueHandlers } from './keys/queue-keys.js';
import { rulingHandlers } from './keys/ruling-keys.js';
import { changeTyped, sessionHandlers } from './keys/session-keys.js';
import { settingHandlers } from './keys/settings-keys.js';
import { loseSight, takenInput, takeoverHandlers } from './keys/takeover-keys.js';
import { limitTyped, taskHandlers } from './keys/task-keys.js';
import { treeHandlers, treeTyped } from './keys/tree-keys.js';
import { usageHandlers } from './keys/usage-keys.js';
import { firstLine, isTypable, onOneLine } from './one-line.js';
import { withSizeShown } from './panes.js';
import { pictureMentions } from './pasted-paths.js';
import { withWindowFocus } from './pointing.js';
import { disturbed } from './ruling.js';
import { meantKey } from './same-keys.js';
import { mirrorSize } from './screen.js';
import { isSearching } from './search.js';
import { isSessionsOpen, previewWanted, sessionChange } from './session-look.js';
import { settingDraft, settingsWanted, settingTyped } from './settings.js';
import type { State } from './state.js';
import { isTypingBlindly } from './takeover.js';
import { openWindow } from './task-list.js';
import { withToast } from './toasts.js';
import { isTreeShown } from './tree-lines.js';
import { isUsageShown } from './usage.js';

/** What `handleInput` gives. */
export type { Effect, Step };

const handlers: Readonly<Record<ActionId, Handler>> = {
  ...editorHandlers,
  ...conversationHandlers,
  ...mirrorHandlers,
  ...taskHandlers,
  ...approvalHandlers,
  ...rulingHandlers,
  ...globalHandlers,
  ...takeoverHandlers,
  ...leavingHandlers,
  ...pickerHandlers,
  ...queueHandlers,
  ...arrangementHandlers,
  ...mouseHandlers,
  ...usageHandlers,
  ...treeHandlers,
  ...sessionHandlers,
  ...settingHandlers,
  'picker.take': (state, nowMs) => take(state, nowMs, (id, next, at) => act(id, next, at)),
};

function act(id: ActionId, state: State, nowMs: number): Step {
  return handlers[id](state, nowMs, '');
}

/** The step that `input` means at `nowMs`. */
export function handleInput(state: State, input: InputEvent, nowMs: number): Step {
  if (input.type === 'focus') return step(withWindowFocus(state, input.gained));
  if (state.takeover !== null && input.type !== 'reply') {
    return takenInput(state, input, nowMs, (left) => (input.type === 'mouse' ? handleMouse(left, input, nowMs, pressed) : step(left)));
  }
  switch (input.type) {
    case 'key':
      return key(state, input.key, input.text, nowMs);
    case 'paste':
      return pasted(state, input.text, nowMs);
    case 'mouse':
      return state.leaving === null ? handleMouse(state, input, nowMs, pressed) : step(state);
    case 'reply':
      return step(state);
  }
}

function key(before: State, pressed: string, text: string, nowMs: number): Step {
  if (isQuoting(before)) return step(literal(before, pressed, text));
  const name = meantKey(before, pressed);
  const row = rowFor(before, name);
  const begun = before.prefix === '' ? name : `${before.prefix} ${name}`;
  const state = afterKey(before.prefix === '' ? before : { ...before, prefix: '' }, row?.id ?? null);
  if (row === null && continuations(before, begun).length > 0) return step({ ...before, prefix: begun });
  // What follows a prefix is no text: a slip must not be typed.
  if (row === null && before.prefix !== '')
    return step(withToast(state, `${begun.split(' ').map(keyLabel).join(' ')} means nothing here.`, 'info', nowMs));
  const early = state.help === null && state.leaving === null ? earlyKey(state, row?.id ?? null, text, nowMs) : null;
  if (early !== null) return typed(early.state, early.type);
  if (row !== null) {
    const reason = row.disabled?.(state) ?? null;
    if (reason !== null && /^(?:approval\.|ruling\.save)/.test(row.id))
      return step(withToast(state, `Not yet: ${reason}.`, 'warning', nowMs));
    return handlers[row.id](state, nowMs, name);
  }
  const offered = before.prefix === '' && state.approvals.length === 0 && state.leaving === null ? state.offeredKeys.get(name) : undefined;
  if (offered !== undefined) return step(state, { type: 'slash', line: offered.line });
  if (isPicking(state)) return isTypable(text) ? listTyped(state, text, nowMs) : step(state);
  if (inTree(state)) return isTypable(text) ? treeTyped(state, text, nowMs) : step(state);
  if (isWindowOpen(state)) return step(openWindow(state) === 'limit' ? limitTyped(state, text) : state);
  if (isSearching(state) && state.approvals.length === 0 && state.help === null) return step(searchTyped(state, text, nowMs));
  if (state.ruling !== null) return step(disturbed(state, nowMs));
  // A question and help hold the keyboard; in the other panes letters are keys, not text.
  const writing =
    state.leaving === null &&
    (state.answering !== null || (state.focus === 'editor' && state.approvals.length === 0 && state.help === null && !isUsageShown(state)));
  return writing ? typed(state, text) : step(state);
}

/** A click on a button of a question is the key that the button names. It types nothing, and means nothing before keys do. */
function pressed(state: State, name: string, nowMs: number): Step {
  return state.approval !== null && isArmed(state, nowMs) ? key(state, name, '', nowMs) : step(state);
}

function typed(state: State, text: string): Step {
  if (text === '') return step(state);
  // The character behind "f" or "r", which can be any.
  if (isCommanding(state.editor) && state.answering === null) return step(withEditor(state, viKey(state.editor, text).editor));
  return isTypable(text) ? step(withEditor(state, typeInto(state.editor, text))) : step(state);
}

/** What is typed while a list is open. */
function listTyped(state: State, text: string, nowMs: number): Step {
  if (settingDraft(state) !== null) return step(settingTyped(state, text));
  return sessionChange(state) === null ? pickerTyped(state, text, nowMs) : changeTyped(state, text, nowMs);
}

/** The tree has the keyboard. */
function inTree(state: State): boolean {
  return isTreeShown(state) && state.help === null && state.leaving === null && state.answering === null && !isUsageShown(state);
}

/** A window over the tasks has the keyboard. */
function isWindowOpen(state: State): boolean {
  return openWindow(state) !== null && state.help === null && state.leaving === null && state.answering === null;
}

/** A paste goes into the draft wherever the focus is (into a search that is being typed, there): it is never an answer, a key or a submit. */
function pasted(state: State, text: string, nowMs: number): Step {
  if (isPicking(state)) return listTyped(state, onOneLine(text), nowMs);
  if (inTree(state)) return treeTyped(state, onOneLine(text), nowMs);
  if (isWindowOpen(state) && openWindow(state) === 'limit') return step(limitTyped(state, firstLine(text)));
  if (isSearching(state) && state.approvals.length === 0 && state.help === null) return step(searchTyped(state, firstLine(text), nowMs));
  // What was dropped on the terminal: a picture of this machine, which is where commands run as well.
  const pictures = offersFiles(state) && state.answering === null ? pictureMentions(text) : null;
  const next = withEditor(state, insertPaste(state.editor, pictures ?? text));
  if (state.answering !== null) return step(next);
  const isCovered = state.approvals.length > 0 || openWindow(state) !== null;
  const focused: State = isCovered ? next : { ...next, focus: 'editor' };
  if (state.approval === null) return step(focused);
  return step(disturbed({ ...focused, approval: { ...state.approval, quietSinceMs: nowMs } }, nowMs));
}

/**
 * What follows from the state alone, to be called after every change: the pane that is shown is watched and takes the size of its mirror, and nobody types
 * into one that is out of sight. Gives the very same state and no effects when there is nothing to do.
 */
export function settle(state: State): Step {
  if (isTypingBlindly(state)) {
    const back = loseSight(state);
    const sized = settle(back.state);
    return step(sized.state, ...back.effects, ...sized.effects);
  }
  const preview = isSessionsOpen(state) ? previewWanted(state, chosenOf(state)?.id ?? null) : null;
  if (preview !== null) {
    const rest = settle(preview.state);
    return step(rest.state, ...preview.effects, ...rest.effects);
  }
  const asking = settingsWanted(state);
  if (asking !== null) {
    const rest = settle(asking);
    return step(rest.state, { type: 'settings', ask: { kind: 'look' } }, ...rest.effects);
  }
  const brought = broughtWanted(state);
  if (brought !== null) {
    const rest = settle(brought.state);
    return step(rest.state, ...brought.effects, ...rest.effects);
  }
  const files = filesWanted(state);
  if (files !== null) {
    const rest = settle(files.state);
    return step(rest.state, ...files.effects, ...rest.effects);
  }
  if (state.arrangements !== state.keptArrangements && state.pointer.held === null) {
    const { arrangements } = state;
    const rest = settle({ ...state, keptArrangements: arrangements });
    return step(rest.state, { type: 'arrangements.keep', arrangements }, ...rest.effects);
  }
  const { pane } = state;
  if (pane !== null && !pane.closed && state.watched !== null && state.watched !== pane.id) {
    const sized = settle({ ...state, watched: pane.id });
    return step(sized.state, send({ type: 'pane.watch', pane: pane.id }), ...sized.effects);
  }
  const wanted = mirrorSize(state);
  const sent = state.paneSizeSent;
  if (wanted === null || (sent !== null && sent.pane === wanted.pane && sent.cols === wanted.cols && sent.rows === wanted.rows))
    return step(state);
  return step(withSizeShown({ ...state, paneSizeSent: wanted }), send({ type: 'pane.resize', ...wanted }));
}
