/** A bash on a pseudo terminal, and what a person would see of it (xterm.js without a window). */
import { createRequire } from 'node:module';
import headless from '@xterm/headless';
import { until } from './until.mjs';

// It is CommonJS, with a part that was compiled.
const pty = createRequire(import.meta.url)('node-pty');

/** Starts it. `env` is its whole environment. */
export function openTerminal({ cols, rows, cwd, env }) {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true, scrollback: 200, logLevel: 'off' });
  const child = pty.spawn('bash', ['--norc', '--noprofile', '-i'], { cols, rows, cwd, env, name: 'xterm-256color' });
  let fed = Promise.resolve();
  let isOpen = true;
  child.onData((data) => {
    fed = fed.then(() => new Promise((resolve) => terminal.write(data, resolve)));
  });
  child.onExit(() => {
    isOpen = false;
  });
  const line = (y) =>
    terminal.buffer.active
      .getLine(terminal.buffer.active.baseY + y)
      ?.translateToString(true)
      .trimEnd() ?? '';
  const text = () =>
    Array.from({ length: terminal.rows }, (_, y) => line(y))
      .join('\n')
      .trimEnd();
  return {
    pid: child.pid,
    text,
    send(keys) {
      if (isOpen) child.write(keys);
    },
    /** Waits until `probe` answers something of a whole frame, of which it gets the text. */
    async shows(what, probe, withinMs) {
      try {
        return await until(what, () => fed.then(() => (terminal.modes.synchronizedOutputMode ? null : probe(text()))), withinMs);
      } catch (thrown) {
        throw new Error(`${thrown.message}; it shows:\n${text()}`);
      }
    },
    resize(newCols, newRows) {
      if (!isOpen) return;
      terminal.resize(newCols, newRows);
      child.resize(newCols, newRows);
    },
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    /** What a program may have left switched on. */
    modes: () => ({
      alternate: terminal.buffer.active.type === 'alternate',
      mouse: terminal.modes.mouseTrackingMode,
      focus: terminal.modes.sendFocusMode,
      wrap: terminal.modes.wraparoundMode,
      applicationKeys: terminal.modes.applicationCursorKeysMode,
    }),
    /** Closes its window. */
    hangUp() {
      isOpen = false;
      child.destroy();
    },
    isOpen: () => isOpen,
    close() {
      try {
        if (isOpen) child.kill('SIGKILL');
      } catch {
        // Ended meanwhile.
      }
      terminal.dispose();
    },
  };
}
