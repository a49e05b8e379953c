/** The terminal emulator (xterm.js without a screen), loaded when first used. */

import type { Terminal } from '@xterm/headless';
import { CellWidths } from './cell-widths.js';

/** Makes emulators that measure text as tmux does. They answer no query: their replies go nowhere. */
export interface EmulatorFactory {
  create(cols: number, rows: number, scrollback: number): Terminal;
}

/** Loads xterm.js. */
export async function loadEmulator(): Promise<EmulatorFactory> {
  const headless = await import('@xterm/headless');
  const widths = new CellWidths();
  return {
    create(cols, rows, scrollback) {
      const terminal = new headless.default.Terminal({ cols, rows, scrollback, allowProposedApi: true, logLevel: 'off' });
      terminal.unicode.register(widths);
      terminal.unicode.activeVersion = widths.version;
      // xterm.js underlines links (OSC 8), other terminals do not; nobody can follow one here.
      terminal.parser.registerOscHandler(8, () => true);
      return terminal;
    },
  };
}

/** Writes and resolves when all of it was parsed. */
export function writeAll(terminal: Terminal, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => terminal.write(bytes, resolve));
}
