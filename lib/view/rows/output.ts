/** Raw output of commands made readable: what a terminal would obey is taken out, then everything passes `visible()`. */

import { type Visible, visible } from '../../base/visible.js';

/** CSI, string sequences (OSC, DCS, APC, PM, SOS) and two-byte escapes: ECMA-48 §5.4, §5.6, §5.3. */
const SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;

/** `raw` without escape sequences; of a line that was overwritten (progress bars) the last state; all else visible. */
export function cleanOutput(raw: string): Visible {
  const text = raw.includes('\x1b') ? raw.replace(SEQUENCES, '') : raw;
  return visible(text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text);
}

function lastState(line: string): string {
  const shown = line.replace(/\r+$/, '');
  return shown.slice(shown.lastIndexOf('\r') + 1);
}

/** The last `count` lines of `raw` that hold something, cleaned. */
export function tailLines(raw: string, count: number): readonly string[] {
  // Five lines of a screen fit into 4 kB; more would be cut by the edge anyway.
  return cleanOutput(raw.slice(-4096).replace(/^[\udc00-\udfff]/, ''))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);
}
