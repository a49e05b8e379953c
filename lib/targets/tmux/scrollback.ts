/** What has scrolled off a pane, asked of tmux and made into rows as the mirror shows them. */

import type { Terminal } from '@xterm/headless';
import type { Row } from '../../base/style.js';
import type { PaneScrollback } from '../../protocol/panes.js';
import { type EmulatorFactory, writeAll } from '../terminal-emulator.js';
import type { ControlChannel } from './control-channel.js';
import { cachedRow } from './mirrored-rows.js';
import { tmuxWord } from './quoting.js';

/** Lines above the screen that are looked at; tmux keeps more of them (history-limit). */
export const SCROLLBACK_LINES = 5000;
/** Lines that are made into rows in one go: between two goes others have their turn. */
const LINES_AT_ONCE = 200;
/** Alternate text in G1 (SO, SI), as tmux tells line drawing; no wrapping: a line of tmux is a row. */
const BEGIN = '\x1bc\x1b(B\x1b)0\x1b[?7l';
/** A clear screen without the colours that the text goes on with. */
const CLEAR = '\x1b7\x1b[0m\x1b[2J\x1b8';

/** The newest lines of the pane; null when tmux does not tell them. Never rejects. */
export async function readScrollback(channel: ControlChannel, pane: string, emulators: EmulatorFactory): Promise<PaneScrollback | null> {
  const told = await channel
    .requestAll([
      `display-message -p -t ${pane} ${tmuxWord('#{pane_width} #{history_size}')}`,
      `capture-pane -p -e -N -S -${SCROLLBACK_LINES} -t ${pane}`,
    ])
    .catch(() => null);
  const [size, text] = told ?? [];
  if (size === undefined || text === undefined || !size.ok || !text.ok) return null;
  const [cols = 0, history = 0] = (size.lines[0] ?? '').split(' ').map(Number);
  if (!(cols > 0)) return null;
  return { cols, rows: await scrollbackRows(emulators, cols, text.lines), more: history > SCROLLBACK_LINES };
}

/** Lines as `capture-pane -e` writes them, as rows: how text looks goes on from one line to the next. */
export async function scrollbackRows(emulators: EmulatorFactory, cols: number, lines: readonly string[]): Promise<readonly Row[]> {
  const terminal = emulators.create(cols, LINES_AT_ONCE, 0);
  await writeAll(terminal, BEGIN);
  const rows: Row[] = [];
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const part = lines.slice(from, from + LINES_AT_ONCE);
    await writeAll(terminal, CLEAR + part.map((line, y) => `\x1b[${y + 1};1H${line}`).join(''));
    rows.push(...part.map((_, y) => rowAt(terminal, y)));
  }
  terminal.dispose();
  return rows;
}

function rowAt(terminal: Terminal, y: number): Row {
  return cachedRow(terminal.buffer.active.getLine(y), terminal.cols, undefined).row;
}
