/** The key tester as a value: what the terminal sent, what it is called and what it does. Pure. */

import { type Row, rowOf } from '../base/style.js';
import type { InputEvent } from '../protocol/input.js';
import { type KeyUse, usesOf } from './key-uses.js';
import { keyLabel } from './keymap.js';
import { type Line, layOut } from './rows/lines.js';
import type { KeyBindings } from './state.js';
import type { Theme } from './theme.js';
import type { Frame, Size } from './widget.js';
import { blanks, ends, fitted, piece } from './widgets/pieces.js';

/** How a terminal tells keys that have no bytes of old; `asked`: it has not answered yet. */
export type KeyProtocol = 'asked' | 'kitty' | 'modifyOtherKeys' | 'plain';

/** One thing that the terminal sent. */
interface Heard {
  readonly bytes: string;
  readonly name: string;
  readonly uses: readonly KeyUse[];
}

/** All that the tester shows. */
export interface KeyTest {
  readonly bindings: KeyBindings;
  readonly vi: boolean;
  /** What the environment says of the terminal. */
  readonly terminal: string;
  readonly protocol: KeyProtocol;
  /** Sentences and lines for other programs' files. */
  readonly notes: readonly string[];
  /** Newest first. */
  readonly heard: readonly Heard[];
  /** The key before; '' for none. */
  readonly last: string;
  /** Ctrl+C or q came twice. */
  readonly over: boolean;
}

/** xterm's XTQMODKEYS. Not for terminals that take any `m` for a look. */
export const ASK_MODIFY_OTHER_KEYS = '\x1b[?4m';
/** Device attributes (ECMA-48 DA): every terminal answers that, after what it was asked before (Kitty's flags, when it was opened). */
export const ASK_ATTRIBUTES = '\x1b[c';

const protocolWords: Readonly<Record<KeyProtocol, string>> = {
  asked: 'The terminal was asked how it tells keys and has not answered.',
  kitty: 'The terminal speaks the kitty keyboard protocol.',
  modifyOtherKeys: 'The terminal speaks modifyOtherKeys: Shift+Enter and the like arrive.',
  plain: 'The terminal is plain: Shift+Enter arrives as Enter, and Ctrl+I as Tab.',
};

const MOST_HEARD = 100;
const MOST_BYTES = 16;
const ENDING_KEYS: readonly string[] = ['C-c', 'q'];

/** `test` after some bytes and the events that they are. */
export function withHeard(test: KeyTest, bytes: Uint8Array, events: readonly InputEvent[]): KeyTest {
  const protocol = protocolAfter(test.protocol, bytes, events);
  const names = events.map((event) => nameOf(event));
  const uses = events.flatMap((event): readonly KeyUse[] =>
    event.type === 'key' ? usesOf(test.bindings, event.key, event.text, test.vi) : [{ where: '', says: saysOf(event) }],
  );
  const heard: Heard = {
    bytes: hexOf(bytes),
    name: names.length === 0 ? 'no key' : names.join(', '),
    uses: names.length === 0 ? [{ where: '', says: 'is not used' }] : uses,
  };
  const key = events.findLast((event) => event.type === 'key')?.key ?? test.last;
  const isRepeated = events.some((event) => event.type === 'key') && key === test.last && ENDING_KEYS.includes(key);
  return { ...test, protocol, heard: [heard, ...test.heard].slice(0, MOST_HEARD), last: key, over: test.over || isRepeated };
}

function protocolAfter(before: KeyProtocol, bytes: Uint8Array, events: readonly InputEvent[]): KeyProtocol {
  const text = Array.from(bytes.subarray(0, 64), (byte) => String.fromCharCode(byte)).join('');
  const isKey = events.some((event) => event.type === 'key');
  if (/^\x1b\[\?\d+u$/.test(text) || (isKey && /^\x1b\[[\d:;]+u$/.test(text))) return 'kitty';
  if (before === 'kitty') return before;
  if (/^\x1b\[>4;[12]m$/.test(text) || (isKey && /^\x1b\[27;\d+;\d+~$/.test(text))) return 'modifyOtherKeys';
  return before === 'asked' && /^\x1b\[\?[\d;]*c$/.test(text) ? 'plain' : before;
}

function nameOf(event: InputEvent): string {
  switch (event.type) {
    case 'key':
      return keyLabel(event.key) === event.key ? event.key : `${keyLabel(event.key)} (${event.key})`;
    case 'paste':
      return 'paste';
    case 'mouse':
      return `mouse ${event.action}${event.button === 'none' ? '' : ` ${event.button}`}`;
    case 'focus':
      return event.gained ? 'focus gained' : 'focus lost';
    case 'reply':
      return 'answer';
  }
}

function saysOf(event: Exclude<InputEvent, { readonly type: 'key' }>): string {
  switch (event.type) {
    case 'paste':
      return `${event.text.length} characters${event.complete ? '' : ', its end mark never came'}`;
    case 'mouse':
      return `column ${event.x + 1}, row ${event.y + 1}`;
    case 'focus':
      return 'of the window';
    case 'reply':
      return 'of the terminal to a question of the program';
  }
}

function hexOf(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, MOST_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return bytes.length > MOST_BYTES ? `${shown} … (${bytes.length} bytes)` : shown;
}

/** The picture of `test`. */
export function keyTestFrame(test: KeyTest, size: Size, theme: Theme): Frame {
  const { styles } = theme;
  const words = (text: string, style = styles.text): Line => ({
    lead: [blanks(1, style)],
    hang: [blanks(1, style)],
    segments: [piece(text, style)],
  });
  const notes = test.notes.map((note) => words(note, note.startsWith('  ') ? styles.markdown_code : styles.text));
  const lines = [words(protocolWords[test.protocol]), ...notes, words('')];
  for (const [index, { bytes, name, uses }] of test.heard.entries()) {
    if (lines.length > size.rows + notes.length) break;
    lines.push({ segments: [piece(` ${name}  `, index === 0 ? styles.selected : styles.key_name), piece(`  ${bytes}`, styles.muted)] });
    for (const { where, says } of uses) {
      const lead = [blanks(4, styles.text)];
      lines.push({ lead, hang: lead, segments: [piece(where === '' ? '' : `${where}: `, styles.muted), piece(says, styles.text)] });
    }
  }
  const head = ends(
    [piece(' buddy-tui keys', styles.status_name)],
    [piece(`${test.terminal} `, styles.status_line)],
    size.cols,
    styles.status_line,
  );
  const twice = ENDING_KEYS.includes(test.last) ? `${keyLabel(test.last)} again leaves` : 'Ctrl+C twice, or q twice, leaves';
  const foot = rowOf(...fitted([piece(` Press keys. ${twice}`, styles.muted)], size.cols));
  const room = Math.max(0, size.rows - 2);
  const rows: readonly Row[] = layOut(lines, size.cols, null, null).rows.slice(0, room);
  const whole = { x: 0, cols: size.cols };
  return {
    size,
    parts: [
      { rect: { ...whole, y: 0, rows: 1 }, rows: [head] },
      { rect: { ...whole, y: 1, rows: room }, rows },
      ...(size.rows > 1 ? [{ rect: { ...whole, y: size.rows - 1, rows: 1 }, rows: [foot] }] : []),
    ],
    cursor: null,
    ...(theme.ground === null ? {} : { ground: theme.ground }),
  };
}
