/** What is done with a text that waits: taken back into the draft, deleted, moved. The runtime does it and tells. */

import type { QueueChange } from '../../protocol/commands.js';
import { send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { openPicker } from '../picker.js';
import { isQueueOpen, queuedEntry } from '../queue.js';
import type { Handler } from './editor-keys.js';
import { focusOn } from './global-keys.js';
import { chosenOf } from './picker-keys.js';

/** The ids this file answers for. */
export type QueueAction = Exclude<Extract<ActionId, `queue.${string}`>, 'queue.recall'>;

function changed(change: QueueChange): Handler {
  return (state) => {
    const id = isQueueOpen(state) ? chosenOf(state)?.id : queuedEntry(state)?.id;
    if (id === undefined) return step(state);
    const next = change === 'take' ? focusOn({ ...state, picker: null }, 'editor') : state;
    return step(next, send({ type: 'queue.edit', queued: id, change }));
  };
}

/** What each of them does. */
export const queueHandlers: Readonly<Record<QueueAction, Handler>> = {
  'queue.open': (state) => step(openPicker(state, 'queue')),
  'queue.edit': changed('take'),
  'queue.delete': changed('delete'),
  'queue.earlier': changed('earlier'),
  'queue.later': changed('later'),
};
