/** What a command printed while nobody listened, found again on the pane's own lines. */

/** Escape sequences that are no text. */
const SEQUENCES = /\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/g;
/** Whole lines that must match, when there are so many. */
const MATCHED_LINES = 3;
/** Begins the line that stands in the pane in place of the typed one. */
const COMMAND_SIGN = '❯ ';

/** `complete`: nothing is missing and nothing comes twice. */
export interface MissedOutput {
  readonly text: string;
  readonly complete: boolean;
}

/**
 * The text that follows `received` (the end of what has arrived, as the terminal got it) on `lines` (all rows of the pane, the
 * last being the newest). `atPrompt`: the last line is a prompt and no output. `rowsBelow`: rows under the cursor's. Where its place cannot
 * be found for certain, the text is all that the pane shows since the command's own line.
 */
export function missedOutput(received: string, lines: readonly string[], atPrompt: boolean, rowsBelow: number): MissedOutput {
  const rows = trimmed(lines);
  // Blank rows above the cursor are line ends that were printed.
  const lineEnds = atPrompt ? 1 : Math.max(0, lines.length - rows.length - rowsBelow);
  if (atPrompt) rows.pop();
  const shown = rows.findLastIndex((row) => row.startsWith(COMMAND_SIGN)) + 1;
  const own = rows.slice(shown);
  const known = received
    .replace(SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd());
  const partial = known.pop() ?? '';
  const places = placesOf(own, known.slice(-MATCHED_LINES));
  const [place = 0] = places;
  const rest = own.slice(place);
  const fits = partial === '' || rest[0]?.startsWith(partial) === true;
  if (fits && partial !== '') rest[0] = rest[0]?.slice(partial.length) ?? '';
  const text = rest.length === 0 ? '' : `${rest.join('\n')}${'\n'.repeat(lineEnds)}`;
  return { text, complete: places.length === 1 && fits && shown > 0 };
}

function trimmed(lines: readonly string[]): string[] {
  const rows = lines.map((line) => line.trimEnd());
  while (rows.length > 0 && rows.at(-1) === '') rows.pop();
  return rows;
}

/** Indexes behind each place where `wanted` stands; the start when nothing is wanted. */
function placesOf(rows: readonly string[], wanted: readonly string[]): readonly number[] {
  if (wanted.length === 0) return [0];
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= rows.length; at++) {
    if (wanted.every((line, offset) => rows[at + offset] === line)) places.push(at + wanted.length);
  }
  return places;
}
