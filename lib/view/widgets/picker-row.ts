/** What the windows of lists are made of: an entry with what was found in it, and the line that is typed. */

import type { Row, Segment } from '../../base/style.js';
import { visibleLine } from '../../base/visible.js';
import { cellWidth, clusterWidth, graphemes } from '../../base/width.js';
import type { PickerChoice } from '../picker.js';
import type { Theme } from '../theme.js';
import { ends, fitted, piece } from './pieces.js';

/** More than this of a character are marks that are not shown. */
const UNITS_PER_CELL = 16;

/** The end of a long line that is typed, as it is shown. */
export function queryTail(query: string, cols: number): string {
  const all = graphemes(visibleLine(query.slice(-UNITS_PER_CELL * Math.max(1, cols))));
  let from = all.length;
  for (let left = cols; from > 0; from -= 1) {
    left -= clusterWidth(all[from - 1] ?? '');
    if (left < 0) break;
  }
  return all.slice(from).join('');
}

/** An entry, with the letters that were searched for standing out. */
export function choiceRow({ entry, match }: PickerChoice, isChosen: boolean, cols: number, theme: Theme): Row {
  const { styles } = theme;
  const look = isChosen ? styles.selected : entry.disabled === null ? styles.text : styles.muted;
  const quiet = isChosen ? styles.selected : styles.muted;
  const found = new Set(match.at);
  const label: Segment[] = [piece(' ', look)];
  let run = '';
  let marked = false;
  const flush = () => {
    if (run !== '') label.push(piece(run, marked ? { ...look, underline: true, bold: true } : look));
    run = '';
  };
  for (let at = 0; at < entry.label.length; at++) {
    if (found.has(at) !== marked) {
      flush();
      marked = found.has(at);
    }
    run += entry.label[at];
  }
  flush();
  const reason = entry.disabled === null ? entry.says : `not now: ${entry.disabled}`;
  const note = entry.note === '' ? [] : [piece(`${entry.note} `, isChosen ? look : styles.key_name)];
  const room = Math.max(0, cols - cellWidth(entry.note) - 1);
  const left = fitted([...label, piece(`  ${reason}`, quiet)], room);
  return { ...ends(left, note, cols, look), fill: look };
}
