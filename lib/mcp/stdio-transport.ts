/** A server that is started here and spoken to through its pipes: a JSON-RPC message a line (MCP 2025-06-18, "stdio"). */

import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.js';
import { BuddyError } from '../base/errors.js';
import { stat } from '../base/files.js';
import { type Keeper, startKeeper } from '../base/keeper.js';
import { type Child, startProcess } from '../base/process.js';
import { settledWithin } from '../base/settled.js';

/** What is started. */
export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** No message is longer (bytes): whoever sends more is ended. */
  readonly mostBytes: number;
  /** A line for its log. */
  log(line: string): void;
  /** A line of its stdout that is no message. */
  noise(line: string): void;
}

/** After the end of its input it has so long to end by itself, and as long again after SIGTERM, before it is killed (milliseconds). */
const GRACE_MS = 700;
/** One that lets so many messages wait does not read. */
const MOST_UNREAD = 1000;
/** After so many bytes at once others have their turn. */
const MUCH = 32 * 1024;
/** Of a line of the log so much is kept (characters). */
const LOGGED = 2000;

/** The transport of the SDK, by its shape. */
export class StdioTransport {
  readonly #options: StdioOptions;
  #child: Child | null = null;
  #keeper: Keeper | null = null;
  #left: Buffer[] = [];
  #leftBytes = 0;
  /** Messages to it that wait to be read. */
  #unread = 0;
  #closing: Promise<void> | null = null;
  #ended = false;
  /** Why it ended by itself or was ended, in words; null: it has not, or `close` was called first. */
  trouble: string | null = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: never) => void;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** The id of the process; null: there is none. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Rejects with `mcp.start` when the program cannot be started. */
  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#options;
    const child = startProcess(command, args, { env, cwd, ownGroup: true });
    this.#child = child;
    inTurns(child.stdout, this.#options.clock, (bytes) => this.#read(bytes));
    logLines(child.stderr, this.#options.clock, (line) => this.#options.log(line));
    void child.ended.then(({ error }) => this.#over(error?.message ?? null));
    void child.exited.then(({ code, signal }) => {
      this.trouble ??= signal === null ? `it ended with exit code ${code ?? 'unknown'}` : `it was ended by ${signal}`;
      // Daemons of its own may hold its pipes for as long as they like.
      void settledWithin(child.ended, GRACE_MS, this.#options.clock).then(() => this.#over(null));
    });
    if (child.pid === null) {
      const { error } = await child.ended;
      // The system says the same of a program and of a folder that are not there.
      const isFolder = (await stat(cwd).catch(() => null))?.isDirectory() === true;
      const missing = isFolder ? `there is no program ${command}` : `there is no folder ${cwd}`;
      const words = /ENOENT|ENOTDIR/.test(error?.message ?? '') ? missing : `${command} cannot be started: ${error?.message}`;
      this.trouble = words;
      throw new BuddyError('mcp.start', words);
    }
    this.#keeper = startKeeper(child, env['PATH']);
  }

  /** Resolves when it is written, or kept to be. */
  send(message: unknown): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (stdin?.writable !== true || this.#ended) return Promise.reject(new BuddyError('mcp.gone', 'the server is gone'));
    // It may ask and ask, and never read what it is answered.
    if (this.#unread >= MOST_UNREAD) {
      this.trouble ??= 'it does not read what it is told';
      this.#over(null);
      return Promise.reject(new BuddyError('mcp.gone', 'the server is gone'));
    }
    return new Promise((resolve, reject) => {
      this.#unread++;
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        this.#unread--;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Ends its whole group: by the end of its input, then SIGTERM, then SIGKILL. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child === null || child.pid === null) return this.#over(null);
    const { clock } = this.#options;
    child.stdin.end();
    if (!(await settledWithin(child.exited, GRACE_MS, clock))) {
      child.kill('SIGTERM');
      await settledWithin(child.exited, GRACE_MS, clock);
    }
    this.#over(null);
  }

  /** What is left of its group is killed, whoever ended it. */
  #over(error: string | null): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error !== null) this.trouble ??= error;
    const child = this.#child;
    child?.kill('SIGKILL');
    child?.stdout.destroy();
    child?.stderr.destroy();
    this.#keeper?.end();
    this.#left = [];
    this.onclose?.();
  }

  #read(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      const last = bytes.subarray(start, end);
      const line = this.#left.length === 0 ? last : Buffer.concat([...this.#left, last]);
      this.#left = [];
      this.#leftBytes = 0;
      start = end + 1;
      if (line.length > this.#options.mostBytes) this.#tooLong();
      else this.#line(line);
      if (this.#ended) return;
    }
    const rest = bytes.subarray(start);
    if (rest.length === 0) return;
    this.#left.push(rest);
    this.#leftBytes += rest.length;
    if (this.#leftBytes > this.#options.mostBytes) this.#tooLong();
  }

  #tooLong(): void {
    this.trouble ??= `it sent a message of more than ${Math.round(this.#options.mostBytes / (1024 * 1024))} MiB`;
    this.#over(null);
  }

  #line(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    const message = messageIn(text);
    if (message === null) this.#options.noise(text.slice(0, LOGGED));
    else this.onmessage?.(message as never);
  }
}

/** A JSON-RPC message, or null for anything else. */
function messageIn(text: string): object | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0' ? value : null;
  } catch {
    return null;
  }
}

/** A flood would be read on and on before anything else has its turn. */
function inTurns(stream: Readable, clock: Clock, read: (bytes: Buffer) => void): void {
  stream.on('data', (bytes: Buffer) => {
    read(bytes);
    if (bytes.length < MUCH) return;
    stream.pause();
    clock.after(0, () => stream.resume());
  });
}

/** Line by line; of a line that does not end only its beginning. */
function logLines(stream: Readable, clock: Clock, log: (line: string) => void): void {
  let left = '';
  inTurns(stream, clock, (bytes) => {
    const lines = `${left}${bytes.toString('utf8')}`.split('\n');
    left = (lines.pop() ?? '').slice(0, LOGGED);
    for (const line of lines) if (line.trim() !== '') log(line.slice(0, LOGGED));
  });
  stream.on('end', () => {
    if (left.trim() !== '') log(left);
  });
}
