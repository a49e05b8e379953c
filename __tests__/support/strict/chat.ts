/**
 * What servers of chat completions refuse in a request. OpenAI: its API reference and the words of its 400s; the rules of Mistral
 * (error 3230, 3051), DeepSeek, Groq and Gemini as they answered in public issue threads.
 */

import type { ProviderName } from '../../../lib/config/profiles.js';
import { dataUrlFault } from './images.js';
import { firstOf, isObject, isObjectText, type Json, NAME, objects, text, toolsFault } from './rules.js';

/** What only one provider refuses. */
interface Ways {
  /** Ids of calls. */
  readonly id: RegExp;
  /** Fields of a message that are known; left out: any. */
  readonly fields?: ReadonlySet<string>;
  /** No message of the user after one of a tool, and none of the assistant at the end. */
  readonly strictOrder?: true;
  /** The template of the model knows no two messages of the user in a row either. */
  readonly alternates?: true;
  /** Must stand in a message with calls. */
  readonly besideCalls?: string;
  /** The first call of a message must be signed. */
  readonly signedCalls?: true;
}

const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id']);
const usual: Ways = { id: /^\S{1,40}$/ };
const ways: Partial<Record<ProviderName, Ways>> = {
  mistral: { id: /^[a-zA-Z0-9]{9}$/, fields: MESSAGE_FIELDS, strictOrder: true },
  deepseek: { ...usual, besideCalls: 'reasoning_content' },
  moonshot: { ...usual, besideCalls: 'reasoning_content' },
  groq: { ...usual, fields: MESSAGE_FIELDS },
  gemini: { ...usual, signedCalls: true },
};

/** Models whose chat template is as strict as their maker's own server, wherever they run. */
const TEMPLATES = /mistral|ministral|devstral/i;

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

function isEmpty(content: unknown): boolean {
  return Array.isArray(content) ? content.length === 0 : text(content) === '';
}

/** Parts of a list: texts with words, and pictures only where the user speaks. */
function partsFault(role: string, content: unknown, where: string): string | null {
  return firstOf(objects(content), (part, at) => {
    const here = `${where}.content[${at}]`;
    if (part['type'] === 'text') return text(part['text']) === '' ? `Invalid '${here}.text': empty string` : null;
    if (part['type'] !== 'image_url') return `Invalid value: '${text(part['type'])}' (${here}.type)`;
    if (role !== 'user')
      return `Invalid '${here}': Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
    const image = part['image_url'];
    return dataUrlFault(isObject(image) ? image['url'] : '', `${here}.image_url`);
  });
}

function callsFault(message: Json, where: string, used: Set<string>, { id, signedCalls }: Ways): string | null {
  if (!('tool_calls' in message)) return null;
  const calls = objects(message['tool_calls']);
  if (calls.length === 0) return `Invalid '${where}.tool_calls': empty array. Expected an array with minimum length 1`;
  return firstOf(calls, (call, at) => {
    const here = `${where}.tool_calls[${at}]`;
    const called = call['function'];
    if (call['type'] !== 'function' || !isObject(called)) return `Invalid '${here}.type': a call of a function was expected`;
    if (!id.test(text(call['id']))) return `Invalid '${here}.id': '${text(call['id'])}' does not match ${id.source}`;
    if (used.has(text(call['id']))) return `Invalid '${here}.id': '${text(call['id'])}' is there twice`;
    used.add(text(call['id']));
    if (!NAME.test(text(called['name']))) return `Invalid '${here}.function.name': string does not match pattern`;
    if (!isObjectText(called['arguments'])) return `Invalid '${here}.function.arguments': no JSON object`;
    if (signedCalls !== true || at > 0 || JSON.stringify(call).includes('thought_signature')) return null;
    return `Function call is missing a thought_signature in functionCall parts (${here})`;
  });
}

function assistantFault(message: Json, where: string, used: Set<string>, way: Ways): string | null {
  const { content } = message;
  if (content !== null && content !== undefined && typeof content !== 'string' && !Array.isArray(content)) {
    return `Invalid type for '${where}.content'`;
  }
  if (isEmpty(content) && !('tool_calls' in message))
    return `${where}: assistant message must have either content or tool_calls, but not none`;
  if (way.besideCalls !== undefined && 'tool_calls' in message && typeof message[way.besideCalls] !== 'string') {
    return `Missing \`${way.besideCalls}\` field in the assistant message at ${where}`;
  }
  return callsFault(message, where, used, way);
}

function waysOf(provider: ProviderName, model: string): Ways {
  const own = ways[provider] ?? usual;
  return provider !== 'mistral' && TEMPLATES.test(model) ? { ...own, strictOrder: true, alternates: true } : own;
}

/** What is wrong with the body of a request to `provider`, or null. */
export function chatFault(body: Json, provider: ProviderName): string | null {
  const way = waysOf(provider, text(body['model']));
  const messages = objects(body['messages']);
  if (text(body['model']) === '') return 'you must provide a model parameter';
  if (messages.length === 0) return "Invalid 'messages': empty array. Expected an array with minimum length 1";
  if ('stream_options' in body && body['stream'] !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  const used = new Set<string>();
  let open: readonly string[] = [];
  let before = '';
  const fault = firstOf(messages, (message, at) => {
    const where = `messages[${at}]`;
    const role = text(message['role']);
    if (!ROLES.has(role)) return `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'developer', and 'tool'.`;
    if (role === 'system' && at > 0) return `${where}: the system message must be at the beginning`;
    const unknown = way.fields === undefined ? undefined : Object.keys(message).find((field) => way.fields?.has(field) === false);
    if (unknown !== undefined) return `property '${where}.${unknown}' is unsupported`;
    if (role === 'tool') {
      const id = text(message['tool_call_id']);
      if (!open.includes(id))
        return `messages with role 'tool' must be a response to a preceeding message with 'tool_calls' (${where}, ${id})`;
      if (typeof message['content'] !== 'string' && !Array.isArray(message['content'])) return `Invalid type for '${where}.content'`;
      open = open.filter((one) => one !== id);
    } else if (open.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')} (${where})`;
    } else if (role !== 'assistant' && isEmpty(message['content'])) {
      return `Invalid value for 'content' of ${where}: expected a string, got nothing`;
    }
    const odd = partsFault(role, message['content'], where);
    if (odd !== null) return odd;
    if (way.strictOrder === true && before === 'tool' && role === 'user') return "Unexpected role 'user' after role 'tool'";
    if (way.alternates === true && before === 'user' && role === 'user')
      return 'conversation roles must alternate user and assistant roles';
    before = role;
    if (role !== 'assistant') return null;
    open = objects(message['tool_calls']).map((call) => text(call['id']));
    return assistantFault(message, where, used, way);
  });
  if (fault !== null) return fault;
  if (open.length > 0) return `The following tool_call_ids did not have response messages: ${open.join(', ')}`;
  if (way.strictOrder === true && before === 'assistant') return 'Expected last role User or Tool for serving but got assistant';
  return toolsFault(body['tools'], ({ function: of }) => ({
    name: isObject(of) ? of['name'] : null,
    schema: isObject(of) ? of['parameters'] : null,
  }));
}
