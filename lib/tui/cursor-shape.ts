/** The terminal's cursor in the shape that a program in the shared pane gave it (DECSCUSR, xterm "ctlseqs"). */

import type { CursorShape } from '../protocol/panes.js';
import { isSimple } from './simple-terminals.js';

/** Steady ones: what blinks is for the person to say. 0: the terminal's own. */
const parameters: Readonly<Record<CursorShape, number>> = { block: 2, underline: 4, bar: 6 };

/** Keeps what shape the cursor has. */
export class CursorShapes {
  readonly #known: boolean;
  #shown: CursorShape | null | 'unknown' = null;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#known = !isSimple(env['TERM'] ?? '');
  }

  /** Something else may have changed it. */
  forget(): void {
    if (this.#shown !== null) this.#shown = 'unknown';
  }

  /** What makes the cursor look so; '' when it does already. */
  bytes(wanted: CursorShape | null): string {
    if (!this.#known || wanted === this.#shown) return '';
    this.#shown = wanted;
    return `\x1b[${wanted === null ? 0 : parameters[wanted]} q`;
  }
}
