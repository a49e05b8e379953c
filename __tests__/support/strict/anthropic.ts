/** What servers of the messages API refuse in a request: Anthropic's reference, its pages on tools and thinking, and the words of its 400s. */

import { imageBlockFault } from './images.js';
import { firstOf, isForeignSeal, isObject, type Json, objects, text, toolsFault } from './rules.js';

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'metadata',
]);
/** Which blocks whose message may hold. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking'],
};

interface Walk {
  readonly model: string;
  readonly used: Set<string>;
  /** Calls of the message before. */
  open: readonly string[];
  before: string;
}

function isThought(block: Json | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking';
}

function thoughtFault(block: Json, where: string, { model }: Walk): string | null {
  if (block['type'] === 'redacted_thinking') return text(block['data']) === '' ? `${where}.redacted_thinking.data: Field required` : null;
  if (text(block['signature']) === '') return `${where}.thinking.signature: Field required`;
  const foreign = isForeignSeal(text(block['signature']), model, text(block['thinking']));
  return foreign ? `${where}: Invalid \`signature\` in \`thinking\` block` : null;
}

function useFault(block: Json, where: string, { used }: Walk): string | null {
  const id = text(block['id']);
  if (!ID.test(id)) return `${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  if (used.has(id)) return `${where}: \`tool_use\` ids must be unique`;
  used.add(id);
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(text(block['name']))) return `${where}.tool_use.name: String should match pattern`;
  return isObject(block['input']) ? null : `${where}.tool_use.input: Input should be a valid dictionary`;
}

function partFault(part: Json, where: string): string | null {
  if (part['type'] === 'image') return imageBlockFault(part, where);
  return text(part['text']).trim() === '' ? 'messages: text content blocks must contain non-whitespace text' : null;
}

function resultFault(block: Json, where: string): string | null {
  const { content } = block;
  if (content !== undefined && typeof content !== 'string' && !Array.isArray(content))
    return `${where}.tool_result.content: Input should be a valid list`;
  const parts = objects(content);
  const odd = parts.find((part) => part['type'] !== 'text' && part['type'] !== 'image');
  if (odd !== undefined) return `${where}.tool_result.content: Input tag '${text(odd['type'])}' is not expected`;
  if (block['is_error'] === true && parts.some((part) => part['type'] !== 'text'))
    return `${where}.tool_result: all content must be type "text" if \`is_error\` is true`;
  const fault = firstOf(parts, (part, at) => partFault(part, `${where}.tool_result.content.${at}`));
  if (fault !== null) return fault;
  return block['is_error'] === true && (content ?? '') === ''
    ? `${where}.tool_result: content cannot be empty if \`is_error\` is true`
    : null;
}

function blockFault(block: Json, role: string, where: string, walk: Walk): string | null {
  const type = text(block['type']);
  if (BLOCKS[role]?.includes(type) !== true) return `${where}: Input tag '${type}' is not expected in a message of the ${role}`;
  if ('cache_control' in block && isThought(block)) return `${where}.${type}.cache_control: Extra inputs are not permitted`;
  if (type === 'text' && text(block['text']) === '') return 'messages: text content blocks must be non-empty';
  if (type === 'text' && text(block['text']).trim() === '') return 'messages: text content blocks must contain non-whitespace text';
  if (isThought(block)) return thoughtFault(block, where, walk);
  if (type === 'tool_use') return useFault(block, where, walk);
  if (type === 'image') return imageBlockFault(block, where);
  return type === 'tool_result' ? resultFault(block, where) : null;
}

/** Results must come first, one for each call of the message before. */
function pairFault(blocks: readonly Json[], at: number, { open }: Walk): string | null {
  const first = blocks.findIndex((block) => block['type'] !== 'tool_result');
  const ahead = blocks.slice(0, first < 0 ? undefined : first).map((block) => text(block['tool_use_id']));
  const missing = open.filter((id) => !ahead.includes(id));
  if (missing.length > 0) {
    return `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
  const ids = blocks.filter((block) => block['type'] === 'tool_result').map((block) => text(block['tool_use_id']));
  const extra = ids.find((id) => !open.includes(id));
  if (extra !== undefined) return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${extra}.`;
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  return twice === undefined
    ? null
    : `messages.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
}

function messageFault(message: Json, at: number, walk: Walk): string | null {
  const role = text(message['role']);
  if (BLOCKS[role] === undefined) return `messages.${at}.role: Input should be 'user' or 'assistant'`;
  if (role === walk.before)
    return `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`;
  if (at === 0 && role !== 'user') return 'messages: first message must use the "user" role';
  walk.before = role;
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
  if (blocks.length === 0) return 'messages: all messages must have non-empty content except for the optional final assistant message';
  const unpaired = pairFault(blocks, at, walk);
  if (unpaired !== null) return unpaired;
  if (isThought(blocks.at(-1))) return `messages.${at}: The final block in an assistant message cannot be \`thinking\`.`;
  walk.open = blocks.filter((block) => block['type'] === 'tool_use').map((block) => text(block['id']));
  return firstOf(blocks, (block, index) => blockFault(block, role, `messages.${at}.content.${index}`, walk));
}

/** Thinking with a budget: what may stand beside it, and that an answer that goes on began with thoughts. */
function thinkingFault(body: Json, messages: readonly Json[]): string | null {
  const thinking = body['thinking'];
  if (!isObject(thinking)) return null;
  const budget = Number(thinking['budget_tokens']);
  if (thinking['type'] === 'enabled' && !(budget >= 1024))
    return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  if (thinking['type'] === 'enabled' && budget >= Number(body['max_tokens']))
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  if (thinking['type'] === 'disabled') return null;
  if (body['temperature'] !== undefined && body['temperature'] !== 1) return '`temperature` may only be set to 1 when thinking is enabled.';
  if (thinking['type'] !== 'enabled') return null;
  const last = objects(messages.findLast((message) => message['role'] === 'assistant')?.['content']);
  if (!last.some((block) => block['type'] === 'tool_use') || isThought(last[0])) return null;
  return `Expected \`thinking\` or \`redacted_thinking\`, but found \`${text(last[0]?.['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
}

/** What is wrong with the body of a request, or null. */
export function anthropicFault(body: Json): string | null {
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (text(body['model']) === '') return 'model: Field required';
  if (!Number.isInteger(body['max_tokens']) || Number(body['max_tokens']) < 1) return 'max_tokens: Field required';
  const messages = objects(body['messages']);
  if (messages.length === 0) return 'messages: at least one message is required';
  const system = objects(body['system']);
  if (system.some((block) => text(block['text']).trim() === '')) return 'system: text content blocks must be non-empty';
  const walk: Walk = { model: text(body['model']), used: new Set(), open: [], before: '' };
  const fault = firstOf(messages, (message, at) => messageFault(message, at, walk));
  if (fault !== null) return fault;
  if (walk.open.length > 0) return `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${walk.open.join(', ')}.`;
  if (walk.before === 'assistant')
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  if (walk.used.size > 0 && body['tools'] === undefined)
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools';
  const marks = [...system, ...objects(body['tools']), ...messages.flatMap((message) => objects(message['content']))].filter(
    (block) => 'cache_control' in block,
  ).length;
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  return thinkingFault(body, messages) ?? toolsFault(body['tools'], ({ name, input_schema: schema }) => ({ name, schema }));
}
