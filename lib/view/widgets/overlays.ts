/** What lies over the panes for a while: choices for a slash command, toasts, help. */

import { type Row, rowOf } from '../../base/style.js';
import { cellWidth, padEnd } from '../../base/width.js';
import { completions } from '../completion.js';
import { type KeyContext, keyLabel, keymap } from '../keymap.js';
import { inside, type Layout } from '../layout.js';
import { segmentsWidth } from '../rows/lines.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { border, fitted, piece } from './pieces.js';

type Part = Frame['parts'][number];

const MOST_CHOICES = 10;

/** The list of choices, above the draft. */
export function completionParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const all = completions(state);
  if (all.length === 0 || state.focus !== 'editor') return [];
  const count = Math.min(all.length, MOST_CHOICES, layout.editor.y - 1);
  const selected = Math.min(state.completion.selected, all.length - 1);
  const top = Math.max(0, Math.min(selected - count + 1, all.length - count));
  const labels = Math.min(34, Math.max(...all.map((choice) => cellWidth(choice.label))));
  const cols = Math.min(layout.editor.cols - 2, labels + 4 + Math.max(...all.map((choice) => cellWidth(choice.says))));
  const rows = all.slice(top, top + count).map((choice, i): Row => {
    const chosen = top + i === selected;
    const look = chosen ? theme.styles.selected : theme.styles.text;
    const says = chosen ? theme.styles.selected : theme.styles.muted;
    return {
      ...rowOf(
        ...fitted(
          [piece(` ${padEnd(choice.label, labels)}  `, look), piece(padEnd(choice.says, Math.max(0, cols - labels - 3)), says)],
          cols,
        ),
      ),
      fill: look,
    };
  });
  return [{ rect: { x: 2, y: layout.editor.y - count, cols, rows: count }, rows }];
}

/** Toasts, newest lowest, at the right above the question and the draft. */
export function toastParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const lowest = (layout.approval ?? layout.editor).y - 2;
  return state.toasts.slice(-3).map((toast, i, all) => {
    const look = toast.level === 'error' ? { ...theme.styles.error, inverse: true } : theme.styles.toast;
    const segments = fitted([piece(` ${toast.text} `, look)], layout.status.cols - 4);
    const cols = Math.min(layout.status.cols - 4, segmentsWidth(segments));
    const rect: Rect = { x: layout.status.cols - cols - 2, y: Math.max(1, lowest - (all.length - 1 - i)), cols, rows: 1 };
    return { rect, rows: [{ segments, fill: look }] };
  });
}

const titles: readonly (readonly [KeyContext, string])[] = [
  ['global', 'Everywhere'],
  ['editor', 'Draft'],
  ['completion', 'Choices while typing a slash command'],
  ['approval', 'A question'],
  ['conversation', 'Conversation'],
  ['pane', 'Conversation, pane and tasks'],
  ['help', 'Help'],
];

/** The lines of help, from the keymap and the commands. */
export function helpRows(state: State, cols: number, theme: Theme): readonly Row[] {
  const { styles } = theme;
  const line = (key: string, says: string): Row =>
    rowOf(...fitted([piece(`  ${padEnd(key, 30)}`, styles.key_name), piece(says, styles.text)], cols));
  const keys = titles.flatMap(([context, title]) => [
    rowOf(piece(title, styles.markdown_heading)),
    ...keymap
      .filter((row) => row.context === context)
      .map((row) => {
        const reason = row.disabled?.(state) ?? null;
        return line(row.keys.map(keyLabel).join('  '), reason === null ? row.says : `${row.says} (not now: ${reason})`);
      }),
    { segments: [] },
  ]);
  const commands = state.commands.map((command) => line(`/${command.name} ${command.args}`, command.says));
  return [...keys, ...(commands.length > 0 ? [rowOf(piece('Commands', styles.markdown_heading)), ...commands] : [])];
}

/** The help window. */
export function helpParts(state: State, theme: Theme): readonly Part[] {
  if (state.help === null) return [];
  const margin = state.size.cols >= 60 ? 3 : 0;
  const outer: Rect = { x: margin, y: 1, cols: state.size.cols - 2 * margin, rows: state.size.rows - 2 };
  const inner = inside(outer);
  const all = helpRows(state, inner.cols, theme);
  const top = Math.max(0, Math.min(state.help, all.length - inner.rows));
  const rows = all.slice(top, top + inner.rows);
  const padded = [...rows, ...Array.from({ length: Math.max(0, inner.rows - rows.length) }, (): Row => ({ segments: [] }))];
  const foot = all.length > inner.rows ? [piece(`${top + 1}–${top + rows.length} of ${all.length}`, theme.styles.muted)] : [];
  return [
    { rect: inner, rows: padded },
    ...border(outer, { title: [piece('help', theme.styles.title)], foot, style: theme.styles.border_focused }),
  ];
}
