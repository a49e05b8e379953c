/**
 * What a session file is made of: one record a line, each with its own id, the id of the one it follows, and a checksum. The first line is
 * the header (`header.ts`). Lines are only ever appended; a line that is not sound spoils no other.
 */

import { crc32 } from 'node:zlib';
import { jsonLine } from '../../base/json-line.js';
import type { Redactor } from '../../policy/redaction.js';
import type { FileDiff } from '../../protocol/approvals.js';
import type { TaskOutcome } from '../../protocol/events.js';
import type { ImagePart, Message } from '../../protocol/messages.js';
import { nothingSpent, type Spent } from '../../protocol/spent.js';
import { isMessage } from './message-shape.js';

/** How a message came into the conversation: a prompt, a text for a running one, or something told by the program. */
export type Said = 'prompt' | 'steer' | 'note';

/** What a record says. */
export type RecordBody =
  /** `spent`: what the session has used so far, with this answer. */
  | { readonly type: 'message'; readonly message: Message; readonly as?: Said; readonly spent?: Spent }
  /** What the person asked, of which the message is still being made: all there is of it when none follows. */
  | { readonly type: 'said'; readonly text: string }
  /** A piece of an answer that is still coming: all there is of it when no message follows. */
  | { readonly type: 'partial'; readonly text: string }
  /** A tool call as people see it, once it has ended. */
  | {
      readonly type: 'call';
      readonly call: string;
      readonly name: string;
      readonly preview: string;
      readonly isError: boolean;
      readonly text: string;
      readonly summary: string;
      readonly exitCode: number | null;
      readonly elapsedMs: number;
      readonly diff?: FileDiff;
    }
  /** What the model is shown from here on: ids of earlier message records, and messages that are in none. */
  | {
      readonly type: 'context';
      readonly messages: readonly (string | Message)[];
      readonly tokens: { readonly before: number; readonly after: number; readonly trimmed: boolean } | null;
    }
  | { readonly type: 'model'; readonly profile: string; readonly model: string }
  | { readonly type: 'target'; readonly label: string }
  | { readonly type: 'name'; readonly name: string }
  /** A background job that has ended. */
  | {
      readonly type: 'job';
      readonly text: string;
      readonly startedMs: number;
      readonly outcome: TaskOutcome;
      readonly exitCode: number | null;
    }
  /** A person's words for the record `of`; '' takes them away. `labels` are those of the session now. */
  | { readonly type: 'label'; readonly of: string; readonly label: string; readonly labels: readonly string[] }
  /** The conversation goes on from the parent of this record: said for when nothing follows any more. */
  | { readonly type: 'branch'; readonly name: string | null; readonly labels: readonly string[] }
  /** A prompt has ended. What a list wants to know is said again, so that the end of the file is enough for it. */
  | {
      readonly type: 'end';
      readonly outcome: TaskOutcome;
      readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
      readonly name: string | null;
      readonly prompts: number;
      readonly latest: string;
      readonly labels?: readonly string[];
      readonly spent?: Spent;
    };

/** One record. `parentId` is null for the first. */
export type SessionRecord = RecordBody & { readonly id: string; readonly parentId: string | null; readonly tsMs: number };

/** The end of each line: the CRC-32 of all that stands before it. */
const CHECKSUM = /,"crc":"([0-9a-f]{8})"\}$/;
const CHECKSUM_LENGTH = ',"crc":"00000000"}'.length;
/** Nothing of ours is nested deeper; what is would break whoever walks through it. */
const DEEPEST = 64;

/** The record as a line, without its end. Secrets are masked; what a provider wants back untouched is left out rather than changed. */
export function encodeRecord(record: SessionRecord, redact: Redactor): string {
  const pictures = new Set(imagesIn(record).map(({ data }) => data));
  // A picture holds no text: to look through megabytes of it would find secrets by chance alone.
  const whole = jsonLine(untouched(record, redact), pictures.size === 0 ? redact : (text) => (pictures.has(text) ? text : redact(text)));
  const body = whole.slice(0, -1);
  return `${body},"crc":"${checksum(body)}"}`;
}

/** The record of a line; null when it is damaged or says nothing that is known. Never throws. */
export function decodeRecord(line: string): SessionRecord | null {
  const found = CHECKSUM.exec(line)?.[1];
  const body = line.slice(0, -CHECKSUM_LENGTH);
  if (found === undefined || checksum(body) !== found) return null;
  try {
    const value: unknown = JSON.parse(`${body}}`);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function imagesIn(record: SessionRecord): readonly ImagePart[] {
  const messages = record.type === 'message' ? [record.message] : record.type === 'context' ? record.messages : [];
  return messages.flatMap((message) => (typeof message === 'string' || message.role === 'assistant' ? [] : (message.images ?? [])));
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Signed and encrypted parts mean something only as they came: with a mask in them, or nested beyond reason, they are of no use. */
function untouched(record: SessionRecord, redact: Redactor): SessionRecord {
  if (record.type === 'context') {
    const messages = record.messages.map((entry) => (typeof entry === 'string' ? entry : withSoundExtras(entry, redact)));
    return { ...record, messages };
  }
  return record.type === 'message' ? { ...record, message: withSoundExtras(record.message, redact) } : record;
}

function withSoundExtras(message: Message, redact: Redactor): Message {
  if (message.role !== 'assistant') return message;
  const isSound = depthOf(message.extras) <= DEEPEST && jsonLine(message.extras, redact) === jsonLine(message.extras);
  return isSound ? message : { ...message, extras: {} };
}

/** How deep a value is nested, counted as far as `DEEPEST` and one more. */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return depth;
  return Object.values(value).reduce<number>((most, part) => Math.max(most, depthOf(part, depth + 1)), depth);
}

function isRecord(value: unknown): value is SessionRecord {
  if (typeof value !== 'object' || value === null || depthOf(value) > DEEPEST) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { id, parentId, tsMs, type } = fields;
  if (typeof id !== 'string' || typeof tsMs !== 'number' || (parentId !== null && typeof parentId !== 'string')) return false;
  return typeof type === 'string' && Object.hasOwn(shapes, type) && shapes[type as RecordBody['type']](fields);
}

type Fields = Readonly<Record<string, unknown>>;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): boolean => typeof value === 'number';

const isOutcome = (value: unknown): boolean => ['completed', 'failed', 'cancelled', 'timed-out'].includes(String(value));

/** Is everything there that a record of this type is read for? */
const shapes: Readonly<Record<RecordBody['type'], (fields: Fields) => boolean>> = {
  message: ({ message, as, spent }) =>
    isMessage(message) && (spent === undefined || isSpent(spent)) && (as === undefined || ['prompt', 'steer', 'note'].includes(String(as))),
  said: ({ text }) => isText(text),
  partial: ({ text }) => isText(text),
  call: ({ call, name, preview, isError, text, summary, exitCode, elapsedMs, diff }) =>
    (diff === undefined || isDiff(diff)) &&
    [call, name, preview, text, summary].every(isText) &&
    typeof isError === 'boolean' &&
    (exitCode === null || isNumber(exitCode)) &&
    isNumber(elapsedMs),
  context: ({ messages, tokens }) =>
    Array.isArray(messages) && messages.every((entry) => isText(entry) || isMessage(entry)) && (tokens === null || isTokens(tokens)),
  model: ({ profile, model }) => isText(profile) && isText(model),
  target: ({ label }) => isText(label),
  name: ({ name }) => isText(name),
  job: ({ text, startedMs, outcome, exitCode }) =>
    isText(text) && isNumber(startedMs) && isOutcome(outcome) && (exitCode === null || isNumber(exitCode)),
  label: ({ of, label, labels }) => isText(of) && isText(label) && areTexts(labels),
  branch: ({ name, labels }) => isTextOrNull(name) && areTexts(labels),
  end: ({ outcome, name, prompts, latest, error, labels, spent }) =>
    (spent === undefined || isSpent(spent)) &&
    (labels === undefined || areTexts(labels)) &&
    isOutcome(outcome) &&
    isTextOrNull(name) &&
    isNumber(prompts) &&
    isText(latest) &&
    (error === null || isFailure(error)),
};

function isSpent(spent: unknown): boolean {
  const fields = Object(spent) as Fields;
  return Object.entries(nothingSpent).every(([name, none]) => isNumber(fields[name]) || (none === null && fields[name] === null));
}

function isTokens(tokens: unknown): boolean {
  const { before, after, trimmed } = Object(tokens) as Fields;
  return isNumber(before) && isNumber(after) && typeof trimmed === 'boolean';
}

function isDiff(diff: unknown): boolean {
  const { path, before, after } = Object(diff) as Fields;
  return isText(path) && isTextOrNull(before) && isText(after);
}

function isFailure(error: unknown): boolean {
  const { code, message, hint } = Object(error) as Fields;
  return isText(code) && isText(message) && isTextOrNull(hint);
}
