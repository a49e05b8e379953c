/** What the value of a setting may be: read from TOML and from text, and said to people. */

import { type LimitName, limitRows } from '../protocol/limits.js';

/** What a value may be, told to people with `expected`. */
export interface SettingKind<T> {
  /** As in `expected a whole number of at least 1`. */
  readonly expected: string;
  /** The value when `raw` (from TOML) fits, else undefined. */
  fromToml(raw: unknown): T | undefined;
  /** The value when `text` (from the environment) fits, else undefined. */
  fromText(text: string): T | undefined;
  /** Of a list of names: those that mean something. Others are told and left out. */
  readonly known?: readonly string[];
  /** All that can be written, where that is a few words. */
  readonly words?: readonly string[];
}

/** Any text. */
export const text: SettingKind<string> = {
  expected: 'a string in quotes',
  fromToml: (raw) => (typeof raw === 'string' ? raw : undefined),
  fromText: (value) => value,
};

/** `true` or `false`; from the environment also 1, 0, yes, no, on, off. */
export const flag: SettingKind<boolean> = {
  expected: 'true or false',
  words: ['true', 'false'],
  fromToml: (raw) => (typeof raw === 'boolean' ? raw : undefined),
  fromText(value) {
    if (/^(1|true|yes|on)$/i.test(value)) return true;
    return /^(0|false|no|off)$/i.test(value) ? false : undefined;
  },
};

/** A list of strings; from the environment separated by commas. */
export const texts: SettingKind<readonly string[]> = {
  expected: 'a list of strings, such as ["one", "two"]',
  fromToml: (raw) => (Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw : undefined),
  fromText: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};

/** A list of some of these names. */
export function namesOf<T extends string>(known: readonly T[]): SettingKind<readonly T[]> {
  const only = (names: readonly string[] | undefined) => names as readonly T[] | undefined;
  return {
    expected: `a list of names, such as ["${known[0]}", "${known[1]}"]`,
    fromToml: (raw) => only(texts.fromToml(raw)),
    fromText: (value) => only(texts.fromText(value)),
    known,
  };
}

/** A whole number of at least `min` and at most `max`. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): SettingKind<number> {
  const inRange = (value: number) => (Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined);
  return {
    expected: max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
    fromToml: (raw) => (typeof raw === 'number' ? inRange(raw) : undefined),
    fromText: (value) => (/^\d+$/.test(value.trim()) ? inRange(Number(value)) : undefined),
  };
}

/** A number from `min` to `max`, or absent (null). */
export function optionalNumber(min: number, max: number): SettingKind<number | null> {
  const inRange = (value: number) => (value >= min && value <= max ? value : undefined);
  return {
    expected: `a number from ${min} to ${max}`,
    fromToml: (raw) => (typeof raw === 'number' ? inRange(raw) : undefined),
    fromText: (value) => (value.trim() === '' ? undefined : inRange(Number(value))),
  };
}

/** A number from `min` to `max`, or 0 for none. */
export function amount(min: number, max: number): SettingKind<number> {
  const inRange = (value: number) => (value === 0 || (value >= min && value <= max) ? value : undefined);
  return {
    expected: `0 for none, or a number from ${min} to ${max}`,
    fromToml: (raw) => (typeof raw === 'number' ? inRange(raw) : undefined),
    fromText: (value) => (/^\d+(?:\.\d+)?$/.test(value.trim()) ? inRange(Number(value)) : undefined),
  };
}

/** The kind that the table of limits gives. */
export function limit(name: LimitName): SettingKind<number> {
  const { least, most, mayBeNone } = limitRows[name];
  if (name === 'cost') return amount(least, most);
  const kind = integer(least, most);
  if (!mayBeNone) return kind;
  const orNone = (value: number) => (value === 0 ? 0 : undefined);
  return {
    expected: `0 for none, or ${kind.expected}`,
    fromToml: (raw) => kind.fromToml(raw) ?? (typeof raw === 'number' ? orNone(raw) : undefined),
    fromText: (value) => kind.fromText(value) ?? (value.trim() === '0' ? 0 : undefined),
  };
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): SettingKind<T> {
  const find = (value: string) => words.find((word) => word === value.toLowerCase());
  return {
    expected: `one of ${words.map((word) => `"${word}"`).join(', ')}`,
    fromToml: (raw) => (typeof raw === 'string' ? find(raw) : undefined),
    fromText: find,
    words,
  };
}
