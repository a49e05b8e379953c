/** Thoughts that stand in the text of an answer, between `<think>` and `</think>` at its beginning. */

const OPEN = '<think>';
const CLOSE = '</think>';

/** A piece of text told apart. */
export interface ToldApart {
  readonly text: string;
  readonly reasoning: string;
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function heldBack(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/** Tells thoughts from text while both come in pieces that may cut a tag anywhere. */
export class ThinkTags {
  #state: 'before' | 'opened' | 'thoughts' | 'closed' | 'text' = 'before';
  #held = '';

  push(piece: string): ToldApart {
    let rest = this.#held + piece;
    let reasoning = '';
    this.#held = '';
    if (this.#state === 'before') {
      const begun = rest.trimStart();
      if (begun.length < OPEN.length && OPEN.startsWith(begun)) return this.#hold(rest, '');
      if (!begun.startsWith(OPEN)) {
        this.#state = 'text';
        return { text: rest, reasoning: '' };
      }
      this.#state = 'opened';
      rest = begun.slice(OPEN.length);
    }
    if (this.#state === 'opened') {
      rest = rest.trimStart();
      if (rest !== '') this.#state = 'thoughts';
    }
    if (this.#state === 'thoughts') {
      const end = rest.indexOf(CLOSE);
      if (end < 0) {
        const held = heldBack(rest, CLOSE);
        return this.#hold(rest.slice(rest.length - held), rest.slice(0, rest.length - held));
      }
      reasoning = rest.slice(0, end);
      rest = rest.slice(end + CLOSE.length);
      this.#state = 'closed';
    }
    if (this.#state === 'closed') {
      rest = rest.trimStart();
      if (rest !== '') this.#state = 'text';
    }
    return { text: rest, reasoning };
  }

  /** What was held back, when nothing more comes. */
  end(): ToldApart {
    const held = this.#held;
    this.#held = '';
    if (this.#state === 'thoughts') return { text: '', reasoning: held };
    return { text: held, reasoning: '' };
  }

  #hold(held: string, reasoning: string): ToldApart {
    this.#held = held;
    return { text: '', reasoning };
  }
}
