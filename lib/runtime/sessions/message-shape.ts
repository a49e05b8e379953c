/** Is something that was read a message? Fields that are not known stay. */

import { isBase64 } from '../../base/base64.js';
import type { Message } from '../../protocol/messages.js';

type Fields = Readonly<Record<string, unknown>>;

/** True for what has all that a message is read for. */
export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || typeof value['text'] !== 'string') return false;
  if (!isListOf(value['images'], isImage) || !isListOf(value['attached'], isAttached)) return false;
  switch (value['role']) {
    case 'user':
      return value['recap'] === undefined || isRecap(value['recap']);
    case 'assistant':
      return (
        typeof value['reasoning'] === 'string' &&
        typeof value['incomplete'] === 'boolean' &&
        isObject(value['extras']) &&
        Array.isArray(value['calls']) &&
        value['calls'].every(isCall)
      );
    case 'tool':
      return typeof value['callId'] === 'string' && typeof value['name'] === 'string' && typeof value['isError'] === 'boolean';
    default:
      return false;
  }
}

/** Left out, or a list of such. */
function isListOf(value: unknown, is: (entry: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(is));
}

const MEDIA_TYPES: ReadonlySet<unknown> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Nothing but base64: it becomes part of an address. */
function isImage(value: unknown): boolean {
  if (!isObject(value) || !MEDIA_TYPES.has(value['mediaType']) || typeof value['name'] !== 'string') return false;
  const { data, width, height } = value;
  const isSize = (of: unknown) => of === undefined || (typeof of === 'number' && of > 0);
  return typeof data === 'string' && (data === '' || isBase64(data)) && isSize(width) && isSize(height);
}

const KINDS: ReadonlySet<unknown> = new Set(['file', 'folder', 'image', 'screen', 'output', 'resource']);

function isAttached(value: unknown): boolean {
  if (!isObject(value) || !KINDS.has(value['kind'])) return false;
  const { name, bytes, note, text } = value;
  return (
    typeof name === 'string' && typeof bytes === 'number' && typeof text === 'string' && (note === undefined || typeof note === 'string')
  );
}

function isCall(value: unknown): boolean {
  return isObject(value) && [value['id'], value['name'], value['argsText']].every((field) => typeof field === 'string');
}

function isRecap(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { said, unsaid, summary } = value;
  return Array.isArray(said) && said.every((text) => typeof text === 'string') && typeof unsaid === 'number' && typeof summary === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
