/** The picture of a pane that somebody looks at: an emulator fed with its bytes, started again from tmux's own screen when needed. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { freshModes, type PaneId, type PaneScreen } from '../../protocol/panes.js';
import type { EmulatorFactory } from '../terminal-emulator.js';
import { PaneMirror } from './mirror.js';
import { copyScreen } from './pane-commands.js';
import type { Session } from './session.js';

export interface PictureOptions {
  readonly clock: Clock;
  readonly emulators: () => Promise<EmulatorFactory>;
  /** The session as it stands; null while there is none. */
  session(): Session | null;
  /** Of the pane; '' while it has none. */
  id(): PaneId;
  show(screen: PaneScreen): void;
}

/** Nothing is drawn before `watch` and after `unwatch`. */
export class PanePicture implements Disposable {
  readonly #options: PictureOptions;
  #mirror: PaneMirror | null = null;
  #watches = 0;
  #latest: PaneScreen | null = null;

  constructor(options: PictureOptions) {
    this.#options = options;
  }

  /** The newest one, null when there is none. */
  get latest(): PaneScreen | null {
    return this.#latest;
  }

  /** Begins with an empty screen; `resync` follows for a pane that has something on it. */
  async watch(cols: number, rows: number): Promise<void> {
    this.unwatch();
    const watch = this.#watches;
    const terminal = (await this.#options.emulators()).create(cols, rows, 0);
    if (watch !== this.#watches) return terminal.dispose();
    this.#mirror = new PaneMirror(
      terminal,
      this.#options.clock,
      (screen) => {
        this.#latest = screen;
        this.#options.show(screen);
      },
      () => this.resync(),
    );
  }

  unwatch(): void {
    this.#watches++;
    this.#mirror?.dispose();
    this.#mirror = null;
    this.#latest = null;
  }

  feed(bytes: Buffer): void {
    this.#mirror?.feed(bytes);
  }

  /** Starts again from what tmux shows. */
  resync(): void {
    const session = this.#options.session();
    const mirror = this.#mirror;
    if (session !== null && mirror !== null) copyScreen(session.channel, this.#options.id(), (copy) => mirror.restore(copy));
  }

  /** The pane is as empty as a new one. */
  clear(cols: number, rows: number): void {
    this.#mirror?.restore({ cols, rows, lines: [], cursor: { x: 0, y: 0, shown: true }, modes: freshModes });
  }

  /** The emulator wraps lines anew in its own way (xterm.js mixes up combining marks): what counts is what tmux made of them. */
  resize(cols: number, rows: number): void {
    this.#mirror?.resize(cols, rows);
    this.resync();
  }

  dispose(): void {
    this.unwatch();
  }
}
