/** What the records of a session say: the messages for the model, and what was on the screen as the events it came from. Pure. */

import type { TaskId } from '../../protocol/commands.js';
import type { PastEvent, RuntimeEvent } from '../../protocol/events.js';
import type { AssistantMessage, Message, ToolCall, UserMessage } from '../../protocol/messages.js';
import type { Spent } from '../../protocol/spent.js';
import { toolEnvelope } from '../envelope.js';
import { partialAnswer } from '../history.js';
import { attachedEvent } from '../mentions/mentions.js';
import { callPreview } from './call-preview.js';
import type { RecordBody, SessionRecord } from './records.js';

/** A session as it was left. */
export interface Restored {
  readonly messages: readonly Message[];
  /** So many of them are in records; of a prompt that was cut off before its message was made there is none yet. */
  readonly written: number;
  /** Ids of the records that messages are in. */
  readonly ids: ReadonlyMap<Message, string>;
  readonly past: readonly PastEvent[];
  readonly name: string | null;
  /** The profile that was used last, and where commands ran; null: not said. */
  readonly profile: string | null;
  readonly target: string | null;
  readonly prompts: number;
  readonly latest: string;
  /** What it has used, as far as that was kept. */
  readonly spent: Spent | null;
}

type Call = Extract<RecordBody, { type: 'call' }>;

/** What the records say, the oldest first. `isChosen`: they end where a person wants to go on, not where the program was cut off. */
export function restored(records: readonly SessionRecord[], isChosen = false): Restored {
  const reading = new Reading();
  for (const record of records) reading.read(record);
  return reading.end(isChosen);
}

/** The state of going through the records once. */
class Reading {
  #messages: Message[] = [];
  readonly #byId = new Map<string, Message>();
  readonly #past: PastEvent[] = [];
  #name: string | null = null;
  #profile: string | null = null;
  #target: string | null = null;
  #prompts = 0;
  #latest = '';
  #spent: Spent | null = null;
  #task: TaskId = 'past';
  #tsMs = 0;
  #partial = '';
  /** Of a prompt whose message is still to come. */
  #said: { readonly id: string; readonly text: string } | null = null;
  /** A prompt has begun and not ended. */
  #running = false;
  /** Calls of the prompt that have no result yet, and what people saw of those that had ended. */
  readonly #open = new Map<string, ToolCall>();
  readonly #seen = new Map<string, Call>();

  read(record: SessionRecord): void {
    if (record.type === 'message') this.#message(record.message, record);
    this.#tsMs = record.tsMs;
    if ('spent' in record) this.#spent = record.spent ?? this.#spent;
    switch (record.type) {
      case 'said':
        this.#said = record;
        return;
      case 'partial':
        this.#partial += record.text;
        return;
      case 'call':
        this.#call(record);
        return;
      case 'context':
        this.#messages = record.messages.flatMap((entry) => (typeof entry === 'string' ? (this.#byId.get(entry) ?? []) : entry));
        if (record.tokens !== null) {
          const { before, after, trimmed } = record.tokens;
          this.#tell({ type: 'context.compacted', tokensBefore: before, tokensAfter: after, ...(trimmed ? { trimmed } : {}) });
        }
        return;
      case 'model':
        this.#profile = record.profile;
        return;
      case 'target':
        this.#target = record.label;
        return;
      case 'name':
        this.#name = record.name;
        return;
      case 'job': {
        const task = `past-${record.id}`;
        const { text, startedMs, outcome, exitCode } = record;
        this.#past.push({ tsMs: startedMs, event: { type: 'task.started', task, kind: 'job', text, pane: null } });
        this.#tell({ type: 'task.ended', task, outcome, exitCode, error: null });
        return;
      }
      case 'branch':
        this.#name = record.name;
        this.#interrupted();
        this.#running = false;
        return;
      case 'end':
        this.#name = record.name;
        this.#prompts = record.prompts;
        this.#latest = record.latest;
        this.#interrupted();
        this.#running = false;
        this.#tell({ type: 'task.ended', task: this.#task, outcome: record.outcome, exitCode: null, error: record.error });
        return;
    }
  }

  end(isChosen: boolean): Restored {
    if (this.#running) this.#interrupted();
    const written = this.#messages.length;
    if (this.#said !== null) {
      const message: UserMessage = { role: 'user', text: this.#said.text };
      this.#begin(message, this.#said.id);
      this.#messages.push(message);
    }
    if (this.#running && !isChosen)
      this.#tell({ type: 'warning', message: 'The program ended here, before this was answered to the end.' });
    const ids = new Map([...this.#byId].map(([id, message]) => [message, id]));
    return {
      ...{ messages: this.#messages, written, ids, past: this.#past, name: this.#name },
      ...{ profile: this.#profile, target: this.#target, prompts: this.#prompts, latest: this.#latest, spent: this.#spent },
    };
  }

  #message(message: Message, record: Extract<SessionRecord, { type: 'message' }>): void {
    if (message.role === 'assistant') this.#partial = '';
    // One that was cut off is written down by the run that goes on, together with what that one has to say.
    const isSaid = message.role === 'user' && message.text === this.#said?.text;
    if (message.role === 'user' && (record.as === 'prompt' || isSaid)) {
      if (this.#running) this.#interrupted();
      this.#begin(message, record.id);
    }
    if (message.role === 'user' && record.as === 'steer') {
      this.#tell({ type: 'task.steered', task: this.#task, text: message.text });
      this.#tellAttached(message);
    }
    if (message.role === 'assistant') this.#answer(message);
    if (message.role === 'tool') {
      this.#open.delete(message.callId);
      this.#seen.delete(message.callId);
    }
    this.#messages.push(message);
    this.#byId.set(record.id, message);
  }

  #begin(message: UserMessage, id: string): void {
    this.#said = null;
    this.#running = true;
    this.#task = `past-${id}`;
    this.#tell({ type: 'task.started', task: this.#task, kind: 'prompt', text: message.text, pane: null });
    this.#tellAttached(message);
  }

  #tellAttached(message: UserMessage): void {
    const event = attachedEvent(this.#task, message);
    if (event !== null) this.#tell(event);
  }

  #answer(message: AssistantMessage): void {
    if (message.reasoning !== '') this.#tell({ type: 'model.reasoning', task: this.#task, text: message.reasoning });
    this.#tell({ type: 'model.answered', task: this.#task, message, usage: null });
    for (const call of message.calls) this.#open.set(call.id, call);
  }

  #call(record: Call): void {
    const { call, name, preview, isError, text, summary, exitCode, elapsedMs, diff } = record;
    this.#tell({ type: 'tool.requested', task: this.#task, call, name, preview });
    if (diff !== undefined) this.#tell({ type: 'tool.started', task: this.#task, call, diff });
    this.#tell({ type: 'tool.ended', task: this.#task, call, isError, text, summary, exitCode, elapsedMs });
    this.#seen.set(call, record);
  }

  /** A program that was killed: what had come of the answer is kept, and so is what calls had given. */
  #interrupted(): void {
    if (this.#partial !== '') {
      const message = partialAnswer(this.#partial, '');
      this.#partial = '';
      this.#messages.push(message);
      this.#tell({ type: 'model.answered', task: this.#task, message, usage: null });
    }
    for (const { id, name, argsText } of this.#open.values()) {
      const seen = this.#seen.get(id);
      if (seen === undefined) {
        const end = { isError: true, text: '', summary: 'interrupted: the program ended', exitCode: null, elapsedMs: 0 };
        this.#call({ type: 'call', call: id, name, preview: callPreview(argsText), ...end });
      } else {
        const { text, summary, isError } = seen;
        this.#messages.push({ role: 'tool', callId: id, name, text: toolEnvelope({ summary, output: text }, this.#tsMs), isError });
      }
    }
    this.#open.clear();
    this.#seen.clear();
  }

  #tell(event: RuntimeEvent): void {
    this.#past.push({ tsMs: this.#tsMs, event });
  }
}
