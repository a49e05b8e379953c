/**
 * Redaction of a text that comes in pieces: a secret is masked wherever the pieces part it. Nothing is held back but what has begun like a
 * secret; the first letters of one, which might be any word, may have been told by then.
 */

import { GONE, masked, type Secrets } from './redaction.js';

/** So much is held back at most until it is clear whether it is a secret (characters). */
const MOST_HELD = 64 * 1024;
/** How a secret begins that has no length of its own: what comes behind a part of it that was let go is still one. */
const ENDLESS = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** No beginning of a secret that was let go is longer (characters). */
const REMEMBERED = 16;

/** One for each text. */
export class StreamedRedaction {
  readonly #secrets: Secrets;
  #held = '';
  /** The end of what was told, to see what goes on from there. */
  #told = '';

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** What can be told after this piece has come; '' when that is nothing yet. */
  push(piece: string): string {
    const text = this.#told + this.#held + piece;
    const from = Math.max(this.#told.length, this.#secrets.openEnd(text));
    if (text.length - from <= MOST_HELD) return this.#tell(text, from);
    const out = this.#tell(text, text.length);
    this.#held = ENDLESS.exec(text.slice(from))?.[0] ?? '';
    return out;
  }

  /** The rest. The next piece begins another text. */
  end(): string {
    const text = this.#told + this.#held;
    const out = this.#tell(text, text.length);
    this.#told = '';
    return out;
  }

  /** What of `text` is not told yet, up to there. */
  #tell(text: string, upTo: number): string {
    const from = this.#told.length;
    const part = text.slice(0, upTo);
    const spans = this.#secrets
      .find(part)
      .filter(({ end }) => end > from)
      .map(({ start, end }) => ({ start: Math.max(start, from), end }));
    this.#held = text.slice(upTo);
    this.#told = spans
      .reduce((left, { start, end }) => left.slice(0, start) + GONE.repeat(end - start) + left.slice(end), part)
      .slice(-REMEMBERED);
    return masked(part, spans).slice(from);
  }
}
