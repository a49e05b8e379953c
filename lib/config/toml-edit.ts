/** Sets or takes out one key of a TOML text and leaves every other byte, comments above all, as it was. */

import { BuddyError } from '../base/errors.js';
import { isTable, parseToml, type TomlTable } from './toml.js';
import { type TomlPair, type TomlPieces, type TomlSection, tomlPieces } from './toml-pieces.js';

/** What can be written. */
export type TomlValue = string | number | boolean | readonly string[];

/** A part of the text and what takes its place. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A pair, and those of the inline table that it stands in; null: it has a line. */
interface Found {
  readonly pair: TomlPair;
  readonly siblings: readonly TomlPair[] | null;
}

/**
 * The text with that key set, or taken out (`undefined`). It is parsed again before it is given: what is not exactly the old content with this
 * one change, or has lost a comment, is refused. Throws `config.syntax` for a text that is no TOML, `config.edit` for a refusal.
 */
export async function editedToml(source: string, file: string, path: readonly string[], value: TomlValue | undefined): Promise<string> {
  const old = await parseToml(source, file);
  const refused = (line: number, why: string) =>
    new BuddyError('config.edit', `${file}:${line}: ${path.join('.')} cannot be changed here: ${why}`, {
      hint: 'Nothing was written. Change it in an editor.',
    });
  let line = 1;
  try {
    const pieces = tomlPieces(source);
    const found = find(pieces, path);
    line = lineAt(source, found?.pair.from ?? source.length);
    const expected = changed(old, path, value);
    if (expected === null) throw refused(line, 'there is something else of that name');
    if (value === undefined && isSame(old, expected)) return source;
    const { from, to, text } = splice(source, pieces, { found, path, value });
    const edited = source.slice(0, from) + text + source.slice(to);
    if (!isSame(tomlPieces(edited).comments, pieces.comments)) throw refused(line, 'a comment within the value would be lost');
    const now = await parseToml(edited, file);
    if (isSame(now, expected) || (value === undefined && path.some((_, i) => isSame(now, pruned(expected, path.slice(0, -1), i)))))
      return edited;
  } catch (thrown) {
    if (thrown instanceof BuddyError && thrown.code === 'config.edit') throw thrown;
  }
  throw refused(line, 'the file is written in a way that this does not know');
}

/** Throws an Error for a key that is there but was not found. */
function splice(
  source: string,
  pieces: TomlPieces,
  { found, path, value }: { readonly found: Found | null; readonly path: readonly string[]; readonly value: TomlValue | undefined },
): Splice {
  if (value !== undefined) return found === null ? addition(source, pieces, path, value) : replacement(found, value);
  if (found === null) throw new Error(`${path.join('.')} is not seen`);
  return removal(source, found);
}

/** The line (from 1) that sets the key, or null when none does. */
export function lineOfKey(source: string, path: readonly string[]): number | null {
  try {
    const found = find(tomlPieces(source), path);
    return found === null ? null : lineAt(source, found.pair.from);
  } catch {
    return null;
  }
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function isPrefix(prefix: readonly string[], path: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((part, i) => part === path[i]);
}

function find({ sections }: TomlPieces, path: readonly string[]): Found | null {
  for (const { path: base, isList, pairs } of sections) {
    const found = !isList && isPrefix(base, path) ? findIn(pairs, path.slice(base.length), null) : null;
    if (found !== null) return found;
  }
  return null;
}

function findIn(pairs: readonly TomlPair[], path: readonly string[], siblings: Found['siblings']): Found | null {
  for (const pair of pairs) {
    if (!isPrefix(pair.key, path)) continue;
    if (pair.key.length === path.length) return { pair, siblings };
    const found = pair.inside === null ? null : findIn(pair.inside, path.slice(pair.key.length), pair.inside);
    if (found !== null) return found;
  }
  return null;
}

function replacement({ pair }: Found, value: TomlValue): Splice {
  return { from: pair.valueFrom, to: pair.to, text: written(value) };
}

/** A comment behind the value stays, on a line of its own. */
function removal(source: string, { pair, siblings }: Found): Splice {
  const { from, to, commaTo } = pair;
  if (siblings !== null) {
    if (commaTo !== null) return { from, to: commaTo + (/^[ \t]*/.exec(source.slice(commaTo))?.[0].length ?? 0), text: '' };
    const comma = siblings[siblings.indexOf(pair) - 1]?.commaTo;
    return comma == null ? { from, to, text: '' } : { from: comma - 1, to, text: '' };
  }
  const end = lineEnd(source, to);
  const rest = source.slice(to, end).trim();
  return rest === '' ? { from: lineStart(source, from), to: end, text: '' } : { from, to: source.indexOf('#', to), text: '' };
}

function lineStart(source: string, offset: number): number {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && source.startsWith('\ufeff') ? 1 : start;
}

/** Behind its end of line. */
function lineEnd(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  return end < 0 ? source.length : end + 1;
}

function addition(source: string, pieces: TomlPieces, path: readonly string[], value: TomlValue): Splice {
  const parent = path.slice(0, -1);
  for (const { path: base, isList, pairs } of pieces.sections) {
    const table = isList || !isPrefix(base, parent) ? null : inlineTable(pairs, parent.slice(base.length));
    if (table !== null) return intoInline(source, table.pair, [...table.rest, path.at(-1) ?? ''], value);
  }
  const home = pieces.sections.filter((section) => isHome(section, parent)).sort((a, b) => b.path.length - a.path.length)[0];
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  if (home === undefined) {
    const lead = source === '' || source === '\ufeff' ? '' : source.endsWith('\n') ? eol : eol + eol;
    const text = `${lead}[${writtenKey(parent)}]${eol}${writtenKey(path.slice(-1))} = ${written(value)}${eol}`;
    return { from: source.length, to: source.length, text };
  }
  const rest = parent.slice(home.path.length);
  const after = home.pairs.findLast(({ key }) => isPrefix(rest, key));
  const line = `${writtenKey(path.slice(home.path.length))} = ${written(value)}`;
  // Before the first header nothing need stand.
  if (after === undefined && home.path.length === 0) return { from: home.to, to: home.to, text: line + eol };
  const { from, to } = after ?? home;
  const end = lineEnd(source, to);
  const indent = /^[ \t]*/.exec(source.slice(lineStart(source, from)))?.[0] ?? '';
  const text = end === source.length && !source.endsWith('\n') ? `${eol}${indent}${line}` : `${indent}${line}${eol}`;
  return { from: end, to: end, text };
}

/** Does the table `parent` begin or go on in that section? */
function isHome({ path, isList, pairs }: TomlSection, parent: readonly string[]): boolean {
  if (isList || !isPrefix(path, parent)) return false;
  const rest = parent.slice(path.length);
  return rest.length === 0 || pairs.some(({ key }) => key.length > rest.length && isPrefix(rest, key));
}

/** The inline table that holds `parent`, and what of the path leads on from there. */
function inlineTable(
  pairs: readonly TomlPair[],
  parent: readonly string[],
): { readonly pair: TomlPair; readonly rest: readonly string[] } | null {
  for (const pair of pairs) {
    if (pair.inside === null || !isPrefix(pair.key, parent)) continue;
    const rest = parent.slice(pair.key.length);
    return inlineTable(pair.inside, rest) ?? { pair, rest };
  }
  return null;
}

function intoInline(source: string, { inside, valueFrom, to }: TomlPair, key: readonly string[], value: TomlValue): Splice {
  const entry = `${writtenKey(key)} = ${written(value)}`;
  const last = inside?.at(-1);
  if (last === undefined) {
    const isBlank = source.slice(valueFrom + 1, to - 1).trim() === '';
    return isBlank ? { from: valueFrom, to, text: `{ ${entry} }` } : { from: valueFrom + 1, to: valueFrom + 1, text: ` ${entry}` };
  }
  const at = last.commaTo ?? last.to;
  return { from: at, to: at, text: last.commaTo === null ? `, ${entry}` : ` ${entry}` };
}

function writtenKey(path: readonly string[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : writtenText(part))).join('.');
}

/** A value as TOML has it, on one line. */
export function written(value: TomlValue): string {
  if (typeof value === 'string') return writtenText(value);
  return typeof value === 'object' ? `[${value.map(writtenText).join(', ')}]` : String(value);
}

/** JSON's escapes are TOML's; DEL is a control character there as well. */
function writtenText(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

function copyOf(table: TomlTable): Record<string, unknown> {
  return Object.defineProperties(Object.create(Object.getPrototypeOf(table)), Object.getOwnPropertyDescriptors(table));
}

function put(table: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  return Object.defineProperty(table, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The content with that one change; null when something on the way is no table. */
function changed(table: TomlTable, path: readonly string[], value: TomlValue | undefined): TomlTable | null {
  const [key = '', ...rest] = path;
  const copy = copyOf(table);
  if (rest.length === 0) {
    if (value === undefined) delete copy[key];
    return value === undefined ? copy : put(copy, key, value);
  }
  if (value === undefined && !Object.hasOwn(table, key)) return table;
  const inner = Object.hasOwn(table, key) ? table[key] : {};
  const next = isTable(inner) ? changed(inner, rest, value) : null;
  return next === null ? null : put(copy, key, next);
}

/** Without the tables on that way, from the level `from` on, that hold nothing any more: dotted keys made them. */
function pruned(table: TomlTable, path: readonly string[], from: number): TomlTable {
  const [key, ...rest] = path;
  if (key === undefined) return table;
  const inner = table[key];
  const next = isTable(inner) ? pruned(inner, rest, from - 1) : {};
  const copy = copyOf(table);
  if (from > 0 || Object.keys(next).length > 0) return put(copy, key, next);
  delete copy[key];
  return copy;
}

/** Equal in kind, value and order of lists; of tables the order of keys is no matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date || b instanceof Date) return a instanceof Date && b instanceof Date && a.toISOString() === b.toISOString();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame((a as TomlTable)[key], (b as TomlTable)[key]));
}
