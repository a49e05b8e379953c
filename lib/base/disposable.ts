/** Owning things that must be let go of: listeners, timers, processes. */

/** Something that can be let go of; calling it again does nothing. */
export interface Disposable {
  dispose(): void;
}

/** A disposable that runs `release` once. */
export function disposable(release: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      release();
    },
  };
}

/** Owns many disposables and lets go of them in reverse order; what is added after that is let go of at once. */
export class DisposableStore implements Disposable {
  readonly #owned = new Set<Disposable>();
  #disposed = false;

  add<T extends Disposable>(owned: T): T {
    if (this.#disposed) owned.dispose();
    else this.#owned.add(owned);
    return owned;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const owned of [...this.#owned].reverse()) owned.dispose();
    this.#owned.clear();
  }
}
