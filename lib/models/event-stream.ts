/** Server-sent events out of bytes, cut anywhere (WHATWG HTML, 9.2). */

/** One event. */
export interface ServerEvent {
  /** '' for none. */
  readonly name: string;
  readonly data: string;
}

/** An event may have so many characters when nothing else is said. */
const EVENT_LIMIT = 4 * 1024 * 1024;

/** Thrown for an event beyond the limit. */
export class EventTooLong extends Error {
  override readonly name = 'EventTooLong';
}

/** True as soon as `head` can only be an event stream. */
export function looksLikeEvents(head: string): boolean {
  return /^\ufeff?\s*(data|event|id|retry|error)?:/.test(head);
}

/** Decodes one stream; every byte is looked at once. */
export class EventStreamDecoder {
  readonly #most: number;
  readonly #utf8 = new TextDecoder();
  /** Pieces of a line whose end has not come. */
  #line: string[] = [];
  #lineLength = 0;
  #afterReturn = false;
  #name = '';
  #data: string[] = [];
  #dataLength = 0;

  /** `most`: characters of one event, or of a line without end. */
  constructor(most = EVENT_LIMIT) {
    this.#most = most;
  }

  /** The events that `bytes` complete. Throws EventTooLong. */
  push(bytes: Uint8Array): readonly ServerEvent[] {
    return this.#take(this.#utf8.decode(bytes, { stream: true }));
  }

  /** The last event, when the stream ended without the empty line after it. */
  end(): readonly ServerEvent[] {
    const events = [...this.#take(this.#utf8.decode())];
    if (this.#lineLength > 0) this.#field(this.#takeLine());
    events.push(...this.#dispatch());
    return events;
  }

  #take(text: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = 0;
    if (this.#afterReturn && text !== '') {
      this.#afterReturn = false;
      if (text.startsWith('\n')) from = 1;
    }
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = from;
    for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
      this.#keep(text.slice(from, found.index));
      from = ends.lastIndex;
      if (found[0] === '\r' && from === text.length) this.#afterReturn = true;
      const line = this.#takeLine();
      if (line === '') events.push(...this.#dispatch());
      else this.#field(line);
    }
    this.#keep(text.slice(from));
    return events;
  }

  #keep(piece: string): void {
    if (piece === '') return;
    this.#line.push(piece);
    this.#lineLength += piece.length;
    if (this.#lineLength + this.#dataLength > this.#most) throw new EventTooLong('an event is too long');
  }

  #takeLine(): string {
    const line = this.#line.join('');
    this.#line = [];
    this.#lineLength = 0;
    return line;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#name = value;
    // llama.cpp reports errors in a field of that name.
    if (field === 'error') this.#name = 'error';
    if (field !== 'data' && field !== 'error') return;
    this.#data.push(value);
    this.#dataLength += value.length + 1;
  }

  #dispatch(): readonly ServerEvent[] {
    const event: ServerEvent = { name: this.#name, data: this.#data.join('\n') };
    this.#name = '';
    this.#data = [];
    this.#dataLength = 0;
    return event.data === '' ? [] : [event];
  }
}
