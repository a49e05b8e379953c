/** The approval panel: the whole command, where it will run, what the model says of it, and the keys. */

import { formatBytes } from '../../base/duration.js';
import { type Row, rowOf, type Segment, type Style } from '../../base/style.js';
import type { ApprovalRequest, ModelClaim } from '../../protocol/approvals.js';
import { answeringWords } from '../answering.js';
import { bodyView, markShown, unseenReason } from '../approval.js';
import { BUTTON_GAP, buttonCells, buttonsWithin, reasonText } from '../approval-buttons.js';
import { questionInFront } from '../question.js';
import type { BodyRow } from '../rows/command-body.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Widget } from '../widget.js';
import { blanks, ends, exactPiece, fitted, piece } from './pieces.js';

/** Below these columns the panel says less around the command. */
const NARROW = 68;

/** The inside of the panel; empty when nothing is asked. */
export const approval: Widget = {
  id: 'approval',
  inputs: (state) => [state.bindings, state.answering, state.approvals, state.approval, state.size, state.help === null, state.takeover],
  rows(state, size, theme) {
    const request = questionInFront(state);
    const view = bodyView(state);
    if (request === undefined || view === null) return [];
    return [
      headRow(state, request, size.cols, theme),
      ...view.rows.map((row) => bodyRow(row, theme)),
      ...(request.claim === null ? [] : [claimRow(request.claim, size.cols, theme)]),
      keysRow(state, size.cols, theme),
    ];
  },
};

/** The words in the upper border. */
export function approvalTitle(state: State): readonly Segment[] {
  const request = questionInFront(state);
  if (request === undefined) return [];
  const place = `approve on ${request.target} · ${request.cwd}`;
  const waiting = state.approvals.length > 1 ? ` · 1 of ${state.approvals.length}` : '';
  return [exactPiece(place + waiting, state.theme.styles.approval_border)];
}

function headRow(state: State, request: ApprovalRequest, cols: number, theme: Theme): Row {
  const { lines, bytes } = state.layouts.remember('question size', [request], () => ({
    lines: request.body === '' ? 0 : request.body.replace(/\n$/, '').split('\n').length,
    bytes: new TextEncoder().encode(request.body).length,
  }));
  const view = bodyView(state);
  const part = view !== null && view.total > view.room ? ` · rows ${view.top + 1}–${view.top + view.rows.length} of ${view.total}` : '';
  const whole = `${lines} ${lines === 1 ? 'line' : 'lines'} · ${bytes < 1000 ? `${bytes} bytes` : formatBytes(bytes)}`;
  const size = part === '' ? whole : cols >= NARROW ? whole + part : part.slice(3);
  return ends(
    [exactPiece(`${request.tool}  ${request.title}`, theme.styles.title)],
    [piece(size, theme.styles.muted)],
    cols,
    theme.styles.text,
  );
}

function bodyRow(line: BodyRow, theme: Theme): Row {
  const gutter = piece(line.continued ? '↪ ' : '  ', theme.styles.muted);
  return rowOf(
    gutter,
    ...line.pieces.map((part) => ({ text: part.text, style: part.marker ? theme.styles.approval_marker : theme.styles.approval_body })),
  );
}

function claimRow(claim: ModelClaim, cols: number, theme: Theme): Row {
  const risk: Record<ModelClaim['risk'], Style> = {
    low: theme.styles.risk_low,
    medium: theme.styles.risk_medium,
    high: theme.styles.risk_high,
  };
  const more = `${claim.mutation ? ', changes things' : ', changes nothing'}${claim.privesc ? ', as root' : ''}: “${claim.why}”`;
  return rowOf(
    ...fitted(
      [piece('the model says: ', theme.styles.muted), piece(`${claim.risk} risk`, risk[claim.risk]), piece(more, theme.styles.muted)],
      cols,
    ),
  );
}

function keysRow(state: State, cols: number, theme: Theme): Row {
  const instead = answeringWords(state);
  if (instead !== null)
    return ends([piece(`${instead}: write it below, Enter sends it, Esc goes back`, theme.styles.warning)], [], cols, theme.styles.text);
  const reason = unseenReason(markShown(state, state.nowMs));
  const keys = buttonsWithin(state, buttonCells(state, cols)).flatMap((button, i) => {
    const cut = button.label.indexOf('] ') + 1;
    return [
      blanks(i === 0 ? 0 : BUTTON_GAP, theme.styles.text),
      piece(button.label.slice(0, cut), button.enabled ? theme.styles.approval_key : theme.styles.muted),
      piece(button.label.slice(cut), button.enabled ? theme.styles.text : theme.styles.muted),
    ];
  });
  return ends(keys, reason === null ? [] : [piece(reasonText(reason), theme.styles.warning)], cols, theme.styles.text);
}
