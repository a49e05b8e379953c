/** When the files behind `@` are looked for, and what is known of them. Looking itself is done outside. */

import { fileQuery, offersFiles } from './completion.js';
import { type Step, step } from './effects.js';
import type { FileChoices, State } from './state.js';

/** The step that begins or ends looking, or null when all is as it should be. */
export function filesWanted(state: State): Step | null {
  const folder = state.target?.cwd ?? '';
  const asked = state.focus === 'editor' && offersFiles(state) && folder !== '' && fileQuery(state.editor.text) !== null;
  if (!asked) return state.files === null ? null : step({ ...state, files: null }, { type: 'files', folder: null });
  if (state.files?.folder === folder) return null;
  return step({ ...state, files: { folder, paths: [], looking: true, more: false } }, { type: 'files', folder });
}

/** The state with what was found so far; what is not asked for any more is dropped. */
export function withFiles(state: State, found: FileChoices): State {
  if (state.files?.folder !== found.folder) return state;
  const { folder, paths, looking, more } = found;
  return { ...state, files: { folder, paths, looking, more } };
}
