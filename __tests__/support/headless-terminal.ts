/** A terminal without a window (xterm.js with Unicode 11 widths): bytes in, a screen to look at, and a record of what it was told. */

import unicode11 from '@xterm/addon-unicode11';
import headless from '@xterm/headless';

/** How one cell looks. Colours: null the default, 0–255 the palette, `#rrggbb`. */
export interface ScreenCell {
  readonly text: string;
  readonly width: number;
  readonly fg: number | string | null;
  readonly bg: number | string | null;
  /** Letters of what is on: bold dim italic underline inverse strike. */
  readonly attributes: string;
}

export interface HeadlessTerminal {
  /** Resolves when the bytes have been obeyed. */
  feed(bytes: string | Uint8Array): Promise<void>;
  /** The same, done when it returns: for many small frames. */
  feedNow(bytes: string): void;
  /** The lines of the screen without blanks at their ends. */
  lines(): string[];
  line(y: number): string;
  /** All lines, without empty ones at the end. */
  text(): string;
  cell(x: number, y: number): ScreenCell;
  cursor(): { readonly x: number; readonly y: number; readonly shown: boolean };
  modes(): {
    readonly alternate: boolean;
    readonly mouse: string;
    readonly paste: boolean;
    readonly focus: boolean;
    readonly wrap: boolean;
    readonly applicationKeys: boolean;
    readonly cursorShown: boolean;
  };
  /** The flags of the Kitty keyboard protocol in force on each screen: both have a stack of their own. */
  kitty(): { readonly normal: number; readonly alternate: number };
  /** False between the two ends of a synchronized update (DEC private mode 2026): the screen is half painted. */
  wholeFrame(): boolean;
  resize(cols: number, rows: number): void;
  /** Every kind of control function seen: `CSI ?h 1049`, `CSI m`, `OSC 0`, `DCS q`, `ESC 7`. */
  readonly kinds: ReadonlySet<string>;
  /** What the terminal answered (it should never be asked by untrusted text). */
  readonly answers: readonly string[];
  readonly titles: readonly string[];
  readonly bells: () => number;
  dispose(): void;
}

/** xterm.js writes at once for its own tests; its published types do not tell. */
interface SyncTerminal {
  readonly _core: { writeSync(data: string): void };
}

const esc = '\x1b';

/** Splits a stream into its control functions, whatever chunks it comes in; for the record of kinds. */
function createKindReader(kinds: Set<string>): (text: string) => void {
  let rest = '';
  const pattern = new RegExp(
    `${esc}\\[([<=>?]?)([0-9;:]*)([ -/]*)([@-~])|${esc}\\]([^\\x07${esc}]*)(?:\\x07|${esc}\\\\)|${esc}P([^${esc}]*)${esc}\\\\|${esc}([_^X])[^${esc}]*${esc}\\\\|${esc}([ -/]*[0-~])`,
    'y',
  );
  return (text) => {
    rest += text;
    let at = 0;
    while (at < rest.length) {
      const next = rest.indexOf(esc, at);
      if (next < 0) {
        at = rest.length;
        break;
      }
      at = next;
      pattern.lastIndex = at;
      const found = pattern.exec(rest);
      if (found === null) {
        if (rest.length - at > 65_536) at += 1;
        else break;
        continue;
      }
      at = pattern.lastIndex;
      const [, prefix, parameters, intermediates, final, osc, dcs, string, other] = found;
      if (final !== undefined) {
        const mode = final === 'h' || final === 'l' ? ` ${parameters}` : '';
        kinds.add(`CSI ${prefix}${intermediates}${final}${mode}`);
      } else if (osc !== undefined) kinds.add(`OSC ${osc.split(';')[0] ?? ''}`);
      else if (dcs !== undefined) kinds.add(`DCS ${/^[0-9;:]*([ -/<=>?]*[@-~])/.exec(dcs)?.[1] ?? ''}`);
      else kinds.add(`ESC ${string ?? other ?? ''}`);
    }
    rest = rest.slice(at);
  };
}

/** `answerKitty`: the terminal speaks the Kitty keyboard protocol, and gives its answers there. */
export function createHeadlessTerminal(cols: number, rows: number, answerKitty?: (bytes: string) => void): HeadlessTerminal {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true, scrollback: 200, logLevel: 'off' });
  terminal.loadAddon(new unicode11.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  const kinds = new Set<string>();
  const readKinds = createKindReader(kinds);
  const decoder = new TextDecoder();
  const answers: string[] = [];
  const titles: string[] = [];
  let bells = 0;
  let cursorShown = true;
  terminal.onData((data) => answers.push(data));
  terminal.onTitleChange((title) => titles.push(title));
  terminal.onBell(() => {
    bells += 1;
  });
  for (const [final, shows] of [
    ['h', true],
    ['l', false],
  ] as const) {
    terminal.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(25)) cursorShown = shows;
      return false;
    });
  }
  const flags: Record<'normal' | 'alternate', number[]> = { normal: [], alternate: [] };
  if (answerKitty !== undefined) {
    const stack = () => flags[terminal.buffer.active.type];
    const onKeyMode = (prefix: string, run: (parameter: number) => void) =>
      terminal.parser.registerCsiHandler({ prefix, final: 'u' }, ([parameter]) => {
        run(typeof parameter === 'number' ? parameter : 0);
        return true;
      });
    onKeyMode('>', (parameter) => stack().push(parameter));
    onKeyMode('<', (parameter) => stack().splice(-Math.max(1, parameter)));
    onKeyMode('?', () => answerKitty(`${esc}[?${stack().at(-1) ?? 0}u`));
  }
  const line = (y: number) => {
    const buffer = terminal.buffer.active;
    return buffer.getLine(buffer.baseY + y);
  };
  const lineText = (y: number) => line(y)?.translateToString(true).trimEnd() ?? '';
  const lines = () => Array.from({ length: terminal.rows }, (_, y) => lineText(y));
  const color = (isRgb: boolean, isPalette: boolean, value: number) => {
    if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
    return isPalette ? value : null;
  };
  return {
    feed(bytes) {
      readKinds(typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true }));
      return new Promise((resolve) => terminal.write(bytes, resolve));
    },
    feedNow(bytes) {
      readKinds(bytes);
      (terminal as unknown as SyncTerminal)._core.writeSync(bytes);
    },
    lines,
    line: lineText,
    text: () => lines().join('\n').trimEnd(),
    cell(x, y) {
      const cell = line(y)?.getCell(x);
      if (cell === undefined) return { text: '', width: 0, fg: null, bg: null, attributes: '' };
      const on = [
        cell.isBold() ? 'b' : '',
        cell.isDim() ? 'd' : '',
        cell.isItalic() ? 'i' : '',
        cell.isUnderline() ? 'u' : '',
        cell.isInverse() ? 'v' : '',
        cell.isStrikethrough() ? 's' : '',
      ];
      return {
        text: cell.getChars(),
        width: cell.getWidth(),
        fg: color(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
        bg: color(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
        attributes: on.join(''),
      };
    },
    cursor: () => ({ x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY, shown: cursorShown }),
    modes: () => ({
      alternate: terminal.buffer.active.type === 'alternate',
      mouse: terminal.modes.mouseTrackingMode,
      paste: terminal.modes.bracketedPasteMode,
      focus: terminal.modes.sendFocusMode,
      wrap: terminal.modes.wraparoundMode,
      applicationKeys: terminal.modes.applicationCursorKeysMode,
      cursorShown,
    }),
    kitty: () => ({ normal: flags.normal.at(-1) ?? 0, alternate: flags.alternate.at(-1) ?? 0 }),
    wholeFrame: () => !terminal.modes.synchronizedOutputMode,
    resize: (newCols, newRows) => terminal.resize(newCols, newRows),
    kinds,
    answers,
    titles,
    bells: () => bells,
    dispose: () => terminal.dispose(),
  };
}
