/** The line at the bottom: the keys that matter here, printed from the keymap. */

import { type Row, rowOf, type Segment } from '../../base/style.js';
import { markShown } from '../approval.js';
import { completions } from '../completion.js';
import { isEmpty } from '../editor/model.js';
import type { ViMode } from '../editor/vi/model.js';
import { contextsOf, type KeyRow, keyLabel, keymap, keysOf, rowFor } from '../keymap.js';
import { noScrollReason } from '../pane-view.js';
import { segmentsWidth } from '../rows/lines.js';
import { isSearching } from '../search.js';
import { isBusy, runningCommand, type State } from '../state.js';
import type { Widget } from '../widget.js';
import { fitted, piece } from './pieces.js';

/** As many hints as fit, the nearest context first. */
export const hints: Widget = {
  id: 'hints',
  inputs: (state) => [
    state.help === null,
    state.leaving === null,
    state.picker?.kind,
    state.kept.look.change?.kind,
    state.settings.draft?.key,
    state.usage.page === null,
    state.tree === null,
    state.tree?.labelling == null,
    state.bindings,
    state.prefix,
    state.takeover,
    state.pane === null,
    state.pane?.closed,
    state.pane?.view,
    noScrollReason(state) === null,
    state.taskList,
    state.tasks,
    state.pane?.state.kind,
    state.approvals,
    state.approval,
    state.ruling,
    state.answering === null,
    state.focus,
    state.search === null,
    isSearching(state),
    isEmpty(state.editor),
    state.pointer.released,
    state.pointer.selection === null || state.pointer.held !== null,
    state.editor.vi,
    state.editor.stash === null,
    state.queue,
    completions(state).length > 0,
    isBusy(state),
    runningCommand(state) === null,
    state.target?.via,
    // How much of a question has been seen depends on its room.
    state.size,
  ],
  rows(state, size, theme): readonly Row[] {
    const { styles } = theme;
    // What this very picture shows will have been seen when a key is pressed.
    const seen = markShown(state, state.nowMs);
    const marks = draftMarks(state).map((mark) => piece(` ${mark}`, styles.title));
    const shown: Segment[] = [...fitted(marks, size.cols)];
    for (const row of hinted(state)) {
      if (rowFor(state, keysOf(state.bindings, row)[0] ?? '') !== row || (row.disabled?.(seen) ?? null) !== null) continue;
      const next = [
        piece(shown.length > 0 ? ' · ' : ' ', styles.muted),
        piece(keyLabel(keysOf(state.bindings, row)[0] ?? ''), styles.key_name),
        piece(` ${row.hint}`, styles.muted),
      ];
      if (segmentsWidth([...shown, ...next]) > size.cols) return [rowOf(...shown)];
      shown.push(...next);
    }
    return [rowOf(...shown)];
  },
};

/** Rows with a hint, the nearest context first. How the mouse comes back stands before all: who lent it may not know any more. */
function hinted(state: State): readonly KeyRow[] {
  const rows = contextsOf(state).flatMap((context) => keymap.filter((row) => row.context === context && row.hint !== undefined));
  return [...rows.filter((row) => row.id === 'mouse.take'), ...rows.filter((row) => row.id !== 'mouse.take')];
}

const modes: Readonly<Record<ViMode, string>> = {
  insert: '-- INSERT --',
  normal: '-- NORMAL --',
  visual: '-- VISUAL --',
  'visual-line': '-- VISUAL LINE --',
  replace: '-- REPLACE --',
};

/** What a person must know of the draft besides its text: the mode of vi keys and what was begun, a draft put aside. */
function draftMarks({ editor, prefix, focus }: State): readonly string[] {
  if (focus !== 'editor') return [];
  const mode = editor.vi === null ? [] : [modes[editor.vi.mode], ...(editor.vi.keys.length > 0 ? [editor.vi.keys.join('')] : [])];
  return [...mode, ...(prefix === 'C-v' ? ['^V'] : []), ...(editor.stash === null ? [] : ['stashed'])];
}
