/** Plain text that nobody will see: it scrolls off the screen before the next picture. */

/** Shorter text is not worth the look. */
const WORTH_BYTES = 8 * 1024;
/** What may do more than fill a row: controls, DEL, and the first byte of the C1 controls in UTF-8. */
const OTHER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xc2]/;
/** A line feed that leaves the cursor in its column. */
const BARE_LF = /(?:^|[^\r])\n/;

/** Bytes for an emulator. `isPlain`: they set nothing, however they are read. */
export interface Shortened {
  readonly bytes: Buffer;
  readonly isPlain: boolean;
}

/**
 * The same text without its middle, when an emulator of `rows` rows without scrollback and margins shows the same after it. The first
 * lines bring the cursor to the last row, the last ones fill the screen; all between come and go. (A line may take several rows; that
 * only makes it scroll more.)
 */
export function withoutScrolledOff(bytes: Buffer, rows: number): Shortened {
  if (bytes.length < WORTH_BYTES) return { bytes, isPlain: false };
  const text = bytes.toString('latin1');
  if (OTHER.test(text)) return { bytes, isPlain: false };
  if (BARE_LF.test(text)) return { bytes, isPlain: true };
  let head = 0;
  for (let line = 0; line < rows; line++) {
    head = text.indexOf('\n', head) + 1;
    if (head === 0) return { bytes, isPlain: true };
  }
  let tail = text.length;
  for (let line = 0; line <= rows; line++) tail = text.lastIndexOf('\n', tail - 1);
  if (tail + 1 <= head) return { bytes, isPlain: true };
  return { bytes: Buffer.concat([bytes.subarray(0, head), bytes.subarray(tail + 1)]), isPlain: true };
}
