/** The managed pane as tools and people use it: look, type, resize. */

import { randomBytes } from 'node:crypto';
import { abortError, BuddyError } from '../../base/errors.js';
import type { PaneId } from '../../protocol/panes.js';
import type { TmuxClient } from '../target.js';
import type { CommandLine } from './control-channel.js';
import type { ManagedPane } from './managed-pane.js';
import { bracketedPasteLines, pasteLines } from './pane-commands.js';
import type { Session } from './session.js';

/** Cells that a window may have in one direction. */
const SMALLEST = 2;
const LARGEST = 1000;

/** Only the shared pane is known; another id throws `target.pane`. */
export function createTmuxClient(pane: ManagedPane): TmuxClient {
  const enter = async (to: PaneId | undefined, lines: (tag: string) => readonly CommandLine[], signal: AbortSignal) => {
    if (signal.aborted) throw abortError();
    const session = sessionOf(pane, to);
    const replies = await session.channel.requestAll(lines(randomBytes(5).toString('hex')));
    const failed = replies.find((reply) => !reply.ok);
    if (failed !== undefined) throw new BuddyError('target.lost', `tmux did not take the keys: ${failed.lines.join(' ')}`);
  };
  return {
    panes: () => (pane.id === '' ? [] : [{ pane: pane.id, title: 'shared', cols: pane.cols, rows: pane.rows, state: pane.state() }]),

    async capture(wanted, signal) {
      if (signal.aborted) throw abortError();
      const session = sessionOf(pane, wanted.pane);
      const from = wanted.lines === undefined ? '' : ` -S -${Math.max(0, Math.floor(wanted.lines))}`;
      const reply = await session.channel.request(`capture-pane -p -J${wanted.escapes === true ? ' -e' : ''}${from} -t ${pane.id}`);
      if (!reply.ok) throw new BuddyError('target.lost', `tmux did not show the pane: ${reply.lines.join(' ')}`);
      const lines = reply.lines.map((line) => line.trimEnd());
      return pane.publicText(lines.join('\n').trimEnd());
    },

    type: (to, bytes, signal) => enter(to, (tag) => pasteLines(pane.id, bytes, tag), signal),
    paste: (to, text, signal) => enter(to, (tag) => bracketedPasteLines(pane.id, text, tag), signal),

    resize(which, cols, rows) {
      const session = sessionOf(pane, which);
      const width = inBounds(cols);
      const height = inBounds(rows);
      session.channel
        .request(`resize-window -t ${pane.id} -x ${width} -y ${height}`, ({ ok }) => {
          if (ok) pane.resized(width, height);
        })
        .catch(() => undefined);
    },
  };
}

function inBounds(cells: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor(cells)));
}

function sessionOf(pane: ManagedPane, wanted: PaneId | undefined): Session {
  const { session } = pane;
  if (session === null) throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
  if (wanted !== undefined && wanted !== pane.id) {
    throw new BuddyError('target.pane', `there is no pane ${wanted} here`, { hint: `The shared pane is ${pane.id}.` });
  }
  return session;
}
