/** What the real servers refuse in a request, as far as they document it or were seen to do so: answers the first fault, or null. */

import type { Api } from './spoken.js';

type Json = Readonly<Record<string, unknown>>;

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function chatFault(body: Json): string | null {
  let open: string[] = [];
  for (const [at, message] of list(body['messages']).entries()) {
    const where = `messages[${at}]`;
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.includes(id)) return `${where}: tool_call_id ${id} answers no call before it`;
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) return `${where}: calls ${open.join(', ')} have no answer`;
    if (message['role'] !== 'assistant') {
      if (typeof message['content'] !== 'string' && !Array.isArray(message['content'])) return `${where}: no content`;
      continue;
    }
    const calls = list(message['tool_calls']);
    if (calls.length === 0 && (message['content'] ?? '') === '') return `${where}: neither content nor tool_calls`;
    if ('tool_calls' in message && calls.length === 0) return `${where}: tool_calls is empty`;
    for (const call of calls) {
      const of = call['function'] as Json;
      if (String(call['id']).length > 40 || call['id'] === '') return `${where}: id of a call`;
      if (!NAME.test(String(of['name']))) return `${where}: name of a call`;
      if (!isObjectText(of['arguments'])) return `${where}: arguments are no object`;
      open.push(String(call['id']));
    }
    if (new Set(open).size !== open.length) return `${where}: an id twice`;
  }
  return open.length > 0 ? `calls ${open.join(', ')} have no answer` : null;
}

function responsesFault(body: Json): string | null {
  if (String(body['instructions'] ?? '') === '') return 'Instructions are required';
  if (body['store'] !== false) return 'Store must be set to false';
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const [at, item] of list(body['input']).entries()) {
    const where = `input[${at}]`;
    if (item['role'] === 'system') return 'System messages are not allowed';
    if (item['type'] === 'function_call') {
      const id = String(item['call_id']);
      if (id === '' || id.length > 64 || called.has(id)) return `${where}: call_id ${id}`;
      if (!NAME.test(String(item['name']))) return `${where}: name`;
      if (!isObjectText(item['arguments'])) return `${where}: arguments are no object`;
      called.add(id);
    } else if (item['type'] === 'function_call_output') {
      const id = String(item['call_id']);
      if (!called.has(id) || answered.has(id)) return `${where}: no call ${id} waits for an output`;
      answered.add(id);
    } else if (item['type'] === 'reasoning') {
      if ((item['encrypted_content'] ?? '') === '') return `${where}: reasoning without content is not stored`;
      const next = list(body['input'])[at + 1];
      const follows = next?.['type'] === 'reasoning' || next?.['type'] === 'function_call' || next?.['role'] === 'assistant';
      if (!follows) return `${where}: reasoning was provided without its required following item`;
    } else if ((item['content'] ?? '') === '') return `${where}: no content`;
  }
  const missing = [...called].filter((id) => !answered.has(id));
  return missing.length > 0 ? `No tool output found for function call ${missing.join(', ')}` : null;
}

function anthropicFault(body: Json): string | null {
  if (!(Number(body['max_tokens']) > 0)) return 'max_tokens: Field required';
  let open: string[] = [];
  let before = 'assistant';
  let marks = list(body['system']).filter((block) => 'cache_control' in block).length;
  const seen = new Set<string>();
  for (const [at, turn] of list(body['messages']).entries()) {
    const role = String(turn['role']);
    const blocks = list(turn['content']);
    if (role === before) return `messages.${at}: roles must alternate`;
    if (blocks.length === 0) return `messages.${at}: content is empty`;
    if (/thinking$/.test(String(blocks.at(-1)?.['type']))) return `messages.${at}: the final block cannot be thinking`;
    before = role;
    const results = blocks.filter((block) => block['type'] === 'tool_result');
    const missing = open.filter((id) => !results.some((block) => block['tool_use_id'] === id));
    if (missing.length > 0) return `messages.${at}: tool_use ids were found without tool_result blocks: ${missing.join(', ')}`;
    if (results.some((block) => !open.includes(String(block['tool_use_id'])))) return `messages.${at}: unexpected tool_result`;
    open = [];
    for (const [index, block] of blocks.entries()) {
      const where = `messages.${at}.content.${index}`;
      if ('cache_control' in block) marks++;
      if (block['type'] === 'text' && String(block['text']).trim() === '') return `${where}: text must contain non-whitespace text`;
      if (block['type'] === 'thinking' && ('cache_control' in block || (block['signature'] ?? '') === '')) return `${where}: thinking`;
      if (block['type'] !== 'tool_use') continue;
      const id = String(block['id']);
      if (role !== 'assistant' || !ID.test(id) || seen.has(id)) return `${where}: id ${id}`;
      if (!NAME.test(String(block['name']))) return `${where}: name`;
      if (typeof block['input'] !== 'object' || block['input'] === null || Array.isArray(block['input'])) return `${where}: input`;
      seen.add(id);
      open.push(id);
    }
  }
  if (open.length > 0) return `tool_use ids without tool_result: ${open.join(', ')}`;
  if (before === 'assistant') return 'the last message must be of the user';
  return marks > 4 ? 'at most 4 blocks with cache_control' : null;
}

const validators: Readonly<Record<Api, (body: Json) => string | null>> = {
  chat: chatFault,
  responses: responsesFault,
  anthropic: anthropicFault,
};

/** What is wrong with a request of that protocol, or null. */
export function faultOf(api: Api, body: Json): string | null {
  return validators[api](body);
}
