/** What one server prints and says: kept for whoever asks, and told to the person where they should know. */

/** So many lines are kept, so much of each (characters). */
const LINES = 500;
const LINE = 2000;

/** Owns the lines. */
export class ServerLog {
  readonly #server: string;
  readonly #tellPerson: (level: 'notice' | 'warning', message: string) => void;
  readonly #lines: string[] = [];
  readonly #told = new Map<string, string>();

  constructor(server: string, tellPerson: (level: 'notice' | 'warning', message: string) => void) {
    this.#server = server;
    this.#tellPerson = tellPerson;
  }

  /** The newest ones, the oldest first. */
  get lines(): readonly string[] {
    return this.#lines.slice(-LINES);
  }

  add(line: string): void {
    // Of a long text a piece would keep all of it in memory.
    this.#lines.push(line.length > LINE ? Buffer.from(line.slice(0, LINE), 'utf8').toString('utf8') : line);
    // Not with each line: a flood of them must cost next to nothing.
    if (this.#lines.length > 2 * LINES) this.#lines.splice(0, this.#lines.length - LINES);
  }

  /** A line of its stdout that is no message. */
  noise(line: string): void {
    this.add(`stdout: ${line}`);
    this.tellOf('noise', 'notice', `prints on its output what is no message; that is ignored, /mcp log ${this.#server} has it`);
  }

  /** A sentence about it for the person. */
  tell(level: 'notice' | 'warning', says: string): void {
    this.#tellPerson(level, `MCP server ${this.#server}: ${says}`);
  }

  /** The same, unless it was the last one about `what`: however often a server is asked, the person hears of it once. */
  tellOf(what: string, level: 'notice' | 'warning', says: string): void {
    if (this.#told.get(what) === says) return;
    this.#told.set(what, says);
    this.tell(level, says);
  }
}
