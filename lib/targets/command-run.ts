/** One command on its way through a pane: what it printed and how it ended. */

import { StringDecoder } from 'node:string_decoder';
import { BuddyError } from '../base/errors.js';
import { ByteLog } from './output/byte-log.js';
import type { KeptOutput } from './output/kept-outputs.js';
import type { OutputTail } from './target.js';

/** How a command ended, as its pane saw it. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** The shell or the connection went away. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** The shell never took it: nothing ran. */
  | { readonly kind: 'unstarted'; readonly reason: string };

/** Throws `target.command` for a command that cannot reach a shell as it stands: a NUL ends every argument and every line. */
export function assertDeliverable(command: string): void {
  if (!command.includes('\0')) return;
  throw new BuddyError('target.command', `the command holds a NUL character at offset ${command.indexOf('\0')}, which no shell can take`, {
    hint: "Write it another way, for example printf '\\000'.",
  });
}

/** Mutable while it runs; `ended` and `begun` resolve once and never reject. */
export class CommandRun {
  readonly command: string;
  readonly log = new ByteLog();
  /** All that it prints. */
  readonly kept: KeptOutput | null;
  readonly startedMs: number;
  readonly begun: Promise<void>;
  readonly ended: Promise<RunEnd>;
  /** Changes when the command had to be typed again. */
  id: string;
  /** It had to be typed a second time. */
  retyped = false;
  hasBegun = false;
  end: RunEnd | null = null;
  readonly #decoder = new StringDecoder('utf8');
  #onChunk: ((text: string) => void) | null;
  #resolveBegun: () => void = () => undefined;
  #resolveEnded: (end: RunEnd) => void = () => undefined;

  constructor(command: string, id: string, startedMs: number, onChunk: (text: string) => void, kept: KeptOutput | null = null) {
    this.kept = kept;
    this.command = command;
    this.id = id;
    this.startedMs = startedMs;
    this.#onChunk = onChunk;
    this.begun = new Promise((resolve) => {
      this.#resolveBegun = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  begin(): void {
    this.hasBegun = true;
    this.#resolveBegun();
  }

  output(bytes: Buffer): void {
    this.log.append(bytes);
    this.kept?.append(bytes);
    const text = this.#onChunk === null ? '' : this.#decoder.write(bytes);
    if (text !== '') this.#onChunk?.(text);
  }

  /** The end of what it printed so far. */
  tail(most: number): OutputTail {
    const text = this.log.end(most).toString('utf8');
    // The first character may be cut.
    return { text: text.replace(/^\ufffd{1,3}/, ''), totalBytes: this.log.rawBytes, id: this.kept?.id ?? null };
  }

  /** Nobody listens any more; the output is still kept. */
  mute(): void {
    this.#onChunk = null;
  }

  finish(end: RunEnd): void {
    if (this.end !== null) return;
    this.end = end;
    const rest = this.#decoder.end();
    if (rest !== '') this.#onChunk?.(rest);
    this.#onChunk = null;
    this.#resolveEnded(end);
  }
}
