/** Questions to the person at a terminal, one line each. Only for what runs before or without the screen. */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { abortError, BuddyError, exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visible } from '../base/visible.js';

/** Signals that give up, and the exit code then. */
const stopSignals = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.hangup],
] as const;

/** Asks on the terminal of `host`. */
export class Questions {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** True when there is a person to ask. */
  get canAsk(): boolean {
    return this.#host.stdin.isTTY === true && this.#host.stdout.isTTY === true;
  }

  say(text: string): void {
    this.#host.stdout.write(`${visible(text)}\n`);
  }

  /** The line that is entered, without blanks around it. Rejects with an AbortError on Ctrl+C, Ctrl+D or `signal`. */
  async line(question: string, signal: AbortSignal): Promise<string> {
    return this.#read(question, this.#host.stdout, signal);
  }

  /** The same, and what is typed is not shown. */
  async secret(question: string, signal: AbortSignal): Promise<string> {
    this.#host.stdout.write(visible(question));
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    try {
      return await this.#read('', nowhere, signal);
    } finally {
      this.#host.stdout.write('\n');
    }
  }

  /** The number (from 0) of the choice; Enter takes `usual`. Asks until the answer is one. */
  async choice(question: string, choices: readonly string[], usual: number, signal: AbortSignal): Promise<number> {
    this.say(question);
    for (const [i, text] of choices.entries()) this.say(`  ${i + 1}  ${text}`);
    for (;;) {
      const answer = await this.line(`Number, or Enter for ${usual + 1}: `, signal);
      const chosen = answer === '' ? usual : Number(answer) - 1;
      if (Number.isInteger(chosen) && choices[chosen] !== undefined) return chosen;
      this.say(`Please enter a number from 1 to ${choices.length}.`);
    }
  }

  async #read(question: string, output: NodeJS.WritableStream, signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw abortError();
    const lines = createInterface({ input: this.#host.stdin, output, terminal: true, historySize: 0 });
    const closed = new AbortController();
    lines.on('SIGINT', () => closed.abort());
    lines.on('close', () => closed.abort());
    try {
      return (await lines.question(question, { signal: AbortSignal.any([signal, closed.signal]) })).trim();
    } catch {
      throw abortError();
    } finally {
      lines.removeAllListeners('close');
      lines.close();
    }
  }
}

/** The first line of a standard input that is no terminal; '' when there is none. */
export async function pipedLine(host: Host): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of host.stdin) {
      parts.push(Buffer.from(part as Uint8Array));
      if (parts.reduce((sum, { length }) => sum + length, 0) > 64 * 1024) break;
    }
  } catch {
    // One that cannot be read (closed, a folder) holds nothing.
  }
  return (Buffer.concat(parts).toString('utf8').split(/\r?\n/, 1)[0] ?? '').trim();
}

/** Runs `work` until a signal ends it; Ctrl+C at a question is told by an AbortError. Resolves with the exit code. */
export async function untilStopped(host: Host, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  let code: number | null = null;
  const listening = stopSignals.map(([signal, number]) =>
    host.on(signal, () => {
      if (code !== null) host.exit(number);
      code = number;
      stop.abort();
    }),
  );
  try {
    return await work(stop.signal);
  } catch (thrown) {
    if (thrown instanceof BuddyError || !(thrown instanceof Error) || thrown.name !== 'AbortError') throw thrown;
    host.stdout.write('\n');
    return code ?? exitCodes.interrupted;
  } finally {
    for (const end of listening) end();
  }
}
