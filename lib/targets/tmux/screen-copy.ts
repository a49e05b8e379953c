/** A screen as tmux tells it: asked for over the channel, and as the sequences that paint it into an emulator. */

import type { Terminal } from '@xterm/headless';
import { cellWidth } from '../../base/width.js';
import type { PaneModes } from '../../protocol/panes.js';
import type { ControlChannel, ControlReply } from './control-channel.js';
import { unescapeOutput } from './control-parser.js';
import { tmuxWord } from './quoting.js';

/** What tmux shows of a pane, or a fresh screen when `state` is left out. */
export interface ScreenCopy {
  readonly cols: number;
  readonly rows: number;
  /** Text with SGR, one string per row from the top. */
  readonly lines: readonly string[];
  /** `x` is the number of columns when the next character goes to the next line. */
  readonly cursor: { readonly x: number; readonly y: number; readonly shown: boolean };
  readonly state?: ScreenState;
}

/** What else a terminal knows besides its cells. */
export interface ScreenState {
  readonly modes: PaneModes;
  readonly alternate: boolean;
  /** DECKPAM. */
  readonly keypad: boolean;
  /** IRM. */
  readonly insert: boolean;
  /** DECOM. */
  readonly origin: boolean;
  /** DECAWM. */
  readonly wrap: boolean;
  /** First and last row of the scroll region, from 0. */
  readonly region: readonly [number, number];
  /** The beginning of a sequence whose end has not come yet. */
  readonly unfinished: string;
}

/** Asks for the screen; `use` gets it before any later byte of the pane is looked at. A lost channel answers nothing. */
export function copyScreen(channel: ControlChannel, pane: string, use: (copy: ScreenCopy) => void): void {
  const size = '#{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag}';
  const keyboard = '#{keypad_cursor_flag} #{mouse_standard_flag} #{mouse_button_flag} #{mouse_all_flag} #{mouse_sgr_flag}';
  const writing = '#{alternate_on} #{keypad_flag} #{insert_flag} #{origin_flag} #{wrap_flag} #{scroll_region_upper} #{scroll_region_lower}';
  const lines = [
    `display-message -p -t ${pane} ${tmuxWord(`${size} ${keyboard} ${writing}`)}`,
    `capture-pane -p -P -C -t ${pane}`,
    `capture-pane -p -e -N -t ${pane}`,
  ];
  const handle = (replies: readonly ControlReply[]) => {
    const copy = replies.every(({ ok }) => ok) ? screenCopy(replies) : null;
    if (copy !== null) use(copy);
  };
  channel.requestAll(lines, handle).catch(() => undefined);
}

/** The replies as a screen, or null when the first is no answer. */
function screenCopy([told, unfinished, shown]: readonly ControlReply[]): ScreenCopy | null {
  const numbers = (told?.lines[0] ?? '').split(' ').map(Number);
  const [cols = 0, rows = 0, x = 0, y = 0, cursorShown, application, standard, button, all, sgr, ...writing] = numbers;
  const [alternate, keypad, insert, origin, wrap, upper = 0, lower = 0] = writing;
  if (!(cols > 0) || !(rows > 0)) return null;
  const mouse = all === 1 ? 'any' : button === 1 ? 'drag' : standard === 1 ? 'vt200' : 'none';
  return {
    cols,
    rows,
    lines: shown?.lines ?? [],
    cursor: { x, y, shown: cursorShown === 1 },
    state: {
      modes: { applicationCursor: application === 1, mouse, mouseSgr: sgr === 1 },
      alternate: alternate === 1,
      keypad: keypad === 1,
      insert: insert === 1,
      origin: origin === 1,
      wrap: wrap === 1,
      region: [upper, lower],
      unfinished: withoutControls(unescapeOutput(Buffer.from(unfinished?.lines.join('\n') ?? '', 'utf8')).toString('utf8')),
    },
  };
}

/** Control characters inside of a control sequence have been carried out already (ECMA-48, VT500 parser). */
function withoutControls(unfinished: string): string {
  return /^\x1b[\]PX^_k]/.test(unfinished) ? unfinished : unfinished.replace(/[\x00-\x1a\x1c-\x1f]/g, '');
}

/** CAN ends any sequence that was begun. */
const CANCEL = '\x18';
/** DECOM, IRM, the scroll region and DECAWM out of the way; text in character sets (G2, G3) that no program of today uses. */
const PAINTING = '\x1b[?6l\x1b[4l\x1b[r\x1b[?7h\x1b*B\x1b+0';
const PLAIN_TEXT = '\x1bn';
const LINE_DRAWING = '\x1bo';
/** Plain, and the first character set again. */
const PAINTED = '\x1b[0m\x0f';

/** A fresh screen with the rows of `copy`; cells that tmux does not tell of stay unwritten. */
export function modelSequences(copy: ScreenCopy): string {
  return `\x1bc${PAINTING}${selfContained(copy.lines)
    .map((line, y) => `${rowStart(y)}${line}`)
    .join('')}`;
}

function rowStart(y: number): string {
  return `\x1b[${y + 1};1H\x1b[0m`;
}

/** A row of a copy that an emulator does not show. */
export interface WrongRow {
  readonly y: number;
  /** What stands behind the row's text goes too; left out, it is blank, in a colour that only the emulator knows. */
  readonly clears: boolean;
}

/**
 * What makes an emulator that differs in `wrong` show `copy`, and go on from there. tmux does not tell how the next text will look
 * (SGR, character set): with `keepsPen` it stays as the emulator knows it, without (the bytes that set it were lost) it is plain.
 */
export function repairSequences(copy: ScreenCopy, wrong: readonly WrongRow[], keepsPen: boolean): string {
  const { state, cursor, rows } = copy;
  const visibility = cursor.shown ? '\x1b[?25h' : '\x1b[?25l';
  if (state === undefined) return `${modelSequences(copy)}${PAINTED}\x1b[${cursor.y + 1};${cursor.x + 1}H${visibility}`;
  const lines = selfContained(copy.lines);
  const painted = wrong.map(({ y, clears }) => `${rowStart(y)}${clears ? '\x1b[2K' : ''}${lines[y] ?? ''}`);
  const [upper, lower] = state.region;
  const place = `\x1b[${cursor.y + 1 - (state.origin ? upper : 0)};`;
  return [
    CANCEL,
    state.alternate ? '\x1b[?47h' : '\x1b[?47l',
    keepsPen ? '\x1b7' : '',
    PAINTING,
    ...painted,
    PAINTED,
    keepsPen ? '\x1b8' : '\x1b(B',
    upper === 0 && lower >= rows - 1 ? '' : `\x1b[${upper + 1};${lower + 1}r`,
    state.origin ? '\x1b[?6h' : '',
    cursor.x < copy.cols ? `${place}${cursor.x + 1}H` : behindLastCell(lines[cursor.y] ?? '', copy.cols, place),
    state.insert ? '\x1b[4h' : '',
    state.wrap ? '' : '\x1b[?7l',
    state.keypad ? '\x1b=' : '\x1b>',
    modeSequences(state.modes),
    visibility,
    state.unfinished,
  ].join('');
}

/** The cursor is where the next character goes to the next line: only writing the last cell leaves it so. How text looked is lost with it. */
function behindLastCell(row: string, cols: number, place: string): string {
  const isFull = cellWidth(row.replace(/\x1b\[[\d;:]*m|\x1b[no]/g, '')) >= cols;
  return `${place}1H\x1b[0m${row}${isFull ? '' : `\x1b[0m${place}${cols}H `}${PAINTED}`;
}

/** The sequences that ask for exactly these modes. */
export function modeSequences(modes: PaneModes): string {
  const mouse = { none: '', x10: '\x1b[?9h', vt200: '\x1b[?1000h', drag: '\x1b[?1002h', any: '\x1b[?1003h' };
  const set = (mode: number, on: boolean) => `\x1b[?${mode}${on ? 'h' : 'l'}`;
  return `${set(1, modes.applicationCursor)}\x1b[?9;1000;1002;1003l${mouse[modes.mouse]}${set(1006, modes.mouseSgr)}`;
}

/** Each line with the SGR and character set that tmux had told in an earlier one. */
function selfContained(lines: readonly string[]): readonly string[] {
  let pen = '';
  let set = PLAIN_TEXT;
  return lines.map((line) => {
    const begin = `${set}${pen}`;
    const text = line.replace(/\x1b\[([\d;:]*)m|[\x0e\x0f]/g, (sequence, parameters: string | undefined) => {
      if (parameters === undefined) {
        set = sequence === '\x0e' ? LINE_DRAWING : PLAIN_TEXT;
        return set;
      }
      pen = /^0?(?:;|$)/.test(parameters) ? sequence : pen + sequence;
      return sequence;
    });
    return begin + text;
  });
}

/** True when the emulator and tmux agree on everything but the cells. */
export function sameState(terminal: Terminal, shown: { readonly cursor: boolean; readonly mouseSgr: boolean }, copy: ScreenCopy): boolean {
  const { modes, buffer } = terminal;
  const { state, cursor } = copy;
  if (state === undefined) return false;
  return (
    buffer.active.cursorX === cursor.x &&
    buffer.active.cursorY === cursor.y &&
    shown.cursor === cursor.shown &&
    (buffer.active.type === 'alternate') === state.alternate &&
    modes.applicationCursorKeysMode === state.modes.applicationCursor &&
    modes.mouseTrackingMode === state.modes.mouse &&
    shown.mouseSgr === state.modes.mouseSgr &&
    modes.applicationKeypadMode === state.keypad &&
    modes.insertMode === state.insert &&
    modes.originMode === state.origin &&
    modes.wraparoundMode === state.wrap
  );
}
