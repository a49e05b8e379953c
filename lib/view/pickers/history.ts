/** Earlier prompts, the newest first; the one that is chosen becomes the draft. */

import { setDraft } from '../editor/editor.js';
import { labelOf, type PickerItem } from '../picker.js';
import type { State } from '../state.js';

export function historyItems({ editor }: State): readonly PickerItem[] {
  return [...new Set(editor.history.entries.toReversed())].map((prompt) => ({
    id: prompt,
    label: labelOf(prompt),
    says: '',
    note: '',
    disabled: null,
  }));
}

/** The draft is that prompt; undo brings back what was written. */
export function takePrompt(state: State, { id }: PickerItem): State {
  return { ...state, editor: setDraft(state.editor, id), focus: 'editor' };
}
