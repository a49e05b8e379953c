/** Records made of another program's messages: prompts with their ends, every call with its one result right behind it. */

import type { AssistantMessage, Message, ToolMessage } from '../../../protocol/messages.js';
import { toolEnvelope } from '../../envelope.js';
import { estimateTokens, syntheticResult } from '../../history.js';
import { callPreview } from '../call-preview.js';
import type { RecordBody, Said, SessionRecord } from '../records.js';

/** How results of this program look already. */
const ENVELOPE = '{"harness_timestamp"';

/** What another program's answer is, as far as it is of use here. */
export interface ImportedAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly argsText: string }[];
  /** It was cancelled or failed. */
  readonly incomplete: boolean;
}

type Body = RecordBody & { readonly tsMs: number };

/** A call that has no result yet: where its two records are to stand. */
interface OpenCall {
  readonly theirId: string;
  readonly id: string;
  readonly name: string;
  readonly argsText: string;
  readonly at: number;
  readonly tsMs: number;
}

/** Grows record by record, in the order of the conversation. */
export class ImportedTurns {
  readonly #bodies: (Body | null)[] = [];
  #open: OpenCall[] = [];
  readonly #ids = new Set<string>();
  /** Of the prompt that has not ended. */
  #prompt: string | null = null;
  #isAnswered = false;
  #prompts = 0;
  #tsMs = 0;
  #name: string | null = null;
  /** Results that belong to no call: they are left out. */
  orphans = 0;

  /** What the person said, or the program told (`note`). */
  user(text: string, tsMs: number, as: Said = 'prompt'): void {
    if (as === 'prompt') this.#endPrompt();
    this.#put({ type: 'message', message: { role: 'user', text }, as }, tsMs);
    if (as !== 'prompt') return;
    this.#prompt = text;
    this.#isAnswered = false;
  }

  answer({ text, reasoning, calls, incomplete }: ImportedAnswer, tsMs: number): void {
    this.#settle();
    const own = calls.map((call) => ({ ...call, theirId: call.id, id: this.#unique(call.id) }));
    const message: AssistantMessage = {
      ...{ role: 'assistant', text, reasoning, extras: {}, incomplete },
      calls: own.map(({ id, name, argsText }) => ({ id, name, argsText })),
    };
    this.#put({ type: 'message', message }, tsMs);
    for (const call of own) {
      this.#open.push({ ...call, at: this.#bodies.length, tsMs: this.#tsMs });
      this.#bodies.push(null, null);
    }
    this.#isAnswered = !incomplete;
  }

  /** What a call gave. It belongs to the newest call with that id that has none. */
  result(theirId: string, text: string, isError: boolean, tsMs: number): void {
    const call = this.#open.findLast((open) => open.theirId === theirId);
    if (call === undefined) {
      this.orphans++;
      return;
    }
    this.#open = this.#open.filter((open) => open !== call);
    const whole = text.startsWith(ENVELOPE) ? text : toolEnvelope({ output: text }, tsMs);
    const message: ToolMessage = { role: 'tool', callId: call.id, name: call.name, text: whole, isError };
    this.#fill(call, message, text, `${isError ? 'failed' : 'done'}, in the imported session`, Math.max(tsMs, call.tsMs));
  }

  name(name: string): void {
    this.#name = name;
  }

  /** The record that stands in for all before the one with that number (`length` of an earlier time), when the model is asked. */
  recap(message: Message, from: number, tokensBefore: number, tsMs: number): void {
    this.#settle();
    const kept = this.#bodies
      .slice(from)
      .flatMap((body, at) => (body?.type === 'message' ? { id: String(from + at + 1), of: body.message } : []));
    const after = estimateTokens([message, ...kept.map(({ of }) => of)], 0);
    const messages = [message, ...kept.map(({ id }) => id)];
    this.#put({ type: 'context', messages, tokens: { before: tokensBefore, after, trimmed: false } }, tsMs);
  }

  /** So many records there are by now. */
  get length(): number {
    return this.#bodies.length;
  }

  /** The messages so far, those that a recap stands for as well. */
  get messages(): readonly Message[] {
    return this.#bodies.flatMap((body) => (body?.type === 'message' ? body.message : []));
  }

  /** All of it, numbered from 1. Empty when nobody has said anything. */
  records(): readonly SessionRecord[] {
    this.#endPrompt();
    if (this.#prompts === 0) return [];
    if (this.#name !== null) this.#put({ type: 'name', name: this.#name }, this.#tsMs);
    return this.#bodies.flatMap((body, at) =>
      body === null ? [] : { ...body, id: String(at + 1), parentId: at === 0 ? null : String(at) },
    );
  }

  #put(body: RecordBody, tsMs: number): void {
    // Clocks that went back would put what was said later above what was said before.
    this.#tsMs = Math.max(this.#tsMs, tsMs);
    this.#bodies.push({ ...body, tsMs: this.#tsMs });
  }

  /** Calls that were never answered get a result that says so: no server takes a call without one. */
  #settle(): void {
    for (const call of this.#open) {
      const message = syntheticResult(call, 'There is no result in the imported session.', call.tsMs);
      this.#fill(call, message, '', 'no result in the imported session', call.tsMs);
    }
    this.#open = [];
  }

  #fill({ id, name, argsText, at }: OpenCall, message: ToolMessage, text: string, summary: string, tsMs: number): void {
    const seen = { call: id, name, preview: callPreview(argsText), isError: message.isError, text, summary, exitCode: null, elapsedMs: 0 };
    this.#bodies[at] = { type: 'call', ...seen, tsMs };
    this.#bodies[at + 1] = { type: 'message', message, tsMs };
    this.#tsMs = Math.max(this.#tsMs, tsMs);
  }

  #endPrompt(): void {
    this.#settle();
    if (this.#prompt === null) return;
    const latest = this.#prompt.slice(0, 500);
    this.#prompt = null;
    this.#prompts++;
    const outcome = this.#isAnswered ? 'completed' : 'cancelled';
    this.#put({ type: 'end', outcome, error: null, name: this.#name, prompts: this.#prompts, latest }, this.#tsMs);
  }

  #unique(id: string): string {
    let own = id === '' ? 'call' : id;
    for (let count = 2; this.#ids.has(own); count++) own = `${id === '' ? 'call' : id}-${count}`;
    this.#ids.add(own);
    return own;
  }
}
