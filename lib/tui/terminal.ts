/** The terminal as the rest of the program sees it: input events in, frames out, and always given back. */

import { Buffer } from 'node:buffer';
import { DisposableStore, disposable } from '../base/disposable.js';
import { Emitter, type Event } from '../base/emitter.js';
import type { Host } from '../base/host.js';
import type { InputEvent } from '../protocol/input.js';
import type { Frame, Size } from '../view/widget.js';
import { createPrinter } from './blessed.js';
import { type ColorDepth, colorDepthOf } from './color-depth.js';
import { type GlyphSet, type Glyphs, glyphSetOf, spellOut } from './glyphs.js';
import { createInputDecoder } from './input-decoder.js';
import { createLifecycle } from './lifecycle.js';
import { ASK_KITTY, KITTY_ANSWER } from './modes.js';
import { type NotifyBy, notification, progressBytes, titleBytes } from './notify.js';
import { createTerminalOutput } from './output.js';
import { isSimple } from './simple-terminals.js';
import { createSpellingDecoder, type Spelled } from './spelling.js';

/** What a terminal that says nothing of its size has. */
const UNKNOWN_SIZE: Size = { cols: 80, rows: 24 };

/** Terminals drop longer OSC 52 strings (xterm, tmux: 100 kB, bytes of base64). */
const LARGEST_CLIPBOARD = 100_000;

export interface TerminalOptions {
  /** Mouse reports from the start; default true. */
  readonly mouse?: boolean;
  /** False: no colours whatever the terminal can do (`--no-color`). */
  readonly color?: boolean;
  /** Characters to draw with; default: decided from the environment. */
  readonly glyphs?: Glyphs;
  readonly notifyBy?: NotifyBy;
  /** False: the title of the window is left alone. */
  readonly title?: boolean;
  /** Told of all that the terminal sends, byte for byte, before the events that it means. */
  readonly onSpelled?: (spelled: Spelled) => void;
  /** Told what Node and libraries would have printed into the screen; left out: it is dropped. */
  readonly onStray?: (text: string) => void;
  /**
   * SIGINT (130), SIGTERM (143), SIGHUP or a closed terminal (129), SIGQUIT (131): save what there is and call `host.exit(code)`.
   * The terminal is restored as soon as this returns; after 3 s, or a second signal, the process ends.
   */
  readonly onStop: (code: number) => void;
}

/** An open terminal: alternate screen, raw mode. It is restored at every kind of end, SIGKILL included. */
export interface Terminal {
  readonly colorDepth: ColorDepth;
  readonly glyphSet: GlyphSet;
  /** Cells, as of the last resize. */
  readonly size: Size;
  readonly onInput: Event<InputEvent>;
  /** A new size; the next frame repaints everything. */
  readonly onResize: Event<Size>;
  /** True while the terminal has not taken the last frame: a frame made now would only be kept. */
  readonly busy: boolean;
  /** Not busy any more. */
  readonly onDrain: Event<void>;
  /** Shows `frame`; while busy, the newest frame is shown as soon as it can be. Rows are compared by identity: never change one. */
  present(frame: Frame): void;
  /** As Ctrl+Z in any other program: the terminal is given back, the process stops, and takes it again when continued. */
  suspend(): void;
  /** Gives the terminal to another program (an editor, `tmux attach`) while `run` goes on, then paints the last frame again. */
  lend<T>(run: () => Promise<T>): Promise<T>;
  /** Paints everything anew: something else wrote on the terminal. */
  repaint(): void;
  /** Puts text into the terminal's clipboard (OSC 52, xterm ctlseqs). False when it is too large for terminals to take. */
  copy(text: string): boolean;
  /** Sends a query to the terminal; what it answers comes as an input event of type `reply`, or never. */
  ask(query: string): void;
  /** Calls the person, who looks elsewhere. */
  notify(text: string): void;
  /** What the window is called and what the taskbar shows; nothing is sent when both are so already. */
  setTitle(title: string, progress: 'none' | 'busy' | 'waiting'): void;
  /** Off: the terminal's own selection and copying work with the mouse. */
  setMouse(on: boolean): void;
  /** Gives the terminal back and lets go of everything; again does nothing. */
  close(): void;
}

/** Takes the terminal of `host`. Its stdin and stdout must be terminals. One at a time in a process. */
export function openTerminal(host: Host, options: TerminalOptions): Terminal {
  const store = new DisposableStore();
  const colorDepth = options.color === false ? 'mono' : colorDepthOf(host.env);
  const glyphSet = glyphSetOf(host.env, options.glyphs);
  const inputs = store.add(new Emitter<InputEvent>());
  const resizes = store.add(new Emitter<Size>());
  const output = store.add(createTerminalOutput(host.stdout, host.clock));
  let size = sizeOf(host);
  let last: Frame | null = null;
  let behind = false;
  let titled = '';

  store.add(disposable(host.onStray(options.onStray ?? (() => undefined))));

  const printer = createPrinter({
    size,
    colorDepth,
    glyphSet,
    env: host.env,
    write: (bytes) => output.write(bytes),
  });
  const lifecycle = store.add(
    createLifecycle({
      host,
      output,
      mouse: options.mouse ?? true,
      onStop: options.onStop,
      onEnter() {
        printer.invalidate();
        titled = '';
        onResize();
        show();
      },
    }),
  );

  function show(): void {
    if (last === null || !lifecycle.inside) return;
    behind = output.busy;
    if (!behind) printer.present(last);
  }

  function onResize(): void {
    const now = sizeOf(host);
    if (now.cols === size.cols && now.rows === size.rows) return;
    size = now;
    printer.resize(size);
    resizes.fire(size);
  }

  function hear(event: InputEvent): void {
    if (event.type === 'reply' && KITTY_ANSWER.test(event.bytes)) lifecycle.useKitty();
    inputs.fire(event);
  }

  const { onSpelled } = options;
  const spelled = (told: Spelled) => {
    onSpelled?.(told);
    for (const event of told.events) hear(event);
  };
  const decoder = store.add(onSpelled === undefined ? createInputDecoder(host.clock, hear) : createSpellingDecoder(host.clock, spelled));
  const onData = (bytes: Buffer) => decoder.feed(bytes);
  host.stdin.on('data', onData);
  host.stdout.on('resize', onResize);
  store.add(
    disposable(() => {
      host.stdin.off('data', onData);
      host.stdin.pause();
      host.stdout.off('resize', onResize);
    }),
  );
  store.add(
    output.onDrain(() => {
      if (behind) show();
    }),
  );
  lifecycle.enter();
  if (!isSimple(host.env['TERM'] ?? '')) output.write(ASK_KITTY);

  return {
    colorDepth,
    glyphSet,
    get size() {
      return size;
    },
    onInput: inputs.event,
    onResize: resizes.event,
    get busy() {
      return output.busy;
    },
    onDrain: output.onDrain,
    present(frame) {
      last = frame;
      show();
    },
    suspend: () => lifecycle.suspend(),
    lend: (run) => lifecycle.lend(run),
    repaint() {
      printer.invalidate();
      show();
    },
    copy(text) {
      const encoded = Buffer.from(text, 'utf8').toString('base64');
      if (encoded.length > LARGEST_CLIPBOARD) return false;
      output.write(`\x1b]52;c;${encoded}\x07`);
      return true;
    },
    notify: (text) => void output.write(notification(spellOut(text, glyphSet), options.notifyBy ?? 'auto', host.env)),
    setTitle(title, progress) {
      const bytes = `${options.title === false ? '' : titleBytes(spellOut(title, glyphSet))}${progressBytes(progress, host.env)}`;
      if (bytes === titled || !lifecycle.inside) return;
      titled = bytes;
      output.write(bytes);
    },
    ask: (query) => void output.write(query),
    setMouse: (on) => lifecycle.setMouse(on),
    close() {
      if (lifecycle.inside) output.write(progressBytes('none', host.env));
      store.dispose();
    },
  };
}

function sizeOf(host: Host): Size {
  const { columns, rows } = host.stdout;
  return { cols: columns > 0 ? columns : UNKNOWN_SIZE.cols, rows: rows > 0 ? rows : UNKNOWN_SIZE.rows };
}
