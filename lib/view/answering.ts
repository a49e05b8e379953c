/** An answer in words: why not, or the command as it should be. It is written where drafts are, and the draft waits. */

import type { ApprovalRequest } from '../protocol/approvals.js';
import type { Answering } from './asked.js';
import { insert } from './editor/editor.js';
import { createEditor } from './editor/model.js';
import type { State } from './state.js';

/** An Enter that was on its way when the writing began sends nothing (milliseconds). */
export const SENT_AFTER_MS = 400;

/** Begins to write: `feedback` empty, `edit` with the command. */
export function beginAnswer(state: State, kind: Answering['kind'], request: ApprovalRequest, nowMs: number): State {
  const empty = createEditor(state.editor.history.entries);
  return {
    ...state,
    answering: { kind, approval: request.id, sinceMs: nowMs, draft: state.editor },
    editor: kind === 'edit' ? insert(empty, request.body) : empty,
  };
}

/** Back to the question, and to the draft that waited. */
export function endAnswer(state: State): State {
  return state.answering === null ? state : { ...state, answering: null, editor: state.answering.draft };
}

/** The same when the question is gone: what was written is of no use any more. */
export function answeringAfter(state: State): State {
  const { answering } = state;
  return answering !== null && !state.approvals.some((request) => request.id === answering.approval) ? endAnswer(state) : state;
}

/** What stands in place of the sign before the draft. */
export function answeringWords({ answering }: State): string | null {
  if (answering === null) return null;
  return answering.kind === 'feedback' ? 'no, because' : 'run instead';
}

/**
 * What was written, with the line ends of `body`, which the editor has as LF: lines before and behind what was changed keep theirs, those
 * between have that of the line before them.
 */
export function withLineEndsOf(body: string, written: string): string {
  if (!body.includes('\r\n')) return written;
  const old = body.split('\n').map((line) => ({ line: line.replace(/\r$/, ''), end: line.endsWith('\r') ? '\r\n' : '\n' }));
  const lines = written.split('\n');
  const most = Math.min(old.length, lines.length);
  let head = 0;
  while (head < most && old[head]?.line === lines[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail)?.line === lines.at(-1 - tail)) tail++;
  // The last line of the old text has no end.
  const ends = old.slice(0, -1).map(({ end }) => end);
  const between = ends[Math.max(0, head - 1)] ?? '\r\n';
  const endOf = (at: number) =>
    (at < head ? ends[at] : at >= lines.length - tail ? ends[at - lines.length + old.length] : undefined) ?? between;
  return lines.map((line, at) => (at === lines.length - 1 ? line : `${line}${endOf(at)}`)).join('');
}
