/** One tmux control-mode client as a channel: commands and their replies, pane output, and how it ended. */

import { BuddyError } from '../../base/errors.js';
import type { Child } from '../../base/process.js';
import { ControlParser } from './control-parser.js';

/** A reply to one command line. `ok` false: tmux refused it, the lines say why. */
export interface ControlReply {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/** What comes over the channel by itself; called synchronously. */
export interface ChannelListener {
  output(pane: string, bytes: Buffer): void;
  notification(name: string, rest: string): void;
  /** Once, when the client has ended, with the reason in words. */
  closed(reason: string): void;
}

/** A command line, or one that runs another in its turn: tmux answers such a line with two replies, of which the second counts. */
export type CommandLine = string | { readonly line: string; readonly nested: true };

interface Pending {
  readonly handle: ((reply: ControlReply) => void) | undefined;
  readonly resolve: (reply: ControlReply) => void;
  readonly reject: (error: Error) => void;
}

/** Owns the client process. Replies come in the order of the commands, each handled before later bytes are looked at. */
export class ControlChannel {
  readonly #child: Child;
  readonly #listener: ChannelListener;
  readonly #pending: Pending[] = [];
  readonly #opening: { readonly resolve: (lines: readonly string[]) => void; readonly reject: (error: Error) => void };
  readonly #openingLines: string[] = [];
  /** What the client's own command line printed; settles when the client is attached. Rejects `target.refused` with tmux's words. */
  readonly opened: Promise<readonly string[]>;
  readonly ended: Promise<void>;
  #exitReason = '';
  #stderr = '';
  #dead: BuddyError | null = null;

  constructor(child: Child, listener: ChannelListener) {
    this.#child = child;
    this.#listener = listener;
    let opening: { resolve: (lines: readonly string[]) => void; reject: (error: Error) => void } | null = null;
    this.opened = new Promise((resolve, reject) => {
      opening = { resolve, reject };
    });
    this.opened.catch(() => undefined);
    if (opening === null) throw new Error('a promise runs its executor at once');
    this.#opening = opening;
    const parser = new ControlParser({
      reply: (ok, lines, ours) => this.#reply(ok, lines, ours),
      output: (pane, bytes) => this.#listener.output(pane, bytes),
      notification: (name, rest) => this.#notification(name, rest),
    });
    child.stdout.on('data', (chunk: Buffer) => parser.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk.toString('utf8')}`.slice(-2000);
    });
    this.ended = child.ended.then(({ code, error }) => {
      this.#close(error?.message || this.#stderr.trim() || this.#exitReason || `the tmux client ended (exit code ${code ?? 'unknown'})`);
    });
  }

  get open(): boolean {
    return this.#dead === null;
  }

  /** Sends one command line. `handle` sees the reply before any later byte; rejects `target.lost` when the client has ended. */
  request(line: string, handle?: (reply: ControlReply) => void): Promise<ControlReply> {
    const reply = this.#expect(handle);
    if (this.#dead === null) this.#child.stdin.write(`${line}\n`);
    return reply;
  }

  /** Sends several command lines in one write; one reply for each. `handle` sees them all before any later byte. */
  requestAll(lines: readonly CommandLine[], handle?: (replies: readonly ControlReply[]) => void): Promise<readonly ControlReply[]> {
    const seen: ControlReply[] = [];
    const collect = (reply: ControlReply) => {
      if (seen.push(reply) === lines.length) handle?.(seen);
    };
    const replies = Promise.all(
      lines.map((line) => {
        if (typeof line !== 'string') void this.#expect(undefined);
        return this.#expect(collect);
      }),
    );
    const texts = lines.map((line) => (typeof line === 'string' ? line : line.line));
    // An empty line would detach.
    if (this.#dead === null && texts.length > 0) this.#child.stdin.write(`${texts.join('\n')}\n`);
    return replies;
  }

  /** Detaches, as an empty line does, and resolves when the client has ended. */
  detach(): Promise<void> {
    if (this.#dead === null) this.#child.stdin.end('\n');
    return this.ended;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #expect(handle: Pending['handle']): Promise<ControlReply> {
    const reply = new Promise<ControlReply>((resolve, reject) => {
      if (this.#dead !== null) reject(this.#dead);
      else this.#pending.push({ handle, resolve, reject });
    });
    reply.catch(() => undefined);
    return reply;
  }

  #reply(ok: boolean, lines: readonly Buffer[], ours: boolean): void {
    const reply = { ok, lines: lines.map((line) => line.toString('utf8')) };
    if (ours) {
      const pending = this.#pending.shift();
      pending?.handle?.(reply);
      pending?.resolve(reply);
    } else if (ok) this.#openingLines.push(...reply.lines);
    else this.#opening.reject(new BuddyError('target.refused', reply.lines.join(' ') || 'tmux refused the session'));
  }

  #notification(name: string, rest: string): void {
    if (name === '%exit') this.#exitReason = rest;
    if (name === '%session-changed') this.#opening.resolve(this.#openingLines);
    this.#listener.notification(name, rest);
  }

  #close(reason: string): void {
    if (this.#dead !== null) return;
    this.#dead = new BuddyError('target.lost', `the connection to tmux is gone: ${reason}`, { retryable: true });
    this.#opening.reject(this.#dead);
    for (const pending of this.#pending.splice(0)) pending.reject(this.#dead);
    this.#listener.closed(reason);
  }
}
