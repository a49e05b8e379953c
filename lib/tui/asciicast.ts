/** A recording of a terminal as asciinema plays it: asciicast v2 (docs.asciinema.org, "asciicast v2"), a header and an event a line. */

import { jsonLine } from '../base/json-line.js';
import type { Frame, Size } from '../view/widget.js';
import type { ColorDepth } from './color-depth.js';
import { createFrameEncoder } from './frame-encoder.js';

/** What stands in the header. */
export interface CastHeader {
  readonly size: Size;
  readonly title: string;
  /** When it was recorded (wall clock, milliseconds). */
  readonly startMs: number;
  readonly colorDepth: ColorDepth;
}

/** A picture and when it came, in milliseconds from the start. */
export interface CastMoment {
  readonly atMs: number;
  readonly frame: Frame;
  /** What a player is to find this moment by; null: nothing. */
  readonly mark: string | null;
}

/** Lines are not to be broken by the terminal: DECAWM off, as the program has it. */
const BEGIN = '\x1b[?7l\x1b[?25l';

/** The lines of the file, each with its line end. Frames must have the size of the header, and come in the order of time. */
export function* castLines({ size, title, startMs, colorDepth }: CastHeader, moments: Iterable<CastMoment>): Generator<string> {
  const encode = createFrameEncoder({ colorDepth, glyphSet: 'unicode' });
  yield line({
    version: 2,
    width: size.cols,
    height: size.rows,
    timestamp: Math.floor(startMs / 1000),
    title,
    env: { TERM: 'xterm-256color' },
  });
  yield line([0, 'o', BEGIN]);
  for (const { atMs, frame, mark } of moments) {
    const seconds = Math.round(atMs) / 1000;
    const bytes = encode(frame);
    if (bytes !== '') yield line([seconds, 'o', bytes]);
    if (mark !== null) yield line([seconds, 'm', mark]);
  }
}

function line(value: unknown): string {
  return `${jsonLine(value)}\n`;
}
