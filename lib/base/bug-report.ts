/** What a person is told when the program falls: that it is a bug, where it was, and where the run is written down. */

import { resolve } from 'node:path';
import { exitCodes, hasText, messageOf } from './errors.js';
import type { Host } from './host.js';
import { type Visible, visible } from './visible.js';

/** Whole lines for standard error: secrets masked, and nothing in them that a terminal would obey. */
export function bugReport(host: Pick<Host, 'cwd' | 'masked' | 'recordedIn'>, thrown: unknown): Visible {
  const stack = hasText(thrown, 'stack') ? thrown.stack : `thrown: ${messageOf(thrown)}`;
  const file = host.recordedIn?.() ?? null;
  const where = file === null ? '' : `What happened is in the trace ${resolve(host.cwd, file)}\n`;
  const text = `buddy-tui: this is a bug:\n${stack}\n${where}`;
  return visible(host.masked?.(text) ?? text);
}

/** From now on a fault that nobody awaited ends the process with a report. Not for who has taken the terminal: `tui/lifecycle` gives it back first. */
export function reportBugs(host: Host): void {
  for (const fault of ['uncaughtException', 'unhandledRejection']) {
    host.on(fault, (thrown) => {
      host.stderr.write(bugReport(host, thrown));
      host.exit(exitCodes.bug);
    });
  }
}
