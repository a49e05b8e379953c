/** Is something that was read a message? Fields that are not known stay. */

import type { Message } from '../../protocol/messages.js';

type Fields = Readonly<Record<string, unknown>>;

/** True for what has all that a message is read for. */
export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || typeof value['text'] !== 'string') return false;
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
