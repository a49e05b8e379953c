/** Values of settings as people read them and type them. */

import type { SettingRow } from './settings.js';
import { isTable, parseToml } from './toml.js';
import { type TomlValue, written } from './toml-edit.js';

/** A password in an address. */
const PASSWORD = /(:\/\/[^\s:@/]*:)[^\s@/]+(?=@)/g;

const COVER = '•••';

/** On one line, as the file would have it; null is a setting that is left out. Passwords in addresses are covered. */
export function shownValue(value: unknown): string {
  return value === null ? 'not set' : written(value as TomlValue).replace(PASSWORD, `$1${COVER}`);
}

/**
 * What a person changes: without the quotes and brackets of TOML where nothing is lost by it. `typedValue` makes the value of it again. One with
 * a password in it has to be written anew.
 */
export function typedForm(value: unknown): string {
  if (value === null || shownValue(value).includes(COVER)) return '';
  if (typeof value === 'string') return /^\s|\s$|^["'[]|[\x00-\x1f\x7f]/.test(value) ? written(value) : value;
  if (!Array.isArray(value)) return String(value);
  const isPlain = value.every((item) => typeof item === 'string' && item !== '' && !/^\s|\s$|,|^["'[]|[\x00-\x1f\x7f]/.test(item));
  return isPlain ? value.join(', ') : written(value as TomlValue);
}

/** The value that was typed, as the environment or as the file would have it; else what is wrong, as the rest of `KEY …`. */
export async function typedValue(
  row: SettingRow<unknown>,
  text: string,
): Promise<{ readonly value: TomlValue } | { readonly wrong: string }> {
  const typed = text.trim();
  const found = /^["'[]/.test(typed) ? row.kind.fromToml(await fromToml(typed)) : row.kind.fromText(typed);
  const value = found === null ? undefined : (found as TomlValue | undefined);
  if (value === undefined) return { wrong: `must be ${row.kind.expected}` };
  const { known } = row.kind;
  const unknown = known === undefined ? undefined : (value as readonly string[]).find((name) => !known.includes(name));
  return unknown === undefined ? { value } : { wrong: `knows no "${unknown}"; there are ${known?.join(', ')}` };
}

async function fromToml(text: string): Promise<unknown> {
  try {
    const table = await parseToml(`value = ${text}`, 'typed');
    return Object.keys(table).length === 1 && !isTable(table['value']) ? table['value'] : undefined;
  } catch {
    return undefined;
  }
}
