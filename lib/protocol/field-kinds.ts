/** What a field of a command may hold: checked when it comes from outside, and said in the manual. */

import { isBase64 } from '../base/base64.js';

/** What is wrong, and with which field. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A kind of value. `of` is for the compiler alone: exactly that type, neither more nor less. */
export interface Kind<T> {
  /** `a text`, `a whole number from 1 to 5000`. */
  readonly expects: string;
  check(value: unknown, field: string): FieldProblem | null;
  readonly of?: (value: T) => T;
}

/** A field: its kind, and what it says. */
export interface FieldRow<T, Optional extends boolean> {
  readonly kind: Kind<T>;
  readonly isOptional: Optional;
  readonly says: string;
}

/** A row for each field of an object, and the compiler sees to it. */
export type FieldRows<C> = {
  readonly [F in Exclude<keyof C, 'type'>]-?: FieldRow<Exclude<C[F], undefined>, Pick<C, F> extends Required<Pick<C, F>> ? false : true>;
};

/** Must be there. */
export function must<T>(kind: Kind<T>, says = ''): FieldRow<T, false> {
  return { kind, isOptional: false, says };
}

/** May be left out. */
export function may<T>(kind: Kind<T>, says = ''): FieldRow<T, true> {
  return { kind, isOptional: true, says };
}

/** `wants`: what is said to whoever gave another one, where that is not what is expected. */
function kind<T>(expects: string, is: (value: unknown) => boolean, wants = expects): Kind<T> {
  return { expects, check: (value, field) => (is(value) ? null : { field, message: `${field} must be ${wants}` }) };
}

/** Whole characters. NUL ends a text in too many places. */
export const text = kind<string>('a text', (value) => isText(value) && !value.includes('\0'), 'a text without NUL');

/** What a keyboard can send. */
export const keys = kind<string>('a text', isText);

/** `true` or `false`. */
export const flag = kind<boolean>('true or false', (value) => typeof value === 'boolean');

/** As tmux names them, or `direct`. */
export const paneId = kind<string>(
  'the id of a pane (%0, %1, …, or direct)',
  (value) => isText(value) && /^(%\d{1,9}|direct)$/.test(value),
);

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

/** A number, and a whole one, within bounds. */
export function number(least: number, most: number): Kind<number> {
  return kind(`a number from ${least} to ${most}`, (value) => typeof value === 'number' && value >= least && value <= most);
}

/** The same without a fraction. */
export function wholeNumber(least: number, most: number): Kind<number> {
  return kind(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  );
}

/** One of these words. */
export function word<const T extends string>(words: readonly T[]): Kind<T> {
  return kind(`one of ${words.join(', ')}`, (value) => words.some((known) => known === value));
}

/** That, or null. */
export function orNull<T>({ expects, check }: Kind<T>): Kind<T | null> {
  const either = `${expects}, or null`;
  return {
    expects: either,
    check(value, field) {
      const problem = value === null ? null : check(value, field);
      return problem?.field === field ? { field, message: `${field} must be ${either}` } : problem;
    },
  };
}

/** At most so many of them, in order. */
export function listOf<T>({ expects, check }: Kind<T>, most: number): Kind<readonly T[]> {
  return {
    expects: `a list of at most ${most}, each ${expects}`,
    check(value, field) {
      if (!Array.isArray(value) || value.length > most) return { field, message: `${field} must be a list of at most ${most}` };
      for (const [index, entry] of value.entries()) {
        const problem = check(entry, `${field}[${index}]`);
        if (problem !== null) return problem;
      }
      return null;
    },
  };
}

/** Bytes as RFC 4648 has them in base64, without line ends. */
export const base64 = kind<string>('bytes in base64', (value) => typeof value === 'string' && isBase64(value));

/** An object with these fields and no others. */
export function object<T>(rows: FieldRows<T>): Kind<T> {
  return {
    expects: `an object: ${fieldWords(rows)}`,
    check(value, field) {
      if (!isObject(value)) return { field, message: `${field} must be an object` };
      return fieldsProblem(value, rows, [], `${field}.`);
    },
  };
}

/** An object that is one of several, told apart by its `kind`. */
export function byKind<T extends { readonly kind: string }>(
  variants: { readonly [K in T['kind']]: FieldRows<Omit<Extract<T, { readonly kind: K }>, 'kind'>> },
): Kind<T> {
  const rows = variants as Readonly<Record<string, AnyRows>>;
  const words = Object.entries(rows).map(([name, fields]) => [`kind ${name}`, fieldWords(fields)].filter((part) => part !== '').join(', '));
  return {
    expects: `an object: ${words.join('; ')}`,
    check(value, field) {
      if (!isObject(value)) return { field, message: `${field} must be an object` };
      const name = value['kind'];
      const fields = typeof name === 'string' && Object.hasOwn(rows, name) ? rows[name] : undefined;
      if (fields === undefined) return { field: `${field}.kind`, message: `${field}.kind must be one of ${Object.keys(rows).join(', ')}` };
      return fieldsProblem(value, fields, ['kind'], `${field}.`);
    },
  };
}

/** Rows of any object. */
export type AnyRows = Readonly<
  Record<string, { readonly kind: Pick<Kind<unknown>, 'expects' | 'check'>; readonly isOptional: boolean; readonly says: string }>
>;

/** The first field that is not as its row says, that is missing, or that there is not; `known` are those that have no row. */
export function fieldsProblem(
  value: Readonly<Record<string, unknown>>,
  rows: AnyRows,
  known: readonly string[],
  path = '',
): FieldProblem | null {
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(rows, name) || known.includes(name)) continue;
    const field = `${path}${name.slice(0, 100).toWellFormed()}`;
    return { field, message: `there is no field ${field} here` };
  }
  for (const [name, row] of Object.entries(rows)) {
    const field = `${path}${name}`;
    if (Object.hasOwn(value, name)) {
      const problem = row.kind.check(value[name], field);
      if (problem !== null) return problem;
    } else if (!row.isOptional) return { field, message: `${field} is missing: ${row.kind.expects}` };
  }
  return null;
}

/** Is it an object, and no list? */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldWords(rows: AnyRows): string {
  return Object.entries(rows)
    .map(([name, row]) => `${name} (${row.kind.expects}${row.isOptional ? '; may be left out' : ''})`)
    .join(', ');
}
