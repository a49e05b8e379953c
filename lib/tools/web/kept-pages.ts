/** The pages that were fetched last, so that reading on in one is reading on in the same one. */

/** A page as text. */
export interface KeptPage {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly type: string;
  readonly title: string;
  /** UTF-8. */
  readonly content: Uint8Array;
  /** Sentences about how it was got and read. */
  readonly notes: readonly string[];
  readonly hops: readonly string[];
  /** Bytes that came over the network, decompressed. */
  readonly received: number;
}

const MOST_PAGES = 6;

/** Keeps a few, the latest longest. */
export class KeptPages {
  readonly #pages = new Map<string, KeptPage>();

  keep(name: string, page: KeptPage): void {
    this.#pages.delete(name);
    this.#pages.set(name, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MOST_PAGES) return;
      this.#pages.delete(oldest);
    }
  }

  find(name: string): KeptPage | null {
    return this.#pages.get(name) ?? null;
  }
}
