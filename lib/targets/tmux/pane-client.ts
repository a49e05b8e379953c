/** The panes of this program as tools and people use them: find, look, type, resize, make, end. */

import { randomBytes } from 'node:crypto';
import { abortError, BuddyError } from '../../base/errors.js';
import type { PaneId } from '../../protocol/panes.js';
import type { CaptureOptions, PaneInfo, PaneLine, TmuxClient } from '../target.js';
import type { CommandLine } from './control-channel.js';
import type { ManagedPane } from './managed-pane.js';
import { bracketedPasteLines, pasteLines } from './pane-commands.js';
import type { Session } from './session.js';
import type { OwnedPane, SessionSet } from './session-set.js';
import { integrateShell } from './shell-integration.js';

/** Cells that a window may have in one direction. */
const SMALLEST = 2;
const LARGEST = 1000;
/** What tmux says when no program has taken the whole screen. */
const NO_ALTERNATE = /no alternate screen/;

export function createTmuxClient(set: SessionSet): TmuxClient {
  /** The one with that id, the shared one for none; with the session that it is in at the moment. */
  function at(id: string | undefined): { readonly pane: ManagedPane; readonly session: Session } {
    const { pane, session } = id === undefined ? { pane: set.default.shared, session: set.default } : set.byId(id);
    if (session.session === null) throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
    return { pane, session: session.session };
  }

  async function enter(
    to: string | undefined,
    linesFor: (pane: PaneId, tag: string) => readonly CommandLine[],
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) throw abortError();
    const { pane, session } = at(to);
    const replies = await session.channel.requestAll(linesFor(pane.id, randomBytes(5).toString('hex')));
    const failed = replies.find((reply) => !reply.ok);
    if (failed !== undefined) throw new BuddyError('target.lost', `tmux did not take the keys: ${failed.lines.join(' ')}`);
  }

  return {
    panes: () => set.panes.map((owned) => infoOf(owned, set)),
    find: (selector) => infoOf(set.find(selector), set),

    async capture(wanted, signal) {
      if (signal.aborted) throw abortError();
      const { pane, session } = at(wanted.pane);
      const rows = async (of: CaptureOptions) => {
        const { ok, lines } = await session.channel.request(`capture-pane -p${captureFlags(of)} -t ${pane.id}`);
        if (ok) return lines;
        const reason = lines.join(' ');
        if (NO_ALTERNATE.test(reason)) throw new BuddyError('target.no-alternate', 'no program has taken the whole screen of the pane');
        throw new BuddyError('target.lost', `tmux did not show the pane: ${reason}`);
      };
      const keepsSpaces = wanted.keepTrailingSpaces === true;
      // What is private is found in plain text of whole lines only.
      const exact = pane.hasPrivate ? { ...wanted, joinWrapped: true } : wanted;
      const shown = await rows(exact);
      const plain = pane.hasPrivate && isDecorated(wanted) ? await rows({ ...exact, ...undecorated }) : shown;
      const known = plain.map((row) => row.trimEnd());
      const open = pane.publicText(known.join('\n')).split('\n');
      const lines = shown.map((row, y) => (known[y] === open[y] ? row : (open[y] ?? '')));
      return keepsSpaces
        ? lines.join('\n')
        : lines
            .map((line) => line.trimEnd())
            .join('\n')
            .trimEnd();
    },

    type: (to, bytes, signal) => enter(to, (pane, tag) => pasteLines(pane, bytes, tag), signal),
    paste: (to, text, signal) => enter(to, (pane, tag) => bracketedPasteLines(pane, text, tag), signal),

    resize(which, cols, rows) {
      const { pane, session } = at(which);
      const width = inBounds(cols);
      const height = inBounds(rows);
      session.channel
        .request(`resize-window -t ${pane.id} -x ${width} -y ${height}`, ({ ok }) => {
          if (ok) pane.resized(width, height);
        })
        .catch(() => undefined);
    },

    watch(id) {
      const wanted = set.byId(id).pane;
      for (const { pane } of set.panes) if (pane !== wanted) pane.unwatch();
      void wanted.watch();
    },

    scrollBack: (id) => void tellScrollback(set.byId(id).pane),

    async integrate(id, signal) {
      const { pane } = set.byId(id);
      await integrateShell(pane, pane.home, signal);
    },
    createSession: (name, signal) => set.createSession(name, signal),
    killSession: (name) => set.killSession(name),
    createPane: (selector, signal) => set.createPane(selector, signal),
    killPane: (selector) => set.killPane(selector),
  };
}

async function tellScrollback(pane: ManagedPane): Promise<void> {
  const { id, home } = pane;
  const scrollback = await pane.scrollback();
  if (!home.closing.aborted) home.tell({ type: 'pane.scrollback', pane: id, scrollback });
}

function infoOf({ session, pane }: OwnedPane, set: SessionSet): PaneInfo {
  return {
    session: session.session?.name ?? '',
    pane: pane.id,
    title: pane.title,
    cols: pane.cols,
    rows: pane.rows,
    cwd: pane.cwd,
    state: pane.state(),
    halfTyped: pane.shell?.halfTyped() ?? '',
    isDefault: pane === set.default.shared,
  };
}

/** Turns everything off that changes how a row is written. */
const undecorated: CaptureOptions = { escapes: false, octal: false, keepTrailingSpaces: false };

function isDecorated(wanted: CaptureOptions): boolean {
  return wanted.escapes === true || wanted.octal === true || wanted.keepTrailingSpaces === true;
}

function captureFlags(wanted: CaptureOptions): string {
  const flags = [
    wanted.joinWrapped === false ? '' : ' -J',
    wanted.keepTrailingSpaces === true ? ' -N' : '',
    wanted.escapes === true ? ' -e' : '',
    wanted.octal === true ? ' -C' : '',
    wanted.alternate === true ? ' -a' : '',
    wanted.start === undefined ? '' : ` -S ${lineWord(wanted.start)}`,
    wanted.end === undefined ? '' : ` -E ${lineWord(wanted.end)}`,
  ];
  return flags.join('');
}

function lineWord(line: PaneLine): string {
  return line === '-' ? '-' : String(Math.floor(line));
}

function inBounds(cells: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor(cells)));
}
