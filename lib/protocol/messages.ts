/** What a conversation with a model is made of, in no provider's dialect. */

/** A tool call as the model wrote it. `argsText` is the raw JSON text; it may be malformed. */
export interface ToolCall {
  /** Unique within a conversation; made by us when the provider gave none or gave one twice. */
  readonly id: string;
  readonly name: string;
  readonly argsText: string;
}

/** Tokens as the server counted them. Null: it did not say. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number | null;
  /** Part of the input that was written to a cache, which costs more; only servers that bill it say so. */
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens: number | null;
}

/** What is left of the older part of a conversation that was compacted. */
export interface Recap {
  /** What the person said there, word for word, oldest first; long texts are cut. */
  readonly said: readonly string[];
  /** So many earlier ones are not in `said`. */
  readonly unsaid: number;
  /** What was done there, in the words of a model or of the program. It is data, as the result of a tool is. */
  readonly summary: string;
}

/** What can come with the person's words. */
export type AttachmentKind = 'file' | 'folder' | 'image' | 'screen' | 'output' | 'resource';

/** What came with the person's words, as people are told of it. */
export interface Attachment {
  readonly kind: AttachmentKind;
  /** As the person named it: a path, `pane`, `server:uri`. */
  readonly name: string;
  /** Of what is sent. */
  readonly bytes: number;
  /** What is to be known of it: that it was cut, made smaller, or that the model does not take it. Left out: nothing. */
  readonly note?: string;
}

/** The same with what the model is shown: data in a frame that names it; '' for a picture, which is among the `images`. */
export interface AttachedText extends Attachment {
  readonly text: string;
}

/** A picture for models that take them. */
export interface ImagePart {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64 (RFC 4648, without line ends). */
  readonly data: string;
  /** Where it is from, for people and for models that take none: a path, `server:uri`. */
  readonly name: string;
  /** In pixels; left out: not known. */
  readonly width?: number;
  readonly height?: number;
}

/** What the person (or the program in their name) said. */
export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
  /** What they brought along by `@`; left out: nothing. */
  readonly attached?: readonly AttachedText[];
  /** Left out: none. */
  readonly images?: readonly ImagePart[];
  /** Of the message that stands for a compacted part: what `text` was made from. */
  readonly recap?: Recap;
}

/** One whole answer of the model. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  /** What the provider sent besides, to be sent back untouched to the same provider (reasoning ids, signatures). */
  readonly extras: Readonly<Record<string, unknown>>;
  /** True when the stream ended early or was cancelled: what is here is all there was. */
  readonly incomplete: boolean;
}

/** What a tool call gave. `text` is the JSON envelope that the model sees. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  /** Left out: none. */
  readonly images?: readonly ImagePart[];
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

/** All that a model reads of what the person said: their words, and what they brought along. */
export function wordsOf({ text, attached = [] }: UserMessage): string {
  return [text, ...attached.map((part) => part.text).filter((part) => part !== '')].join('\n\n');
}

/** How many bytes a picture has. */
export function imageBytes({ data }: ImagePart): number {
  return (data.length / 4) * 3 - (/=*$/.exec(data.slice(-2))?.[0].length ?? 0);
}
