/** Earlier prompts, the newest first; the one that is chosen becomes the draft. */

import { setDraft } from '../editor/editor.js';
import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';

/** Characters of a prompt that are searched: enough to find any that a person wrote. */
const SEARCHED = 2000;

export function historyItems({ editor }: State): readonly PickerItem[] {
  return [...new Set(editor.history.entries.toReversed())].map((prompt) => ({
    id: prompt,
    label: prompt.slice(0, SEARCHED).replace(/\s+/g, ' '),
    says: '',
    note: '',
    disabled: null,
  }));
}

/** The draft is that prompt; undo brings back what was written. */
export function takePrompt(state: State, { id }: PickerItem): State {
  return { ...state, editor: setDraft(state.editor, id), focus: 'editor' };
}
