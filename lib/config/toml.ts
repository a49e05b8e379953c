/** TOML text to plain values, with errors that name file, line and column. */

import { isUtf8 } from 'node:buffer';
import { BuddyError } from '../base/errors.js';

/** A table of TOML. */
export type TomlTable = { readonly [key: string]: unknown };

/** True for a table: not a list, a date or a plain value. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The text of a file, which has to be UTF-8 (TOML 1.1, "Spec"). Throws `config.syntax` naming `file:line` of what is not. */
export function tomlText(bytes: Buffer, file: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (!isUtf8(bytes.subarray(start, end < 0 ? bytes.length : end))) break;
    start = end + 1;
  }
  throw new BuddyError('config.syntax', `${file}:${line}: not valid TOML: the text is not UTF-8`, { hint: 'Save the file as UTF-8.' });
}

/** Parses `source`; throws `config.syntax` naming `file:line:column`. */
export async function parseToml(source: string, file: string): Promise<TomlTable> {
  // Imported only when there is a file: it costs 30 ms that a start without one need not pay.
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(source.startsWith('\ufeff') ? source.slice(1) : source);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const reason = (thrown.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    throw new BuddyError('config.syntax', `${file}:${thrown.line}:${thrown.column}: not valid TOML: ${reason}`, {
      hint: `Line ${thrown.line} reads: ${(source.split('\n')[thrown.line - 1] ?? '').trim().slice(0, 120)}`,
      cause: thrown,
    });
  }
}

/** `a."b.c"` as `a.b.c`. */
function bareKey(written: string): string {
  const parts = written.match(/"[^"]*"|'[^']*'|[^\s."']+/g) ?? [];
  return parts.map((part) => part.replace(/^(["'])(.*)\1$/, '$2')).join('.');
}

/**
 * The line (from 1) on which `path` is set, or null when it was written in a way this look does not know. `nth`: in which of several tables
 * of that name (`[[name]]`), from 0.
 */
export function lineOf(source: string, path: readonly string[], nth = 0): number | null {
  const wanted = path.join('.');
  let table = '';
  let left = nth;
  for (const [index, line] of source.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]\]?/.exec(line);
    if (header !== null) {
      table = bareKey(header[1] ?? '');
      if (table === path[0] && left > 0) {
        left--;
        table = '';
        continue;
      }
      if (table === wanted) return index + 1;
      continue;
    }
    const key = /^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=/.exec(line);
    if (key === null) continue;
    const own = bareKey(key[1] ?? '');
    if ((table === '' ? own : `${table}.${own}`) === wanted) return index + 1;
  }
  return null;
}
