/** Where the parts of a TOML text stand, for changing one of them and leaving all other bytes (TOML 1.1). Of a text that was parsed before. */

/** A `key = value`; numbers are offsets into the text. */
export interface TomlPair {
  /** As it is written here, dots parted; within a table it begins there. */
  readonly key: readonly string[];
  readonly from: number;
  readonly valueFrom: number;
  /** Behind the value. */
  readonly to: number;
  /** Of a value that is an inline table: what is in it. */
  readonly inside: readonly TomlPair[] | null;
  /** In an inline table: behind the comma that follows; null when none does. */
  readonly commaTo: number | null;
}

/** What stands below one header, or before the first one. */
export interface TomlSection {
  readonly path: readonly string[];
  /** `[[name]]`. */
  readonly isList: boolean;
  readonly from: number;
  /** Behind the header. */
  readonly to: number;
  readonly pairs: readonly TomlPair[];
}

/** The whole text. */
export interface TomlPieces {
  /** The first one has no header. */
  readonly sections: readonly TomlSection[];
  /** With their `#`, in order. */
  readonly comments: readonly string[];
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\x1b', '"': '"', '\\': '\\' };

/** Takes it apart. Throws an Error for what is no TOML. */
export function tomlPieces(source: string): TomlPieces {
  return new Scanner(source).whole();
}

/** Owns the place in the text. */
class Scanner {
  readonly #source: string;
  readonly #comments: string[] = [];
  #at: number;

  constructor(source: string) {
    this.#source = source;
    this.#at = source.startsWith('\ufeff') ? 1 : 0;
  }

  whole(): TomlPieces {
    let pairs: TomlPair[] = [];
    const sections: TomlSection[] = [{ path: [], isList: false, from: this.#at, to: this.#at, pairs }];
    for (this.#skip(); this.#at < this.#source.length; this.#skip()) {
      if (this.#char !== '[') pairs.push(this.#pair());
      else {
        pairs = [];
        sections.push({ ...this.#header(), pairs });
      }
    }
    return { sections, comments: this.#comments };
  }

  get #char(): string {
    return this.#source[this.#at] ?? '';
  }

  /** What `pattern` (sticky) finds here. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #expect(text: string): void {
    if (!this.#source.startsWith(text, this.#at)) throw new Error(`"${text}" is missing at ${this.#at}`);
    this.#at += text.length;
  }

  /** Blanks, ends of lines, comments. */
  #skip(): void {
    for (this.#take(/[ \t\r\n]+/y); this.#char === '#'; this.#take(/[ \t\r\n]+/y)) this.#comments.push(this.#take(/#[^\r\n]*/y));
  }

  #header(): Omit<TomlSection, 'pairs'> {
    const from = this.#at;
    const isList = this.#source.startsWith('[[', from);
    this.#at += isList ? 2 : 1;
    const path = this.#key();
    this.#expect(isList ? ']]' : ']');
    return { path, isList, from, to: this.#at };
  }

  #key(): readonly string[] {
    const parts: string[] = [];
    do {
      this.#take(/[ \t]+/y);
      parts.push(this.#keyPart());
      this.#take(/[ \t]+/y);
    } while (this.#take(/\./y) !== '');
    return parts;
  }

  #keyPart(): string {
    const part = this.#take(/"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[A-Za-z0-9_-]+/y);
    if (part === '') throw new Error(`no key at ${this.#at}`);
    if (part.startsWith("'")) return part.slice(1, -1);
    return part.startsWith('"') ? unescaped(part.slice(1, -1)) : part;
  }

  #pair(): TomlPair {
    const from = this.#at;
    const key = this.#key();
    this.#expect('=');
    this.#take(/[ \t]+/y);
    const valueFrom = this.#at;
    const inside = this.#char === '{' ? this.#inlineTable() : null;
    if (inside === null) this.#value();
    return { key, from, valueFrom, to: this.#at, inside, commaTo: null };
  }

  #inlineTable(): readonly TomlPair[] {
    const pairs: TomlPair[] = [];
    this.#expect('{');
    for (this.#skip(); this.#char !== '}'; this.#skip()) {
      const pair = this.#pair();
      this.#skip();
      const hasComma = this.#take(/,/y) !== '';
      pairs.push(hasComma ? { ...pair, commaTo: this.#at } : pair);
    }
    this.#expect('}');
    return pairs;
  }

  #value(): void {
    const from = this.#at;
    if (this.#char === '[') this.#array();
    else if (this.#char === '{') this.#inlineTable();
    // Up to two more quotes at the end of a long string belong to it.
    else if (this.#source.startsWith('"""', from)) this.#take(/"""(?:[^\\]|\\[\s\S])*?"""(?:"{0,2})/y);
    else if (this.#source.startsWith("'''", from)) this.#take(/'''[\s\S]*?'''(?:'{0,2})/y);
    else if (this.#char === '"') this.#take(/"(?:[^"\\\r\n]|\\.)*"/y);
    else if (this.#char === "'") this.#take(/'[^'\r\n]*'/y);
    // A date may have a blank within.
    else this.#take(/[^\s,\]}#]+(?: \d[^\s,\]}#]*)?/y);
    if (this.#at === from) throw new Error(`no value at ${from}`);
  }

  #array(): void {
    this.#expect('[');
    for (this.#skip(); this.#char !== ']'; this.#skip()) {
      this.#value();
      this.#skip();
      this.#take(/,/y);
    }
    this.#expect(']');
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (_all, x, u, long, one) => {
    const hex = x ?? u ?? long;
    return hex === undefined ? (escapes[one] ?? one) : String.fromCodePoint(Number.parseInt(hex, 16));
  });
}
