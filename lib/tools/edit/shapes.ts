/**
 * What models send as the arguments of an edit, made into one shape: older shapes, other spellings, JSON inside of texts, one object where a
 * list belongs. What cannot be meant otherwise is taken; anything else is a fault that names the field and shows the shape.
 */

import type { BuddyError } from '../../base/errors.js';
import { fault } from '../arguments.js';
import { type Field, type Fields, fieldsOf, type Meaning } from './field-names.js';
import { jsonIn } from './json-text.js';

/** One replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Everywhere, not only where it stands once. */
  readonly replaceAll: boolean;
}

/** A call in the one shape. */
export interface EditCall {
  readonly path: string;
  /** At least one; no two are the same. */
  readonly edits: readonly Edit[];
  readonly why: string;
  /** Fields that mean nothing here: they did no harm, and the model is told. */
  readonly ignored: readonly string[];
}

/** What every fault ends with. */
const SHAPE =
  'The right shape is {"path": "/srv/app.conf", "edits": [{"oldText": "the text that stands there", "newText": "the text that is to stand there"}], "why": "…"}';
/** Other tools wrap their arguments so. */
const WRAPPINGS: ReadonlySet<string> = new Set(['arguments', 'args', 'input', 'parameters', 'params']);
const NO_REASON = '(it gave no reason)';

/** The call that `args` mean. Throws `tool.arguments`. */
export function editCall(args: unknown): EditCall {
  const given = objectIn(args);
  if (given === null) throw fault(`the arguments must be one JSON object. ${SHAPE}`);
  const fields = fieldsOf(given);
  const everywhere = flagOf(fields, 'replaceAll');
  const listed = fields.of('edits').flatMap(({ name, value }) => itemsIn(name, value));
  const items = listed.map(([name, item]) => ({ name, fields: fieldsOf(item) }));
  // Some fill in what they leave out with empty texts.
  const own = items.length > 0 && textOf(fields, 'oldText', '') === '' ? [] : ownEdit(fields);
  const path = pathOf(
    fields,
    items.map((item) => item.fields),
  );
  if (items.length + own.length === 0) throw nothingToDo(fields);
  const edits = [...items, ...own].map((item) => editOf(item.name, item.fields, everywhere));
  return {
    path,
    edits: edits.filter((edit, at) => edits.findIndex((other) => isSame(edit, other)) === at),
    why: textOf(fields, 'why', '') || NO_REASON,
    ignored: [...new Set([...fields.unknown, ...items.flatMap((item) => item.fields.unknown)])],
  };
}

/** An object, also one that is wrapped or written as JSON; null: there is none. */
function objectIn(value: unknown): Readonly<Record<string, unknown>> | null {
  const inner = typeof value === 'string' ? jsonIn(value) : value;
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return null;
  const [only, second] = Object.entries(inner);
  if (only !== undefined && second === undefined && WRAPPINGS.has(only[0])) return objectIn(only[1]) ?? (inner as Record<string, unknown>);
  return inner as Readonly<Record<string, unknown>>;
}

type Item = readonly [name: string, item: Readonly<Record<string, unknown>>];

/** The edits in a list, in one that is written as JSON, or the one that stands there by itself. */
function itemsIn(name: string, value: unknown): readonly Item[] {
  const list = typeof value === 'string' ? jsonIn(value) : value;
  if (typeof value === 'string' && value.trim() === '') return [];
  if (Array.isArray(list)) return list.flat().map((item: unknown, at) => itemIn(`${name}[${at}]`, item));
  const item = objectIn(list);
  if (item === null)
    throw fault(`"${name}" must be a list of objects${typeof value === 'string' ? ', and it is a text that is no JSON' : ''}. ${SHAPE}`);
  const inner = fieldsOf(item);
  if (inner.of('oldText').length === 0 && inner.of('edits').length > 0)
    return inner.of('edits').flatMap((field) => itemsIn(field.name, field.value));
  if (Object.keys(item).length > 0 && Object.keys(item).every((key) => /^\d+$/.test(key)))
    return Object.entries(item).map(([key, of]) => itemIn(`${name}[${key}]`, of));
  return [[name, item]];
}

function itemIn(name: string, value: unknown): Item {
  const item = objectIn(value);
  if (item === null) throw fault(`"${name}" must be an object with "oldText" and "newText". ${SHAPE}`);
  return [name, item];
}

/** The edit of the older shapes, whose fields stand beside the path. */
function ownEdit(fields: Fields): readonly { readonly name: string; readonly fields: Fields }[] {
  return fields.of('oldText').length + fields.of('newText').length === 0 ? [] : [{ name: '', fields }];
}

function editOf(name: string, fields: Fields, everywhere: boolean): Edit {
  const where = name === '' ? '' : `${name}.`;
  const oldText = textOf(fields, 'oldText', null, where);
  const newText = textOf(fields, 'newText', null, where);
  if (oldText === '')
    throw fault(
      `"${where}oldText" is empty: it must be a text that stands in the file, where "newText" goes; write_file writes a whole file. ${SHAPE}`,
    );
  for (const [text, of] of [
    [oldText, 'oldText'],
    [newText, 'newText'],
  ] as const)
    if (!text.isWellFormed()) throw fault(`"${where}${of}" holds half a character (a lone surrogate)`);
  if (oldText === newText) throw fault(`"${where}oldText" and "${where}newText" are the same: there is nothing to change`);
  return { oldText, newText, replaceAll: everywhere || flagOf(fields, 'replaceAll') };
}

/** The one text of that meaning. `otherwise` null: it is required. */
function textOf(fields: Fields, meaning: Meaning, otherwise: string | null, where = ''): string {
  const given = fields.of(meaning).map((field) => ({ name: field.name, text: asText(field, where) }));
  const [first] = given.filter(({ text }) => text !== '');
  const other = given.find(({ text }) => text !== '' && text !== first?.text);
  if (first !== undefined && other !== undefined)
    throw fault(`"${where}${first.name}" and "${where}${other.name}" mean the same and differ: give "${meaning}" alone. ${SHAPE}`);
  if (first !== undefined) return first.text;
  if (given.length > 0) return '';
  if (otherwise !== null) return otherwise;
  throw fault(`"${where}${meaning}" is required and must be a string${meaning === 'newText' ? ' ("" to delete "oldText")' : ''}. ${SHAPE}`);
}

/** Numbers and flags as they are written, a list of lines as these lines. */
function asText({ name, value }: Field, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('\n');
  throw fault(`"${where}${name}" must be a string. ${SHAPE}`);
}

function flagOf(fields: Fields, meaning: Meaning): boolean {
  const [field] = fields.of(meaning);
  if (field === undefined || field.value === false || field.value === 'false') return false;
  if (field.value === true || field.value === 'true') return true;
  throw fault(`"${field.name}" must be true or false`);
}

/** The path, which some give with each edit. */
function pathOf(fields: Fields, items: readonly Fields[]): string {
  const [path, other] = new Set([fields, ...items].map((of) => textOf(of, 'path', '')).filter((text) => text.trim() !== ''));
  if (other !== undefined) throw fault(`one call edits one file, and there are two paths: "${path}" and "${other}"; make a call for each`);
  if (path === undefined) throw fault(`"path" is required and must be a string. ${SHAPE}`);
  return path;
}

function nothingToDo({ unknown }: Fields): BuddyError {
  const isWrite = unknown.some((name) => /^(?:content|contents|text)$/i.test(name));
  return fault(
    `"edits" is required and must be a list with at least one edit${isWrite ? ' (write_file writes a whole file)' : ''}. ${SHAPE}`,
  );
}

function isSame(one: Edit, other: Edit): boolean {
  return one.oldText === other.oldText && one.newText === other.newText && one.replaceAll === other.replaceAll;
}
