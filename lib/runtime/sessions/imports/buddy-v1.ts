/**
 * The sessions of earlier versions of buddy: one JSON file, `{version: 1, id, updated_at_millis, state: {messages, tracker}}` with the
 * messages of the chat completions protocol.
 */

import type { SessionRecord } from '../records.js';
import { type Fields, isObject, refused, textOf } from './import-file.js';
import { ImportedTurns } from './imported-turns.js';
import type { LeftOut } from './left-out.js';

/** True for what says that it is such a file, of whatever version. */
export function isBuddyFile(file: Fields): boolean {
  return isObject(file['state']) && 'version' in file;
}

/** Its records. Throws `session.import`. */
export function buddyRecords(path: string, file: Fields, left: LeftOut): readonly SessionRecord[] {
  if (file['version'] !== 1)
    throw refused(path, 0, `it is a session of version ${String(file['version']).slice(0, 20)}, which is not known`);
  const { messages } = file['state'] as Fields;
  if (!Array.isArray(messages)) throw refused(path, 0, 'it has no messages');
  const updated = file['updated_at_millis'];
  const tsMs = typeof updated === 'number' && Number.isFinite(updated) && updated > 0 ? updated : 0;
  const turns = new ImportedTurns();
  for (const message of messages as readonly unknown[]) {
    if (isObject(message)) take(turns, message, tsMs, left);
    else left.add('entry');
  }
  left.add('orphan', turns.orphans);
  return turns.records();
}

function take(turns: ImportedTurns, message: Fields, tsMs: number, left: LeftOut): void {
  const text = contentText(message['content'], left);
  switch (message['role']) {
    case 'user':
      turns.user(text, tsMs);
      return;
    case 'assistant': {
      const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].flatMap((call) => callOf(call, left)) : [];
      const reasoning = textOf(message, 'reasoning_content') || textOf(message, 'reasoning');
      turns.answer({ text, reasoning, calls, incomplete: false }, tsMs);
      return;
    }
    case 'tool':
      turns.result(textOf(message, 'tool_call_id'), text, false, tsMs);
      return;
    case 'system':
    case 'developer':
      // This program's own instructions stand in their place.
      return;
    default:
      left.add('role');
  }
}

function callOf(call: unknown, left: LeftOut): readonly { readonly id: string; readonly name: string; readonly argsText: string }[] {
  const made = isObject(call) && isObject(call['function']) ? call['function'] : null;
  if (made === null || !isObject(call) || textOf(made, 'name') === '') {
    left.add('call');
    return [];
  }
  const given = made['arguments'];
  return [
    {
      id: textOf(call, 'id'),
      name: textOf(made, 'name'),
      argsText: typeof given === 'string' ? given : (JSON.stringify(given) ?? '{}'),
    },
  ];
}

/** Text, or parts of which some are text. */
function contentText(content: unknown, left: LeftOut): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => {
      if (isObject(part) && typeof part['text'] === 'string') return part['text'];
      left.add(isObject(part) && part['type'] === 'image_url' ? 'image' : 'part');
      return [];
    })
    .join('\n');
}
