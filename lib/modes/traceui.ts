/** traceui: a trace to look through on the whole screen, also while it is being written. Whatever is in it is shown. */

import { exitCodes, messageOf } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Row } from '../base/style.js';
import type { Invocation } from '../cli-options.js';
import { createFrames } from '../tui/frames.js';
import { openTerminal, type Terminal } from '../tui/terminal.js';
import type { Theme } from '../view/theme.js';
import { detailOf, entryOf, type TraceEntry } from '../view/trace-entry.js';
import { heard, lineAt, resized, SUSPEND_KEY, startViewer, type Viewer, withAnotherFile, withLines } from '../view/trace-viewer.js';
import { detailRows, type ViewerContent, viewerFrame, viewerLayout, viewerRoom } from '../view/trace-viewer-frame.js';
import type { Size } from '../view/widget.js';
import { configOf } from './assembly-config.js';
import { needScreen } from './needed-terminal.js';
import { Themes } from './themes.js';
import { TraceIndex } from './trace-index.js';

type ViewRequest = Extract<Invocation, { kind: 'traceui' }>;

/** How often a file that is watched is looked at (milliseconds). */
const WATCH_MS = 200;
/** Bytes of a line that the list reads: a picture of a pane is longer. */
const LIST_BYTES = 16_384;
/** Lines, and characters in them, that a filter looks at before the keyboard is heard again. */
const FILTER_LINES = 2000;
const FILTER_CHARACTERS = 4 << 20;
/** Entries of the list that are kept. */
const KEPT_ENTRIES = 2000;

/** Ends the process when it is left. Throws `terminal.*`, `trace.open` before anything is drawn. */
export async function traceui(host: Host, { options, file, stream }: ViewRequest): Promise<number> {
  needScreen(host, 'traceui', 'What a trace comes to is printed by "buddy-tui trace summary".');
  const config = await configOf(host, options);
  const setting = config.sources.has('display.theme') ? config.settings['display.theme'] : null;
  const theme = new Themes(host, config).chosen(setting, () => undefined);
  const index = await TraceIndex.open(file);
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const terminal = openTerminal(host, {
    color: config.settings['display.color'],
    glyphs: config.settings['display.glyphs'],
    mouse: false,
    title: false,
    onStop: (code) => end(code),
  });
  const viewing = new Viewing(host, terminal, index, { file, stream, theme, end });
  let code: number;
  try {
    viewing.begin();
    code = await ended;
  } finally {
    viewing.close();
    terminal.close();
    index.close();
  }
  return host.exit(code);
}

interface ViewingOptions {
  readonly file: string;
  readonly stream: boolean;
  readonly theme: Theme;
  end(code: number): void;
}

/** One run of the viewer: owns its state and what is read of the file. */
class Viewing {
  readonly #host: Host;
  readonly #terminal: Terminal;
  readonly #index: TraceIndex;
  readonly #options: ViewingOptions;
  readonly #frames: ReturnType<typeof createFrames>;
  readonly #entries = new Map<number, TraceEntry>();
  readonly #listening: { dispose(): void }[] = [];
  #viewer: Viewer;
  #matches: number[] = [];
  /** The filter has looked at the lines before this one. */
  #filtered = 0;
  #detail: { readonly line: number; readonly cols: number; readonly length: number; readonly rows: readonly Row[] } | null = null;
  #reading = true;
  #closed = false;
  #next: { dispose(): void } | null = null;
  #looking = false;

  constructor(host: Host, terminal: Terminal, index: TraceIndex, options: ViewingOptions) {
    this.#host = host;
    this.#terminal = terminal;
    this.#index = index;
    this.#options = options;
    this.#viewer = startViewer(options.stream);
    this.#frames = createFrames({ clock: host.clock, draw: () => this.#draw(), sink: terminal });
  }

  begin(): void {
    this.#listening.push(
      this.#terminal.onInput((input) => {
        const { filter } = this.#viewer;
        this.#viewer = heard(this.#viewer, input, this.#room());
        if (this.#viewer.over) this.#options.end(exitCodes.ok);
        if (input.type === 'key' && input.key === SUSPEND_KEY) this.#terminal.suspend();
        if (this.#viewer.filter !== filter) this.#filterAnew();
        this.#frames.requestNow();
      }),
      this.#terminal.onResize(() => {
        this.#viewer = resized(this.#viewer, this.#room());
        this.#frames.request();
      }),
    );
    if (this.#options.stream) this.#listening.push(this.#host.clock.every(WATCH_MS, () => void this.#look()));
    this.#read();
    this.#frames.requestNow();
  }

  close(): void {
    this.#closed = true;
    this.#next?.dispose();
    for (const entry of this.#listening) entry.dispose();
    this.#frames.dispose();
  }

  /** A piece of the file and of the filter; the rest when the keyboard has been heard. */
  #read(): void {
    if (this.#closed) return;
    this.#next = null;
    let isMore = false;
    try {
      isMore = this.#index.extend();
    } catch (thrown) {
      // A file that cannot be read any more is as long as it was.
      this.#entries.set(this.#index.count, { time: '', kind: 'bad', name: messageOf(thrown), words: '' });
    }
    const count = this.#index.count + (isMore || this.#index.rest === 0 || this.#options.stream ? 0 : 1);
    const isFiltering = this.#filter(count);
    this.#reading = isMore || isFiltering;
    this.#viewer = withLines(this.#viewer, count, this.#viewer.filter === '' ? null : this.#matches, this.#room());
    this.#frames.request();
    if (this.#reading) this.#next = this.#host.clock.after(0, () => this.#read());
  }

  /** Looks at some more lines; true: there are still others. */
  #filter(count: number): boolean {
    const wanted = this.#viewer.filter.toLowerCase();
    if (wanted === '') return false;
    const until = Math.min(count, this.#filtered + FILTER_LINES);
    const found: number[] = [];
    let line = this.#filtered;
    for (let seen = 0; line < until && seen < FILTER_CHARACTERS; line++) {
      const { text } = this.#index.line(line);
      seen += text.length;
      if (text.toLowerCase().includes(wanted)) found.push(line);
    }
    if (found.length > 0) this.#matches = [...this.#matches, ...found];
    this.#filtered = line;
    return line < count;
  }

  #filterAnew(): void {
    this.#matches = [];
    this.#filtered = 0;
    if (this.#next === null) this.#read();
  }

  /** Has the file grown, or is it another one? */
  async #look(): Promise<void> {
    if (this.#looking || this.#next !== null) return;
    this.#looking = true;
    const isAnother = await this.#index.reopened();
    this.#looking = false;
    if (this.#closed) return;
    if (isAnother) {
      this.#entries.clear();
      this.#detail = null;
      this.#matches = [];
      this.#filtered = 0;
      this.#viewer = withAnotherFile(this.#viewer);
    }
    this.#read();
  }

  #room() {
    const layout = viewerLayout(this.#terminal.size);
    return viewerRoom(layout, this.#detailRows(this.#terminal.size).length);
  }

  #entry(line: number): TraceEntry {
    const known = this.#entries.get(line);
    if (known !== undefined) return known;
    const { text, whole } = this.#index.line(line, LIST_BYTES);
    const entry = entryOf(text, whole);
    if (this.#entries.size >= KEPT_ENTRIES) this.#entries.clear();
    this.#entries.set(line, entry);
    return entry;
  }

  #detailRows(size: Size): readonly Row[] {
    const layout = viewerLayout(size);
    const line = lineAt(this.#viewer, this.#viewer.chosen);
    if (line === null || layout.detail === null) return [];
    const { cols } = layout.detail;
    if (this.#detail?.line === line && this.#detail.cols === cols) return this.#detail.rows;
    const { text } = this.#index.line(line);
    const rows = detailRows(detailOf(text), layout, this.#options.theme);
    this.#detail = { line, cols, length: text.length, rows };
    return rows;
  }

  #draw(): void {
    const { size } = this.#terminal;
    const content: ViewerContent = {
      name: this.#options.file,
      entry: (line) => this.#entry(line),
      detail: this.#detailRows(size),
      reading: this.#reading,
    };
    this.#terminal.present(viewerFrame(this.#viewer, content, size, this.#options.theme));
  }
}
