/** One answer out of the events of the Responses API. */

import type { ToolCall, Usage } from '../protocol/messages.js';
import { uniqueId } from './calls.js';
import { packItems } from './extras.js';
import { streamFailure } from './failure.js';
import { asList, asNumber, asObject, asText, type JsonObject } from './json.js';
import type { FinishReason, ModelDelta } from './provider.js';
import { sendableId } from './sendable.js';
import { type Assembler, type AssemblerContext, REST_MS } from './wire.js';

/** Tokens as the Responses API reports them, or null. */
export function responseUsage(reported: unknown): Usage | null {
  const usage = asObject(reported);
  if (usage === null) return null;
  const written = asNumber(asObject(usage['input_tokens_details'])?.['cache_write_tokens']);
  return {
    inputTokens: asNumber(usage['input_tokens']) ?? 0,
    outputTokens: asNumber(usage['output_tokens']) ?? 0,
    cachedTokens: asNumber(asObject(usage['input_tokens_details'])?.['cached_tokens']),
    reasoningTokens: asNumber(asObject(usage['output_tokens_details'])?.['reasoning_tokens']),
    ...(written === null ? {} : { cacheWriteTokens: written }),
  };
}

function partsText(parts: unknown, separator: string): string {
  return asList(parts)
    .map((part) => asText(asObject(part)?.['text']) || asText(asObject(part)?.['refusal']))
    .filter((text) => text !== '')
    .join(separator);
}

/** Text between two messages, or two parts of a summary, of one answer. */
const BREAK = '\n\n';

function messageText(item: JsonObject): string {
  return item['type'] === 'message' ? partsText(item['content'], '') : '';
}

/** A summary when there is one, else the raw thoughts. */
function reasoningText(item: JsonObject): string {
  if (item['type'] !== 'reasoning') return '';
  return partsText(item['summary'], BREAK) || partsText(item['content'], BREAK);
}

function joined(items: readonly JsonObject[], read: (item: JsonObject) => string): string {
  return items
    .map(read)
    .filter((text) => text !== '')
    .join(BREAK);
}

/** An item that is still coming. */
interface GrowingItem {
  item: JsonObject;
  args: string;
}

class ResponsesAssembler implements Assembler {
  readonly #context: AssemblerContext;
  /** By `output_index`: ids change between events on some servers. */
  readonly #items = new Map<number, GrowingItem>();
  readonly #shown = { text: '', reasoning: '' };
  /** The part that the last delta of a kind belonged to. */
  readonly #part = { text: '', reasoning: '' };
  /** The answer before this one, when the stream has more than one. */
  #before: ModelDelta | null = null;
  #response: JsonObject | null = null;
  #status: string | null = null;

  constructor(context: AssemblerContext) {
    this.#context = context;
  }

  take(raw: unknown): readonly ModelDelta[] {
    const event = asObject(raw) ?? {};
    if (this.#response !== null) {
      if (event['type'] === 'response.created') this.#beginAnew();
      return [];
    }
    switch (event['type']) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#show('text', asText(event['delta']), `${event['output_index']}`);
      case 'response.reasoning_summary_text.delta':
        return this.#show('reasoning', asText(event['delta']), `${event['output_index']}.${event['summary_index']}`);
      case 'response.reasoning_text.delta':
        return this.#show('reasoning', asText(event['delta']), `${event['output_index']}.${event['content_index']}`);
      case 'response.output_item.added':
      case 'response.output_item.done':
        this.#growing(event).item = asObject(event['item']) ?? {};
        return [];
      case 'response.function_call_arguments.delta':
        this.#growing(event).args += asText(event['delta']);
        return [];
      case 'response.function_call_arguments.done':
        this.#growing(event).args = asText(event['arguments']);
        return [];
      case 'response.completed':
      case 'response.done':
      case 'response.incomplete':
        return this.#end(asObject(event['response']) ?? {}, asText(event['type']).slice('response.'.length));
      case 'response.failed':
        throw streamFailure(asObject(event['response']) ?? event, this.#anythingShown(), this.#context.failure);
      case 'error':
        throw streamFailure(event, this.#anythingShown(), this.#context.failure);
      default:
        return [];
    }
  }

  get restMs(): number | null {
    return this.#response === null ? null : REST_MS;
  }

  /** Null also when a call was given another id: the server knows it under its own. */
  get storedId(): string | null {
    const calls = this.#output().filter((item) => item['type'] === 'function_call');
    const isVerbatim = calls.every((item) => {
      const id = asText(item['call_id']);
      return id !== '' && !this.#context.usedIds.has(id) && sendableId(id, this.#context.profile) === id;
    });
    const areApart = new Set(calls.map((item) => item['call_id'])).size === calls.length;
    return isVerbatim && areApart ? asText(this.#response?.['id']) || null : null;
  }

  /** Another response follows in the same stream: it counts instead, once it is whole. */
  #beginAnew(): void {
    this.#before = this.finish();
    this.#items.clear();
    Object.assign(this.#shown, { text: '', reasoning: '' });
    this.#response = null;
    this.#status = null;
  }

  #anythingShown(): boolean {
    return this.#shown.text !== '' || this.#shown.reasoning !== '';
  }

  #growing(event: JsonObject): GrowingItem {
    const index = asNumber(event['output_index']) ?? this.#items.size;
    const growing = this.#items.get(index) ?? { item: {}, args: '' };
    this.#items.set(index, growing);
    return growing;
  }

  #show(kind: 'text' | 'reasoning', delta: string, part: string): readonly ModelDelta[] {
    if (delta === '') return [];
    const text = this.#shown[kind] !== '' && this.#part[kind] !== part ? BREAK + delta : delta;
    this.#part[kind] = part;
    this.#shown[kind] += text;
    return [{ type: kind, text }];
  }

  /** The response is whole; what a server sent without deltas is shown now. */
  #end(response: JsonObject, status: string): readonly ModelDelta[] {
    if (asObject(response['error']) !== null) throw streamFailure(response, this.#anythingShown(), this.#context.failure);
    this.#response = response;
    this.#status = asText(response['status']) || status;
    const items = this.#output();
    return [
      ...(this.#shown.reasoning === '' ? this.#show('reasoning', joined(items, reasoningText), 'end') : []),
      ...(this.#shown.text === '' ? this.#show('text', joined(items, messageText), 'end') : []),
    ];
  }

  /** The output items: of the whole response, or as they came when the server leaves them out there. */
  #output(): readonly JsonObject[] {
    const whole = asList(this.#response?.['output'])
      .map(asObject)
      .filter((item) => item !== null);
    if (whole.length > 0) return whole;
    return [...this.#items.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, { item, args }]) =>
        item['type'] === 'function_call' && asText(item['arguments']) === '' ? { ...item, arguments: args } : item,
      );
  }

  finish(): ModelDelta | null {
    const response = this.#response;
    if (response === null) return this.#before;
    const taken = new Set(this.#context.usedIds);
    const calls: ToolCall[] = [];
    const items = this.#output().map((item) => {
      if (item['type'] !== 'function_call') return item;
      const id = uniqueId(asText(item['call_id']) || asText(item['id']), taken);
      calls.push({ id, name: asText(item['name']), argsText: asText(item['arguments']) || '{}' });
      return { ...item, call_id: id };
    });
    const finish = this.#finishReason(items, calls.length);
    const incomplete = this.#status === 'incomplete';
    return {
      type: 'done',
      message: {
        role: 'assistant',
        text: joined(items, messageText) || this.#shown.text,
        reasoning: joined(items, reasoningText) || this.#shown.reasoning,
        // A call of an answer that was cut short is never run, whole as it may look.
        calls: incomplete ? [] : calls,
        extras: packItems(this.#context.profile, items),
        incomplete,
      },
      finish,
      raw: this.#status,
      usage: responseUsage(response['usage']),
    };
  }

  #finishReason(items: readonly JsonObject[], calls: number): FinishReason {
    if (this.#status === 'incomplete') {
      const reason = asText(asObject(this.#response?.['incomplete_details'])?.['reason']);
      if (reason === 'content_filter') return 'refusal';
      return reason === '' || reason === 'max_output_tokens' ? 'length' : 'other';
    }
    const refused = items.some((item) => asList(item['content']).some((part) => asObject(part)?.['type'] === 'refusal'));
    if (refused) return 'refusal';
    return calls > 0 ? 'tool-calls' : 'stop';
  }
}

/** An assembler for one response. */
export function assembleResponses(context: AssemblerContext): Assembler {
  return new ResponsesAssembler(context);
}
