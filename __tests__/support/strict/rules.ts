/** What all real servers refuse in a request, whatever protocol it is of. */

import { createHash } from 'node:crypto';

/** A JSON object of a request. */
export type Json = Readonly<Record<string, unknown>>;

/** What names of tools may be (OpenAI's rule, the narrowest). */
export const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; anything else in it, or no list at all, is left out. */
export function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A string as it is, everything else as ''. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** True when `value` is JSON text for an object that can be read. */
export function isObjectText(value: unknown): boolean {
  try {
    const parsed: unknown = JSON.parse(text(value));
    return isObject(parsed) && loneSurrogateIn(parsed) === null;
  } catch {
    return false;
  }
}

/** The first half of a surrogate pair without the other: no server can read a body with such a thing in it. */
export function loneSurrogateIn(value: unknown, where = 'body'): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : `${where}: no low surrogate in string`;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = loneSurrogateIn(inner, `${where}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** What is wrong with a JSON Schema as tools have it, or null. A list of types is one: Gemini's schemas know a single type and `anyOf`. */
export function schemaFault(schema: unknown, where: string): string | null {
  if (!isObject(schema)) return `Invalid schema for ${where}: it is no object`;
  const branches = schema['anyOf'];
  if (branches !== undefined) {
    if (!Array.isArray(branches) || branches.length === 0) return `Invalid schema for ${where}: anyOf must be a list that is not empty`;
    return firstOf(branches, (branch, at) => schemaFault(branch, `${where}.anyOf.${at}`));
  }
  if (schema['type'] === undefined && schema['enum'] === undefined) return `Invalid schema for ${where}: schema must have a 'type' key`;
  if (schema['type'] !== undefined && !TYPES.has(schema['type']))
    return `Invalid schema for ${where}: ${String(schema['type'])} is no single type`;
  const type = schema['type'] === 'integer' ? 'number' : schema['type'];
  const odd = (Array.isArray(schema['enum']) ? schema['enum'] : []).find((value) => type !== undefined && typeof value !== type);
  if (odd !== undefined) return `Invalid schema for ${where}: enum value ${JSON.stringify(odd)} is no ${String(schema['type'])}`;
  const bound = ['minItems', 'maxItems'].find((name) => schema[name] !== undefined && !/^\d+$/.test(String(schema[name])));
  if (bound !== undefined) return `Invalid schema for ${where}: ${bound} must be a whole number`;
  if (schema['type'] === 'array') {
    return schema['items'] === undefined
      ? `Invalid schema for ${where}: array schema missing items`
      : schemaFault(schema['items'], `${where}.items`);
  }
  if (schema['type'] !== 'object') return null;
  const properties = schema['properties'] ?? {};
  if (!isObject(properties)) return `Invalid schema for ${where}: properties is no object`;
  const missing = (Array.isArray(schema['required']) ? schema['required'] : []).find((name) => !(String(name) in properties));
  if (missing !== undefined) return `Invalid schema for ${where}: '${String(missing)}' is required and no property`;
  return firstOf(Object.entries(properties), ([name, inner]) => schemaFault(inner, `${where}.${name}`));
}

/** What is wrong with the tools of a request, or null; `read` takes name and schema out of one. */
export function toolsFault(tools: unknown, read: (tool: Json) => { readonly name: unknown; readonly schema: unknown }): string | null {
  if (tools === undefined) return null;
  if (!Array.isArray(tools) || tools.length === 0) return "Invalid 'tools': empty array. Expected an array with minimum length 1";
  const names = new Set<string>();
  return firstOf(objects(tools), (tool, at) => {
    const { name, schema } = read(tool);
    if (!NAME.test(text(name))) return `Invalid 'tools[${at}].name': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'`;
    if (names.has(text(name))) return 'tools: Tool names must be unique.';
    names.add(text(name));
    if (!isObject(schema) || schema['type'] !== 'object') {
      return `Invalid schema for function '${text(name)}': schema must be a JSON Schema of 'type: "object"'`;
    }
    return schemaFault(schema, `function '${text(name)}'`);
  });
}

/** The first answer that is not null. */
export function firstOf<T>(values: readonly T[], judge: (value: T, at: number) => string | null): string | null {
  for (const [at, value] of values.entries()) {
    const found = judge(value, at);
    if (found !== null) return found;
  }
  return null;
}

function digest(content: string, length: number): string {
  return createHash('sha256').update(content).digest('hex').slice(0, length);
}

/** What a strict server puts on thoughts that are its own (a signature, encrypted content): it tells model and words again. */
export function sealFor(model: string, content: string): string {
  return `sealed.${digest(model, 8)}.${digest(content, 16)}`;
}

/** True when `seal` was made by `sealFor` of something else. Seals that are none of ours pass. */
export function isForeignSeal(seal: string, model: string, content: string): boolean {
  return seal.startsWith('sealed.') && seal !== sealFor(model, content);
}
