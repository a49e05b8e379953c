/** Arguments of a model against the JSON Schema that the author of a tool wrote: the part of it that such schemas use. */

import { fault } from '../../tools/arguments.js';
import type { ArgumentSchema } from '../../tools/tool.js';

type Fields = Readonly<Record<string, unknown>>;

/** Schemas inside of schemas; no author goes deeper. */
const DEEPEST = 32;

/** Throws `tool.arguments` with the first fault, and where it is. What of a schema is not known here constrains nothing. */
export function checkArguments(args: unknown, schema: ArgumentSchema): void {
  check(args, schema, '', 0);
}

function check(value: unknown, schema: Fields, at: string, depth: number): void {
  if (depth > DEEPEST) return;
  const what = at === '' ? 'the arguments' : `"${at}"`;
  const type = schema['type'];
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  if (types.length > 0 && !types.some((of) => isOf(value, of))) throw fault(`${what} must be ${types.map(typeWords).join(' or ')}`);
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !allowed.some((one) => JSON.stringify(one) === JSON.stringify(value)))
    throw fault(`${what} must be one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`);
  if ('const' in schema && JSON.stringify(schema['const']) !== JSON.stringify(value))
    throw fault(`${what} must be ${JSON.stringify(schema['const'])}`);
  if (typeof value === 'number') checkNumber(value, schema, what);
  if (typeof value === 'string') checkSize(Array.from(value).length, schema, what, 'Length', 'characters');
  if (Array.isArray(value)) {
    checkSize(value.length, schema, what, 'Items', 'entries');
    const items = asFields(schema['items']);
    if (items !== null) for (const [index, item] of value.entries()) check(item, items, `${at}[${index}]`, depth + 1);
  } else if (isObject(value)) checkObject(value, schema, at, depth);
}

function checkObject(value: Fields, schema: Fields, at: string, depth: number): void {
  const below = (name: string) => (at === '' ? name : `${at}.${name}`);
  const properties = asFields(schema['properties']) ?? {};
  for (const name of Array.isArray(schema['required']) ? schema['required'] : [])
    if (!Object.hasOwn(value, String(name))) throw fault(`"${below(String(name))}" is required`);
  for (const [name, part] of Object.entries(value)) {
    const of = Object.hasOwn(properties, name) ? asFields(properties[name]) : asFields(schema['additionalProperties']);
    if (of !== null) check(part, of, below(name), depth + 1);
    else if (schema['additionalProperties'] === false && !Object.hasOwn(properties, name))
      throw fault(`"${below(name)}" is not known; there are ${Object.keys(properties).join(', ') || 'no arguments'}`);
  }
}

function checkNumber(value: number, schema: Fields, what: string): void {
  const { minimum, maximum } = schema as { readonly minimum?: unknown; readonly maximum?: unknown };
  if (typeof minimum === 'number' && value < minimum) throw fault(`${what} must be at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) throw fault(`${what} must be at most ${maximum}`);
}

function checkSize(size: number, schema: Fields, what: string, of: 'Length' | 'Items', words: string): void {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]];
  if (typeof least === 'number' && size < least) throw fault(`${what} must have at least ${least} ${words}`);
  if (typeof most === 'number' && size > most) throw fault(`${what} must have at most ${most} ${words}`);
}

function isOf(value: unknown, type: unknown): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function typeWords(type: unknown): string {
  if (type === 'null') return 'null';
  return type === 'array' || type === 'object' || type === 'integer' ? `an ${type}` : `a ${String(type)}`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asFields(value: unknown): Fields | null {
  return isObject(value) ? value : null;
}

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** What makes it a schema that servers of models refuse, with every request that names it; null: nothing that is known here. */
export function schemaFault(schema: unknown, at = '', depth = 0): string | null {
  const what = at === '' ? 'it' : `"${at}"`;
  if (depth > DEEPEST) return `${what} is nested too deep`;
  if (!isObject(schema)) return `${what} must be an object`;
  const { type, required, items } = schema as { readonly type?: unknown; readonly required?: unknown; readonly items?: unknown };
  const bad = (Array.isArray(type) ? type : [type]).find((of) => of !== undefined && !TYPES.includes(of));
  if (bad !== undefined) return `the type of ${what} must be one of ${TYPES.join(', ')}`;
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    return `"required" of ${what} must be a list of names`;
  if (type === 'array' && items === undefined) return `${what} is a list and needs "items"`;
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum'])) return `"enum" of ${what} must be a list`;
  const properties = schema['properties'] ?? {};
  if (!isObject(properties)) return `"properties" of ${what} must be an object`;
  const inside = Object.entries(properties).map(([name, part]) => [at === '' ? name : `${at}.${name}`, part] as const);
  for (const [name, part] of [...inside, ...(items === undefined ? [] : [[`${at}[]`, items] as const])]) {
    const fault = schemaFault(part, name, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
