/** A place that walks through a text cluster by cluster as vim's cursor does: the end of a line is a place of its own. */

import { after, before, isMark } from '../clusters.js';
import { type Cursor, type EditorText, lineAt } from '../text.js';

/** What a word consists of: `word` as `w` has it, `blank` as `W` has it. */
export type WordClass = 'word' | 'blank';

const WORD = /^[\p{L}\p{N}\p{M}_]/u;

/** Where a step led. */
export type Stepped = 'moved' | 'line-end' | 'other-line' | 'nowhere';

/** One walk. It owns its place; nothing else sees it change. */
export class Walker {
  readonly #text: EditorText;
  readonly #classes: WordClass;
  #line: number;
  #offset: number;

  constructor(text: EditorText, from: Cursor, classes: WordClass = 'word') {
    this.#text = text;
    this.#classes = classes;
    this.#line = from.line;
    this.#offset = from.offset;
  }

  get at(): Cursor {
    return { line: this.#line, offset: this.#offset };
  }

  get onEmptyLine(): boolean {
    return this.#offset === 0 && this.#content === '';
  }

  get onLastLine(): boolean {
    return this.#line === this.#text.lines.length - 1;
  }

  /** 0: a blank or the end of a line; other numbers: kinds of characters that make a word together. */
  get kind(): number {
    const cluster = this.#content.slice(this.#offset, after(this.#content, this.#offset));
    if (cluster === '' || cluster === ' ' || cluster === '\t') return 0;
    if (this.#classes === 'blank') return 1;
    if (isMark(cluster)) return 3;
    return WORD.test(cluster) ? 2 : 1;
  }

  forward(): Stepped {
    const content = this.#content;
    if (this.#offset < content.length) {
      this.#offset = after(content, this.#offset);
      return this.#offset < content.length ? 'moved' : 'line-end';
    }
    if (this.onLastLine) return 'nowhere';
    this.#line++;
    this.#offset = 0;
    return 'other-line';
  }

  back(): Stepped {
    if (this.#offset > 0) {
      this.#offset = before(this.#content, this.#offset);
      return 'moved';
    }
    if (this.#line === 0) return 'nowhere';
    this.#line--;
    this.#offset = this.#content.length;
    return 'other-line';
  }

  /** On over all of that kind; false when the text ended first. */
  skip(kind: number, step: () => Stepped): boolean {
    while (this.kind === kind) if (step() === 'nowhere') return false;
    return true;
  }

  get #content(): string {
    return lineAt(this.#text, this.#line);
  }
}
