/** The picture of a pane that somebody looks at: an emulator fed with its bytes, started again from tmux's own screen when needed. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import type { PaneId, PaneScreen, PaneScrollback } from '../../protocol/panes.js';
import type { EmulatorFactory } from '../terminal-emulator.js';
import { PaneMirror } from './mirror.js';
import { copyScreen } from './screen-copy.js';
import { readScrollback } from './scrollback.js';
import type { Session } from './session.js';

export interface PictureOptions {
  readonly clock: Clock;
  readonly emulators: () => Promise<EmulatorFactory>;
  /** The session as it stands; null while there is none. */
  session(): Session | null;
  /** Of the pane; '' while it has none. */
  id(): PaneId;
  /** The shell is taking a line of ours, which takes itself off the screen when it runs. */
  isTaking(): boolean;
  show(screen: PaneScreen): void;
}

/** A picture of our own line is held back so long (milliseconds): it is gone by then, or something has swallowed it. */
const HELD_MS = 1000;

/** Nothing is drawn before `watch` and after `unwatch`. */
export class PanePicture implements Disposable {
  readonly #options: PictureOptions;
  #mirror: PaneMirror | null = null;
  #watches = 0;
  #latest: PaneScreen | null = null;
  #waiting: PaneScreen | null = null;
  #held: Disposable | null = null;
  /** Bytes of the pane up to which our own line may be on the screen; infinite while the shell takes it. */
  #lineUntil = 0;

  constructor(options: PictureOptions) {
    this.#options = options;
  }

  /** The newest one, null when there is none. */
  get latest(): PaneScreen | null {
    return this.#latest;
  }

  /** Begins with an empty screen; `missed` follows for a pane that has something on it. */
  async watch(cols: number, rows: number): Promise<void> {
    this.unwatch();
    const watch = this.#watches;
    const emulators = await this.#options.emulators();
    if (watch !== this.#watches) return;
    this.#mirror = new PaneMirror(
      () => emulators.create(cols, rows, 0),
      this.#options.clock,
      (screen) => this.#drawn(screen),
      () => this.resync(),
    );
  }

  unwatch(): void {
    this.#watches++;
    this.#held?.dispose();
    this.#held = null;
    this.#waiting = null;
    this.#mirror?.dispose();
    this.#mirror = null;
    this.#latest = null;
    this.#lineUntil = 0;
  }

  feed(bytes: Buffer): void {
    this.#mirror?.feed(bytes);
    this.#followLine();
  }

  /** The bytes that take the line off are known before they are drawn. */
  #followLine(): void {
    if (this.#options.isTaking()) this.#lineUntil = Number.POSITIVE_INFINITY;
    else if (this.#lineUntil === Number.POSITIVE_INFINITY) this.#lineUntil = this.#mirror?.fed ?? 0;
  }

  #drawn(screen: PaneScreen): void {
    this.#waiting = screen;
    this.#followLine();
    if ((this.#mirror?.parsedThrough ?? 0) >= this.#lineUntil) this.#show();
    // Not anew with each picture: what has swallowed the line may go on drawing.
    else this.#held ??= this.#options.clock.after(HELD_MS, () => this.#show());
  }

  /** Shows the newest one. */
  #show(): void {
    const screen = this.#waiting;
    this.#held?.dispose();
    this.#held = null;
    this.#waiting = null;
    if (screen === null) return;
    this.#latest = screen;
    this.#options.show(screen);
  }

  /** Shows what tmux shows. */
  resync(): void {
    const session = this.#options.session();
    const mirror = this.#mirror;
    const id = this.#options.id();
    if (session !== null && mirror !== null && id !== '') copyScreen(session.channel, id, (copy) => mirror.restore(copy));
  }

  /** What has scrolled off the pane, as it is now; null when it cannot be had. */
  async scrollback(): Promise<PaneScrollback | null> {
    const session = this.#options.session();
    const id = this.#options.id();
    return session === null || id === '' ? null : readScrollback(session.channel, id, await this.#options.emulators());
  }

  /** The pane has printed what was not fed. */
  missed(): void {
    this.#mirror?.gap();
    this.resync();
  }

  /** The pane is as empty as a new one. */
  clear(cols: number, rows: number): void {
    this.#mirror?.restore({ cols, rows, lines: [], cursor: { x: 0, y: 0, shown: true } });
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
