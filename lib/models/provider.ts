/** The door of the models room: what the runtime knows of a model. */

import type { ModelSummary } from '../protocol/events.js';
import type { AssistantMessage, Message, Usage } from '../protocol/messages.js';

/** A tool as a model is told of it; `parameters` is a JSON Schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** The system prompt. */
  readonly instructions: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Stable for a conversation; providers with a prompt cache use it as its key. */
  readonly session: string;
}

/** Why the model stopped. `other` keeps the server's own word in `raw`. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other';

export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'done';
      readonly message: AssistantMessage;
      readonly finish: FinishReason;
      /** The server's own word; null when it sent none. */
      readonly raw: string | null;
      readonly usage: Usage | null;
    };

export interface ModelProvider {
  readonly summary: ModelSummary;
  /**
   * One request. Ends with exactly one `done`, last, or throws: BuddyError `model.*` with `retryable` and `retryAfterMs`
   * set, or an AbortError when `signal` fired. Never retries by itself, save without the part of a request that the server
   * just refused; never gives a call from an incomplete stream.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}
