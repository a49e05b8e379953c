/** What a provider sent besides and wants back: kept in `AssistantMessage.extras`, returned only to the same kind of provider. */

import type { ModelProfile } from '../config/profiles.js';
import type { AssistantMessage } from '../protocol/messages.js';
import { asList, asObject, type JsonObject } from './json.js';

/** Says where extras come from; they mean nothing elsewhere. */
interface Origin {
  readonly api: ModelProfile['api'];
  readonly baseUrl: string;
  readonly model: string;
}

function originOf({ api, baseUrl, model }: ModelProfile): Origin {
  return { api, baseUrl, model };
}

/** Extras as chat completions need them. */
export interface ChatExtras {
  /** Unknown fields of the message. */
  readonly message: JsonObject;
  /** Unknown fields of each call, by our id. */
  readonly calls: Readonly<Record<string, JsonObject>>;
  /** The field that reasoning came in, or null. */
  readonly reasoningField: string | null;
}

/** Marks `extras` with where they come from; {} when there are none. */
export function packChatExtras(profile: ModelProfile, extras: ChatExtras): Readonly<Record<string, unknown>> {
  const empty = Object.keys(extras.message).length === 0 && Object.keys(extras.calls).length === 0 && extras.reasoningField === null;
  return empty ? {} : { origin: originOf(profile), ...extras };
}

/** Marks the output items of a response with where they come from; {} when there are none. */
export function packItems(profile: ModelProfile, items: readonly JsonObject[]): Readonly<Record<string, unknown>> {
  return items.length === 0 ? {} : { origin: originOf(profile), items };
}

/** Marks the content blocks of a message with where they come from; {} when there are none. */
export function packBlocks(profile: ModelProfile, blocks: readonly JsonObject[]): Readonly<Record<string, unknown>> {
  return blocks.length === 0 ? {} : { origin: originOf(profile), blocks };
}

function fromHere(profile: ModelProfile, message: AssistantMessage): boolean {
  const origin = asObject(message.extras['origin']);
  const here = originOf(profile);
  return origin !== null && origin['api'] === here.api && origin['baseUrl'] === here.baseUrl && origin['model'] === here.model;
}

/** The chat extras of a message that came from the same kind of provider, else null. */
export function chatExtras(profile: ModelProfile, message: AssistantMessage): ChatExtras | null {
  if (profile.api !== 'chat' || !fromHere(profile, message)) return null;
  const field = message.extras['reasoningField'];
  return {
    message: asObject(message.extras['message']) ?? {},
    calls: (asObject(message.extras['calls']) ?? {}) as Readonly<Record<string, JsonObject>>,
    reasoningField: typeof field === 'string' ? field : null,
  };
}

/** The content blocks of a message that came from the same kind of provider, else null. */
export function anthropicBlocks(profile: ModelProfile, message: AssistantMessage): readonly JsonObject[] | null {
  if (profile.api !== 'anthropic' || !fromHere(profile, message)) return null;
  return asList(message.extras['blocks'])
    .map(asObject)
    .filter((block) => block !== null);
}

/** The output items of a message that came from the same kind of provider, else null. */
export function responseItems(profile: ModelProfile, message: AssistantMessage): readonly JsonObject[] | null {
  if (profile.api !== 'responses' || !fromHere(profile, message)) return null;
  return asList(message.extras['items'])
    .map(asObject)
    .filter((item) => item !== null);
}
