/** The approval panel: the whole command, where it will run, what the model says of it, and the keys. */

import { formatBytes } from '../../base/duration.js';
import { type Row, rowOf, type Segment } from '../../base/style.js';
import { cellWidth } from '../../base/width.js';
import type { ApprovalRequest } from '../../protocol/approvals.js';
import { answeringWords } from '../answering.js';
import { bodyView } from '../approval.js';
import { BUTTON_GAP, buttonCells, buttonsWithin, reasonText } from '../approval-buttons.js';
import { changeCount, questionInFront, questionsBehind, titleRows } from '../question.js';
import type { BodyRow } from '../rows/command-body.js';
import { segmentsWidth } from '../rows/lines.js';
import { claimRows } from '../screen.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Widget } from '../widget.js';
import { claimedRows, placePieces } from './approval-facts.js';
import { blanks, ends, exactPiece, fitted, piece } from './pieces.js';

/** The inside of the panel; empty when nothing is asked. */
export const approval: Widget = {
  id: 'approval',
  inputs: (state) => [
    state.bindings,
    state.answering,
    state.ruling,
    state.approvals,
    state.approval,
    state.size,
    state.help === null,
    state.takeover,
  ],
  rows(state, size, theme) {
    const request = questionInFront(state);
    const view = bodyView(state);
    if (request === undefined || view === null) return [];
    // A title that fills the panel leaves the keys in sight; nothing below it has been read then, and yes is no answer.
    const room = Math.max(0, size.rows - claimRows(state) - 1);
    return [
      ...headRows(state, request, size.cols, theme).slice(0, room),
      ...view.rows.map((row) => ('row' in row ? row.row : bodyRow(row, theme))),
      ...claimedRows(state, request, size.cols, theme),
      keysRow(state, size.cols, theme),
      ...behindRows(state, view.behind, size.cols, theme),
    ].slice(0, size.rows);
  },
};

/** The words in the upper border. */
export function approvalTitle(state: State): readonly Segment[] {
  const request = questionInFront(state);
  if (request === undefined) return [];
  const at = state.approvals.indexOf(request) + 1;
  const waiting = state.approvals.length > 1 ? ` · ${at} of ${state.approvals.length}` : '';
  // The border keeps two corners and three cells around the words.
  const cells = state.size.cols - 5 - cellWidth(waiting);
  return [...placePieces(request, cells, state.theme), exactPiece(waiting, state.theme.styles.approval_border)];
}

/** What is asked, and behind its end how much it is, as far as there is room. */
function headRows(state: State, request: ApprovalRequest, cols: number, theme: Theme): readonly Row[] {
  const title = titleRows(state);
  const last = title.at(-1);
  if (last === undefined) return title;
  const room = cols - segmentsWidth(last.segments) - 1;
  const size = sizesOf(state, request).find((text) => cellWidth(text) <= room);
  return size === undefined
    ? title
    : [...title.slice(0, -1), ends(last.segments, [piece(size, theme.styles.muted)], cols, theme.styles.text)];
}

/** How much is asked about, in fewer words each. */
function sizesOf(state: State, request: ApprovalRequest): readonly string[] {
  if (state.ruling !== null) return [`${state.ruling.choice.subject + 1} of ${request.rule?.subjects.length ?? 0}`];
  const { lines, bytes } = state.layouts.remember('question size', [request], () => ({
    lines: request.body === '' ? 0 : request.body.replace(/\n$/, '').split('\n').length,
    bytes: new TextEncoder().encode(request.body).length,
  }));
  const changes = changesOf(state, request);
  const whole = `${lines} ${lines === 1 ? 'line' : 'lines'} · ${bytes < 1000 ? `${bytes} bytes` : formatBytes(bytes)}`;
  const view = bodyView(state);
  if (view === null || view.total <= view.room) return [changes + whole, changes.replace(/ · $/, ''), whole].filter((text) => text !== '');
  const part = view.rows.length === 0 ? `0 of ${view.total}` : `${view.top + 1}–${view.top + view.rows.length} of ${view.total}`;
  return [`${changes}${whole} · rows ${part}`, `${changes}rows ${part}`, `rows ${part}`, part];
}

/** Lines that come and go, where what changes in a file is known. */
function changesOf(state: State, { diff }: ApprovalRequest): string {
  const count = changeCount(state);
  if (diff === undefined || count === null) return '';
  return `${diff.before === null ? 'new file · ' : ''}+${count.added} −${count.removed} · `;
}

/** The other questions, in the order in which they come next; the last row counts those that have none. */
function behindRows(state: State, rows: number, cols: number, theme: Theme): readonly Row[] {
  if (rows === 0) return [];
  const others = questionsBehind(state);
  const named = others.length > rows ? others.slice(0, rows - 1) : others;
  const style = theme.styles.muted;
  const listed = named.map((request) => {
    const first = request.body.slice(0, 400).split('\n', 1)[0] ?? '';
    return rowOf(
      ...fitted([piece('then  ', style), exactPiece(`${request.tool}  ${request.title}  `, style), exactPiece(first, style)], cols),
    );
  });
  const left = others.length - named.length;
  return left === 0 ? listed : [...listed, rowOf(...fitted([piece(`then  ${left} more`, style)], cols))];
}

function bodyRow(line: BodyRow, theme: Theme): Row {
  const gutter = piece(line.continued ? '↪ ' : '  ', theme.styles.muted);
  return rowOf(
    gutter,
    ...line.pieces.map((part) => ({ text: part.text, style: part.marker ? theme.styles.approval_marker : theme.styles.approval_body })),
  );
}

function keysRow(state: State, cols: number, theme: Theme): Row {
  const instead = answeringWords(state);
  if (instead !== null)
    return ends([piece(`${instead}: write it below, Enter sends it, Esc goes back`, theme.styles.warning)], [], cols, theme.styles.text);
  const reason = reasonText(state);
  const keys = buttonsWithin(state, buttonCells(state, cols)).flatMap((button, i) => {
    const cut = button.label.indexOf('] ') + 1;
    return [
      blanks(i === 0 ? 0 : BUTTON_GAP, theme.styles.text),
      piece(button.label.slice(0, cut), button.enabled ? theme.styles.approval_key : theme.styles.muted),
      piece(button.label.slice(cut), button.enabled ? theme.styles.text : theme.styles.muted),
    ];
  });
  const room = Math.max(0, cols - segmentsWidth(keys) - 1);
  return ends(keys, reason === null ? [] : fitted([piece(reason, theme.styles.warning)], room), cols, theme.styles.text);
}
