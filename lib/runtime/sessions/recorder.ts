/** Writes a conversation down as it grows: what the model is shown, and what people saw of it. */

import type { FileDiff } from '../../protocol/approvals.js';
import type { TaskId } from '../../protocol/commands.js';
import type { RuntimeEvent } from '../../protocol/events.js';
import type { Message } from '../../protocol/messages.js';
import type { Spent } from '../../protocol/spent.js';
import type { EntryId } from '../../protocol/tree.js';
import type { Conversation } from '../conversation.js';
import type { Said } from './records.js';
import type { Restored } from './restored.js';
import type { SessionLog } from './session-log.js';

/** An answer that is still coming is written down at once, and then this often (milliseconds). */
const PARTIAL_MS = 500;
/** Of more labels the newest are said again where a list looks for them. */
const LABELS_TOLD = 20;

type Tokens = { readonly before: number; readonly after: number; readonly trimmed: boolean };
type Ended = Extract<RuntimeEvent, { type: 'task.ended' }>;

/** A background job that has not ended yet. */
export interface RunningJob {
  readonly text: string;
  readonly startedMs: number;
}

export interface RecorderOptions {
  readonly conversation: Conversation;
  readonly log: SessionLog;
  /** What the file says already; null for a new one. */
  readonly earlier: Restored | null;
  /** What the session is called, when `earlier` does not say. */
  readonly name?: string | null;
  /** Of its entries. */
  readonly labels: ReadonlyMap<EntryId, string>;
  /** Those that run now, whichever conversation they were begun in; changed in place. */
  readonly jobs: Map<TaskId, RunningJob>;
  /** Where commands run now, as a person knows it. */
  target(): string;
  /** What the session has used so far. */
  spent(): Spent;
}

/** Owns the log of one session. Told of every event; nothing that is typed during a takeover is among them. */
export class Recorder {
  readonly #options: Omit<RecorderOptions, 'earlier' | 'name' | 'labels'>;
  /** Records that messages are in. What the conversation has left behind is not held by it: a long one would never get smaller. */
  readonly #ids: WeakMap<Message, string>;
  /** The messages that a reader of the file would show the model. */
  #written: readonly Message[];
  #name: string | null;
  /** The name that a reader would find where the session goes on. */
  #writtenName: string | null;
  readonly #labels: Map<EntryId, string>;
  #prompts: number;
  #latest: string;
  #profile: string | null;
  #target: string | null;
  #prompt: { readonly task: TaskId; readonly text: string } | null = null;
  readonly #calls = new Map<string, { readonly name: string; readonly preview: string; readonly diff?: FileDiff }>();
  #partial = '';
  #partialMs = 0;

  constructor(options: RecorderOptions) {
    const { earlier, name, labels, ...rest } = options;
    this.#options = rest;
    this.#ids = new WeakMap(earlier?.ids);
    this.#written = earlier?.messages.slice(0, earlier.written) ?? [];
    this.#writtenName = earlier?.name ?? null;
    this.#name = name ?? this.#writtenName;
    this.#labels = new Map(labels);
    this.#prompts = earlier?.prompts ?? 0;
    this.#latest = earlier?.latest ?? '';
    this.#profile = earlier?.profile ?? null;
    this.#target = earlier?.target ?? null;
  }

  get log(): SessionLog {
    return this.#options.log;
  }

  get name(): string | null {
    return this.#name;
  }

  /** True once there is something worth going back to. */
  get isBegun(): boolean {
    return this.#written.length > 0;
  }

  /** Gives the session a name. */
  rename(name: string): void {
    this.#name = name;
    if (!this.log.isEmpty) this.#writeName(name);
  }

  /** Gives an entry a label; '' takes it away. */
  label(of: EntryId, label: string): void {
    this.#labels.delete(of);
    if (label !== '') this.#labels.set(of, label);
    this.log.append({ type: 'label', of, label, labels: this.#allLabels() });
  }

  /** Writes down that the session goes on behind that record, and answers its labels. A recorder that knows what leads there has to follow. */
  branch(leaf: string | null): ReadonlyMap<EntryId, string> {
    this.log.branch(leaf, { type: 'branch', name: this.#name, labels: this.#allLabels() });
    return this.#labels;
  }

  #allLabels(): readonly string[] {
    return [...this.#labels.values()].slice(-LABELS_TOLD);
  }

  #writeName(name: string): void {
    this.#writtenName = name;
    this.log.append({ type: 'name', name });
  }

  /** Writes down what came of the event that has just happened. */
  heard(event: RuntimeEvent, tsMs: number): void {
    switch (event.type) {
      case 'task.started':
        if (event.kind === 'prompt') this.#prompt = { task: event.task, text: event.text };
        if (event.kind === 'job') this.#options.jobs.set(event.task, { text: event.text, startedMs: tsMs });
        return;
      case 'task.steered':
        this.write('steer');
        return;
      case 'model.requested':
        this.write();
        return;
      case 'model.text':
        this.#hear(event.text, tsMs);
        return;
      case 'model.answered':
        this.#partial = '';
        this.#partialMs = 0;
        this.write();
        return;
      case 'tool.requested':
        if (event.untold !== true) this.#calls.set(event.call, { name: event.name, preview: event.preview });
        return;
      case 'tool.changed':
        this.#change(event.call, { preview: event.preview });
        return;
      case 'tool.started':
        if (event.diff !== undefined) this.#change(event.call, { diff: event.diff });
        return;
      case 'tool.ended':
        this.#callEnded(event);
        return;
      case 'context.compacted':
        this.write('note', { before: event.tokensBefore, after: event.tokensAfter, trimmed: 'trimmed' in event });
        void this.log.settle();
        return;
      case 'lifecycle.stopping':
        // Their ends are lost sight of now; a kept one goes on, and the next run tells what became of it.
        this.#options.jobs.clear();
        return;
      case 'task.ended':
        if (event.task === this.#prompt?.task) this.#promptEnded(event);
        else this.#jobEnded(event);
        return;
    }
  }

  /** Writes down what the person asked before its message is there. */
  said(text: string): void {
    this.#writeFacts();
    this.log.append({ type: 'said', text });
  }

  /** Writes what the conversation has more than the file: the newest text of the person came `as` that. */
  write(as: Said = 'note', tokens: Tokens | null = null): void {
    const { messages } = this.#options.conversation;
    const isGrown = this.#written.length <= messages.length && this.#written.every((message, at) => message === messages[at]);
    if (isGrown && this.#written.length === messages.length) return;
    this.#writeFacts();
    if (isGrown)
      messages.slice(this.#written.length).forEach((message, at, all) => {
        this.#add(message, at === all.length - 1 ? as : 'note');
      });
    else this.log.append({ type: 'context', messages: messages.map((message) => this.#ids.get(message) ?? message), tokens });
    this.#written = [...messages];
  }

  #add(message: Message, as: Said): void {
    const more = message.role === 'user' ? { as } : message.role === 'assistant' ? this.#spent() : {};
    // What comes with a text can be long: a list of sessions reads the beginning of the line.
    const id = this.log.append({ type: 'message', ...more, message });
    this.#ids.set(message, id);
  }

  /** Nothing where no answer came: an imported session is not known to have used anything. */
  #spent(): { readonly spent?: Spent } {
    const spent = this.#options.spent();
    return spent.requests === 0 ? {} : { spent };
  }

  /** Where and with which model, when that is not what the file says. */
  #writeFacts(): void {
    const { profile, model } = this.#options.conversation.model;
    const target = this.#options.target();
    if (this.#profile !== profile) this.log.append({ type: 'model', profile, model });
    if (this.#target !== target) this.log.append({ type: 'target', label: target });
    if (this.#name !== null && this.#name !== this.#writtenName) this.#writeName(this.#name);
    this.#profile = profile;
    this.#target = target;
  }

  #hear(text: string, tsMs: number): void {
    this.#partial += text;
    if (tsMs - this.#partialMs < PARTIAL_MS) return;
    this.#partialMs = tsMs;
    this.log.append({ type: 'partial', text: this.#partial });
    this.#partial = '';
  }

  #change(call: string, to: { readonly preview?: string; readonly diff?: FileDiff }): void {
    const known = this.#calls.get(call);
    if (known !== undefined) this.#calls.set(call, { ...known, ...to });
  }

  #callEnded({ call, isError, text, summary, exitCode, elapsedMs }: Extract<RuntimeEvent, { type: 'tool.ended' }>): void {
    const known = this.#calls.get(call);
    this.#calls.delete(call);
    // A command of the person's own before there is a conversation is none of it.
    if (known === undefined || !this.isBegun) return;
    this.log.append({ type: 'call', call, ...known, isError, text, summary, exitCode, elapsedMs });
  }

  #jobEnded({ task, outcome, exitCode }: Ended): void {
    const job = this.#options.jobs.get(task);
    this.#options.jobs.delete(task);
    if (job !== undefined && this.isBegun) this.log.append({ type: 'job', ...job, outcome, exitCode });
  }

  #promptEnded({ outcome, error }: Ended): void {
    this.write();
    this.#latest = this.#prompt?.text ?? '';
    this.#prompt = null;
    this.#partial = '';
    this.#prompts++;
    const labels = this.#labels.size === 0 ? {} : { labels: this.#allLabels() };
    this.log.append({
      type: 'end',
      outcome,
      error,
      name: this.#name,
      prompts: this.#prompts,
      latest: this.#latest.slice(0, 500),
      ...labels,
      ...this.#spent(),
    });
    void this.log.settle();
  }
}
