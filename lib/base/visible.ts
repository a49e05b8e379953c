/** The one boundary between untrusted text and the screen: nothing hidden, nothing that a terminal obeys. */

declare const visibleBrand: unique symbol;

/** Text that passed `visible()`: no control characters, no invisible ones. The only text a widget takes. */
export type Visible = string & { readonly [visibleBrand]: true };

/** `prose` keeps joiners inside emoji and joining scripts; `exact` (commands, paths, addresses, ids) keeps none. */
export type VisibleMode = 'prose' | 'exact';

const HARMLESS = /^[\x20-\x7e]*$/;
/** Combining marks kept on one base character (Unicode Stream-Safe Text would keep 30; a screen needs fewer). */
const MARKS_PER_BASE = 8;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;
const INVISIBLE =
  /\u034f|[\x80-\x9f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufff0-\ufffc\ufffe\uffff\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u{e0000}-\u{e0fff}]/gu;
const JOINER = /[\u200c\u200d]/u;
const BESIDE_JOINER =
  /\ufe0f|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Syriac}]/u;
const MARK_FLOOD = new RegExp(`(\\p{M}{${MARKS_PER_BASE}})\\p{M}+`, 'gu');

/** U+2400 block pictures for C0, U+2421 for DEL (The Unicode Standard, Control Pictures). */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  return code === 0x7f ? '\u2421' : String.fromCharCode(0x2400 + code);
}

function codeName(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * `text` made safe to show: line ends become LF, other C0 characters their pictures, C1, format, bidi, private,
 * unassigned and blank-looking characters `<U+XXXX>`, mark floods are capped. LF and TAB stay.
 */
export function visible(text: string, mode: VisibleMode = 'prose'): Visible {
  if (HARMLESS.test(text)) return text as Visible;
  const whole = text.toWellFormed().replace(/\r\n/g, '\n');
  const shown = whole.replace(CONTROLS, picture).replace(INVISIBLE, (character, offset: number) => {
    if (mode === 'prose' && JOINER.test(character) && joins(whole, offset)) return character;
    return codeName(character);
  });
  return shown.replace(MARK_FLOOD, '$1') as Visible;
}

/** `visible()` for a single line: line ends and tabs become blanks too. */
export function visibleLine(text: string, mode: VisibleMode = 'prose'): Visible {
  return visible(text, mode).replace(/[\n\t]/g, ' ') as Visible;
}

/** What has no look of its own and can carry words past a reader: zero-width, bidi, tags, fillers; not what only a font may lack. */
const UNSEEN =
  /\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** `text` for a model: what a person would not see in it stands there as `<U+XXXX>`, all else as it is. */
export function withUnseenNamed(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(UNSEEN, (character, offset: number) =>
    JOINER.test(character) && joins(text, offset) ? character : codeName(character),
  );
}

/** Where in `text` the first stands that a person would not see; -1: nowhere. */
export function firstUnseen(text: string): number {
  if (HARMLESS.test(text)) return -1;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) if (!JOINER.test(character) || !joins(text, index)) return index;
  return -1;
}

/** `withUnseenNamed` undone: the text that a model means when it writes such names. */
export function withNamesUndone(text: string): string {
  return text.replace(/<U\+([0-9A-F]{4,6})>/g, (name, hex: string) => {
    const code = Number.parseInt(hex, 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return withUnseenNamed(character) === name ? character : name;
  });
}

/** True when the joiner at `offset` stands between characters that a joiner really joins. */
function joins(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset + 1, offset + 3);
  return BESIDE_JOINER.test(before) && BESIDE_JOINER.test(after);
}

/** Characters that a command to approve must not hold: C0 but LF and TAB, DEL, C1, format and bidi, line separators, noncharacters. */
const FORBIDDEN_IN_COMMAND =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{NChar}\u{e0000}-\u{e0fff}]|\u034f/u;

/** Why `command` may not even be offered for approval, or null when every byte of it can be seen. */
export function hiddenIn(command: string): string | null {
  if (!command.isWellFormed()) return 'it holds half a character (a lone surrogate)';
  const found = FORBIDDEN_IN_COMMAND.exec(command);
  if (found === null) {
    const flood = command.search(MARK_FLOOD);
    return flood < 0 ? null : `it holds more than ${MARKS_PER_BASE} combining marks on one character, at offset ${flood}`;
  }
  return `it holds the invisible or control character ${codeName(found[0])} at offset ${found.index}`;
}
