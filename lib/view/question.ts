/** The question in front: the one that the panel shows and that keys answer. The others wait below it. */

import type { Row } from '../base/style.js';
import { visibleLine } from '../base/visible.js';
import type { ApprovalRequest } from '../protocol/approvals.js';
import { type BodyRow, bodyRows } from './rows/command-body.js';
import { type DiffCount, diffCount, diffRows } from './rows/diff.js';
import { layOut } from './rows/lines.js';
import { ruleRows } from './rows/rule.js';
import type { State } from './state.js';

/** Cells before a row of the command: the mark that tells a wrapped line from a new one. */
export const bodyGutter = 2;

/** A row that is drawn already; `from` and `to` count rows. */
export interface DrawnRow {
  readonly row: Row;
  readonly from: number;
  readonly to: number;
}

/** A row of what is asked. `to` of the last one is where it ends. */
export type QuestionRow = BodyRow | DrawnRow;

/** The question that the panel shows; undefined when nothing is asked. */
export function questionInFront({ approvals, approval }: State): ApprovalRequest | undefined {
  return approvals.find((request) => request.id === approval?.id) ?? approvals[0];
}

/** The other ones, in the order in which they come next. */
export function questionsBehind(state: State): readonly ApprovalRequest[] {
  const at = state.approvals.findIndex((request) => request.id === questionInFront(state)?.id);
  return [...state.approvals.slice(at + 1), ...state.approvals.slice(0, Math.max(0, at))];
}

/** More changed lines than this are shown as the whole text: laying them out would hold up the keys, and nobody reads them as changes. */
const MOST_CHANGES = 1000;

/** Lines that come and go in the file that would be written; null where that is not known. */
export function changeCount(state: State): DiffCount | null {
  const diff = questionInFront(state)?.diff;
  return diff === undefined ? null : state.layouts.remember('question changes count', [diff], () => diffCount(diff));
}

/** Why there is nothing but the whole text to show; null when the changes can be shown. */
export function onlyWholeReason(state: State): string | null {
  const count = changeCount(state);
  if (count === null) return 'no file is changed';
  return count.added + count.removed > MOST_CHANGES ? 'too many lines change to show them as changes' : null;
}

/** What is shown of the question: the rule that is being made, what would change in the file, or every byte of it. */
function viewOf(state: State): 'rule' | 'changes' | 'whole' {
  if (state.ruling !== null) return 'rule';
  return state.approval?.whole !== true && onlyWholeReason(state) === null ? 'changes' : 'whole';
}

/** Are the changes of a file shown, rather than all of it? */
export function showsChanges(state: State): boolean {
  return viewOf(state) === 'changes';
}

/** In what the rows are counted: places in one measure mean nothing in another. */
export function measureOf(state: State): string {
  const view = viewOf(state);
  return view === 'whole' ? view : `${view} ${rowCells(state)}`;
}

/** Cells that a row of the panel has. */
function rowCells(state: State): number {
  return Math.max(2, state.size.cols - 2);
}

/** What is asked, in a few words, whole: a path that is written to is never cut. */
export function titleRows(state: State): readonly Row[] {
  const request = questionInFront(state);
  if (request === undefined) return [];
  const cells = rowCells(state);
  const { theme, ruling } = state;
  const text = ruling === null ? `${request.tool}  ${request.title}` : `a rule for ${request.tool}`;
  return state.layouts.remember('question title', [text, cells, theme], () => {
    const segments = [{ text: visibleLine(text, 'exact'), style: theme.styles.title }];
    return layOut([{ segments, hard: true }], cells, null, null).rows;
  });
}

/** The rows of what is asked; none when nothing is asked. */
export function questionRows(state: State): readonly QuestionRow[] {
  const request = questionInFront(state);
  if (request === undefined) return [];
  const cells = rowCells(state);
  const { theme, ruling } = state;
  const { diff, body, rule } = request;
  const drawn = (rows: readonly Row[]) => rows.map((row, at): DrawnRow => ({ row, from: at, to: at + 1 }));
  if (ruling !== null && rule !== undefined)
    return state.layouts.remember('question rule', [request, ruling.choice, cells, theme], () =>
      drawn(ruleRows(request, rule, ruling.choice, cells, theme)),
    );
  if (diff !== undefined && showsChanges(state))
    return state.layouts.remember('question changes', [diff, cells, theme], () => drawn(diffRows(diff, cells, theme)));
  return state.layouts.remember('question', [request, cells], () => bodyRows(body, Math.max(2, cells - bodyGutter)));
}
