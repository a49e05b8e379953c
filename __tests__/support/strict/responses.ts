/**
 * What servers of the Responses API refuse in a request without a store. OpenAI's API reference, the words of its 400s in public issue
 * threads, and what the codex backend says besides (instructions and `store: false` are required, no system messages).
 */

import { dataUrlFault } from './images.js';
import { firstOf, isForeignSeal, isObjectText, type Json, NAME, objects, text, toolsFault } from './rules.js';

/** How ids of items must begin. */
const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc' };
/** An id of a strict server tells whether thoughts led to the item: `fc_r7_0` needs `rs_r7`. */
const THOUGHT = /^(?:fc|msg)_(r\d+)/;

interface Walk {
  readonly model: string;
  readonly items: readonly Json[];
  readonly ids: Set<string>;
  readonly called: Set<string>;
  /** Calls whose outputs have not come. */
  open: readonly string[];
}

function contentFault(item: Json, where: string): string | null {
  const { content, role } = item;
  if (typeof content === 'string') return content === '' ? `Invalid '${where}.content': it is empty` : null;
  const parts = objects(content);
  if (parts.length === 0) return `Missing required parameter: '${where}.content'`;
  const fits = role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
  const odd = parts.find((part) => !fits.includes(text(part['type'])));
  if (odd !== undefined) return `Invalid value: '${text(odd['type'])}'. Supported values are: ${fits.join(', ')} (${where})`;
  return partsFault(parts, where);
}

function partsFault(parts: readonly Json[], where: string): string | null {
  return firstOf(parts, (part, at) => {
    if (part['type'] === 'input_image') return dataUrlFault(part['image_url'], `${where}[${at}].image_url`);
    return part['type'] === 'input_text' && text(part['text']) === '' ? `Invalid '${where}[${at}].text': it is empty` : null;
  });
}

function reasoningFault(item: Json, at: number, { items, model }: Walk): string | null {
  const encrypted = text(item['encrypted_content']);
  if (!Array.isArray(item['summary'])) return `Missing required parameter: 'input[${at}].summary'.`;
  if (encrypted === '') return `Item with id '${text(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`;
  const words = objects(item['summary'])
    .map((part) => text(part['text']))
    .join('');
  if (isForeignSeal(encrypted, model, words)) return `The encrypted content of input[${at}] could not be verified.`;
  const next = items[at + 1];
  const follows = next?.['type'] === 'reasoning' || next?.['type'] === 'function_call' || next?.['role'] === 'assistant';
  return follows ? null : `Item '${text(item['id'])}' of type 'reasoning' was provided without its required following item.`;
}

function callFault(item: Json, where: string, walk: Walk): string | null {
  const id = text(item['call_id']);
  if (id === '' || id.length > 64) return `Invalid '${where}.call_id': string too long or empty. Expected a maximum length of 64`;
  if (walk.called.has(id)) return `Invalid '${where}.call_id': ${id} is there twice`;
  if (!NAME.test(text(item['name']))) return `Invalid '${where}.name': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'`;
  if (!isObjectText(item['arguments'])) return `Invalid '${where}.arguments': no JSON object`;
  walk.called.add(id);
  walk.open = [...walk.open, id];
  return null;
}

function outputFault(item: Json, where: string, walk: Walk): string | null {
  const id = text(item['call_id']);
  if (!walk.open.includes(id)) return `No tool call found for function call output with call_id ${id} (${where}).`;
  if (typeof item['output'] !== 'string' && !Array.isArray(item['output'])) return `Missing required parameter: '${where}.output'.`;
  walk.open = walk.open.filter((one) => one !== id);
  const odd = objects(item['output']).find((part) => !['input_text', 'input_image', 'input_file'].includes(text(part['type'])));
  if (odd !== undefined) return `Invalid value: '${text(odd['type'])}' (${where}.output)`;
  return partsFault(objects(item['output']), `${where}.output`);
}

function idFault(item: Json, type: string, at: number, { ids }: Walk): string | null {
  if (item['id'] === undefined) return null;
  const id = text(item['id']);
  const prefix = PREFIXES[type] ?? '';
  if (!id.startsWith(prefix)) return `Invalid 'input[${at}].id': '${id}'. Expected an ID that begins with '${prefix}'.`;
  if (ids.has(id)) return `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
  ids.add(id);
  const thought = THOUGHT.exec(id)?.[1];
  if (thought === undefined || ids.has(`rs_${thought}`)) return null;
  return `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: 'rs_${thought}'.`;
}

function itemFault(item: Json, at: number, walk: Walk): string | null {
  const where = `input[${at}]`;
  const type = text(item['type'] ?? 'message');
  const misplaced = idFault(item, type, at, walk);
  if (misplaced !== null) return misplaced;
  if (type === 'function_call') return callFault(item, where, walk);
  if (type === 'function_call_output') return outputFault(item, where, walk);
  if (type === 'reasoning') return reasoningFault(item, at, walk);
  if (type !== 'message') return `Invalid value: '${type}' (${where}.type)`;
  if (item['role'] === 'system') return 'System messages are not allowed';
  if (!['user', 'assistant', 'developer'].includes(text(item['role']))) return `Invalid value: '${text(item['role'])}' (${where}.role)`;
  if (item['role'] === 'user' && walk.open.length > 0) return `No tool output found for function call ${walk.open.join(', ')} (${where}).`;
  return contentFault(item, where);
}

/** What is wrong with the body of a request, or null. */
export function responsesFault(body: Json): string | null {
  const items = objects(body['input']);
  if (text(body['model']) === '') return "Missing required parameter: 'model'.";
  if (text(body['instructions']) === '') return 'Instructions are required';
  if (body['store'] !== false) return 'Store must be set to false';
  if (items.length === 0) return "Missing required parameter: 'input'.";
  const walk: Walk = { model: text(body['model']), items, ids: new Set(), called: new Set(), open: [] };
  const fault = firstOf(items, (item, at) => itemFault(item, at, walk));
  if (fault !== null) return fault;
  if (walk.open.length > 0) return `No tool output found for function call ${walk.open.join(', ')}.`;
  return toolsFault(body['tools'], (tool) => ({ name: tool['type'] === 'function' ? tool['name'] : null, schema: tool['parameters'] }));
}
