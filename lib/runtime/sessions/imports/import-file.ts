/** A file that is to be imported: read with limits, and as JSON that nothing in here falls over. Refusals name the file and the line. */

import { BuddyError } from '../../../base/errors.js';
import { closeSync, fileTrouble, openRegular, readPart } from '../../../base/files.js';

/** Nobody's conversation is larger (bytes); pictures are left out, but come in it. */
const LARGEST = 256 * 1024 * 1024;
/** Nothing of theirs is nested deeper; what is would break whoever walks through it. */
const DEEPEST = 64;

/** An object of a JSON file, as far as it is known to be one. */
export type Fields = Readonly<Record<string, unknown>>;

/** The error that says why a file is not imported; `line` counts from 1, 0 is the whole file. */
export function refused(path: string, line: number, reason: string): BuddyError {
  return new BuddyError('session.import', `${path}${line === 0 ? '' : `, line ${line}`}: ${reason}; nothing was imported`);
}

/** All of the file. Throws `session.import`. */
export function importBytes(path: string): Buffer {
  let found: ReturnType<typeof openRegular>;
  try {
    found = openRegular(path);
  } catch (thrown) {
    throw refused(path, 0, fileTrouble(thrown));
  }
  try {
    if (found.size > LARGEST) throw refused(path, 0, `it is larger than ${LARGEST / 1024 / 1024} MB`);
    return readPart(found.descriptor, 0, found.size);
  } finally {
    closeSync(found.descriptor);
  }
}

/** The text as a JSON object that is nested no deeper than anybody writes; a word for what it is instead. */
export function objectOf(text: string): Fields | 'no JSON' | 'no object' | 'nested too deep' {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  if (!isObject(value)) return 'no object';
  return isDeeper(value, DEEPEST) ? 'nested too deep' : value;
}

/** True for an object with names. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text under that name; '' when there is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Walks no deeper than it has to. */
function isDeeper(value: unknown, room: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return room === 0 || Object.values(value).some((part) => isDeeper(part, room - 1));
}
