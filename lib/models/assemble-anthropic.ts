/** One answer out of the events of the Anthropic messages API. */

import type { ToolCall, Usage } from '../protocol/messages.js';
import { uniqueId } from './calls.js';
import { packBlocks } from './extras.js';
import { streamFailure } from './failure.js';
import { asList, asNumber, asObject, asText, type JsonObject, parseJson } from './json.js';
import type { FinishReason, ModelDelta } from './provider.js';
import { type Assembler, type AssemblerContext, REST_MS } from './wire.js';

/** Tokens as the messages API reports them, or null: what was read from and written to the cache is input too. */
export function anthropicUsage(reported: JsonObject): Usage | null {
  const input = asNumber(reported['input_tokens']);
  const output = asNumber(reported['output_tokens']);
  if (input === null && output === null) return null;
  const read = asNumber(reported['cache_read_input_tokens']);
  const written = asNumber(reported['cache_creation_input_tokens']);
  return {
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cachedTokens: read,
    reasoningTokens: asNumber(asObject(reported['output_tokens_details'])?.['thinking_tokens']),
    ...(written === null ? {} : { cacheWriteTokens: written }),
  };
}

function finishOf(raw: string | null, calls: number): FinishReason {
  switch (raw) {
    case null:
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      return calls > 0 ? 'tool-calls' : 'stop';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refusal';
    default:
      return 'other';
  }
}

/** A block that is still coming. */
interface GrowingBlock {
  block: Record<string, unknown>;
  /** Pieces of the input of a tool call. */
  args: string;
}

/** Text between two blocks of thoughts. */
const BREAK = '\n\n';
/** Deltas whose text grows a field of their block: the field that it comes in and goes to. */
const GROWING: Readonly<Record<string, string>> = { text_delta: 'text', thinking_delta: 'thinking', signature_delta: 'signature' };
/** Blocks that begin with a delta, for servers that do not announce them. */
const UNANNOUNCED: Readonly<Record<string, string>> = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'tool_use' };

class AnthropicAssembler implements Assembler {
  readonly #context: AssemblerContext;
  readonly #blocks = new Map<number, GrowingBlock>();
  readonly #shown = { text: '', reasoning: '' };
  /** The block that the last delta of a kind belonged to. */
  readonly #part = { text: -1, reasoning: -1 };
  #usage: JsonObject = {};
  #raw: string | null = null;
  #stopped = false;
  /** The whole answer before this one, when the stream has more than one. */
  #before: ModelDelta | null = null;

  constructor(context: AssemblerContext) {
    this.#context = context;
  }

  take(raw: unknown): readonly ModelDelta[] {
    const event = asObject(raw) ?? {};
    if (this.#stopped && event['type'] !== 'message_start') return [];
    switch (event['type']) {
      case 'message_start':
        // A proxy that asked anew behind our back begins a second message: only that one counts.
        this.#before = this.finish();
        this.#blocks.clear();
        this.#raw = null;
        this.#stopped = false;
        this.#count(asObject(event['message'])?.['usage']);
        return [];
      case 'content_block_start':
        return this.#begin(this.#indexOf(event), asObject(event['content_block']) ?? {});
      case 'content_block_delta':
        return this.#grow(this.#indexOf(event), asObject(event['delta']) ?? {});
      case 'message_delta':
        this.#raw = asText(asObject(event['delta'])?.['stop_reason']) || this.#raw;
        this.#count(event['usage']);
        return [];
      case 'message_stop':
        this.#stopped = true;
        return [];
      case 'error':
        throw streamFailure(event, this.#shown.text !== '' || this.#shown.reasoning !== '', this.#context.failure);
      default:
        return [];
    }
  }

  get restMs(): number | null {
    return this.#stopped ? REST_MS : null;
  }

  #indexOf(event: JsonObject): number {
    return asNumber(event['index']) ?? Math.max(0, this.#blocks.size - 1);
  }

  /** Later figures replace earlier ones; what is not said again stands. */
  #count(usage: unknown): void {
    const said = Object.entries(asObject(usage) ?? {}).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(said) };
  }

  #begin(index: number, block: JsonObject): readonly ModelDelta[] {
    this.#blocks.set(index, { block: { ...block }, args: '' });
    return [...this.#show('text', textOf(block), index), ...this.#show('reasoning', thoughtOf(block), index)];
  }

  #grow(index: number, delta: JsonObject): readonly ModelDelta[] {
    const kind = asText(delta['type']);
    const type = UNANNOUNCED[kind];
    const growing = this.#blocks.get(index) ?? { block: type === undefined ? {} : { type }, args: '' };
    this.#blocks.set(index, growing);
    const field = GROWING[kind];
    if (field !== undefined) {
      const piece = asText(delta[field]);
      growing.block[field] = asText(growing.block[field]) + piece;
      if (kind === 'text_delta') return this.#show('text', piece, index);
      return kind === 'thinking_delta' ? this.#show('reasoning', piece, index) : [];
    }
    if (kind === 'input_json_delta') growing.args += asText(delta['partial_json']);
    if (kind === 'citations_delta') growing.block['citations'] = [...asList(growing.block['citations']), delta['citation']];
    return [];
  }

  #show(kind: 'text' | 'reasoning', piece: string, index: number): readonly ModelDelta[] {
    if (piece === '') return [];
    const again = kind === 'reasoning' && this.#shown.reasoning !== '' && this.#part.reasoning !== index;
    const text = again ? BREAK + piece : piece;
    this.#part[kind] = index;
    this.#shown[kind] += text;
    return [{ type: kind, text }];
  }

  finish(): ModelDelta | null {
    if (!this.#stopped) return this.#before;
    const taken = new Set(this.#context.usedIds);
    const calls: ToolCall[] = [];
    const blocks = [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, growing]) => finished(growing, taken, calls));
    const finish = finishOf(this.#raw, calls.length);
    const incomplete = finish === 'length' || this.#raw === 'pause_turn';
    return {
      type: 'done',
      message: {
        role: 'assistant',
        text: blocks.map(textOf).join(''),
        reasoning: blocks
          .map(thoughtOf)
          .filter((thought) => thought !== '')
          .join(BREAK),
        // A call of an answer that was cut short is never run, whole as it may look.
        calls: incomplete ? [] : calls,
        extras: packBlocks(this.#context.profile, blocks),
        incomplete,
      },
      finish,
      raw: this.#raw,
      usage: anthropicUsage(this.#usage),
    };
  }
}

function textOf(block: JsonObject): string {
  return block['type'] === 'text' ? asText(block['text']) : '';
}

function thoughtOf(block: JsonObject): string {
  return block['type'] === 'thinking' ? asText(block['thinking']) : '';
}

/** A block as it goes back; a call is added to `calls`, under an id that nobody has. */
function finished({ block, args }: GrowingBlock, taken: Set<string>, calls: ToolCall[]): JsonObject {
  if (block['type'] !== 'tool_use') return block;
  const whole = block['input'];
  const argsText =
    args !== '' ? args : whole === undefined || whole === null ? '{}' : typeof whole === 'string' ? whole : JSON.stringify(whole);
  const id = uniqueId(asText(block['id']), taken);
  calls.push({ id, name: asText(block['name']), argsText });
  return { ...block, id, input: asObject(parseJson(argsText)) ?? {} };
}

/** An assembler for one message. */
export function assembleAnthropic(context: AssemblerContext): Assembler {
  return new AnthropicAssembler(context);
}

/** The events that a whole message stands for, or null when `json` is none. */
export function anthropicEvents(json: JsonObject): readonly JsonObject[] | null {
  if (json['type'] !== 'message' && !Array.isArray(json['content'])) return null;
  const blocks = asList(json['content'])
    .map(asObject)
    .filter((block) => block !== null);
  return [
    { type: 'message_start', message: { usage: json['usage'] } },
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    { type: 'message_delta', delta: { stop_reason: json['stop_reason'] } },
    { type: 'message_stop' },
  ];
}
