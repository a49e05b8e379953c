/** A line of a client, checked to its last field: it is a request of ours, or one sentence says what is wrong with it. Pure; never throws. */

import { isTooDeep } from '../base/json-depth.js';
import { nearest } from '../base/nearest.js';
import { commandRows } from './command-rows.js';
import { fieldsProblem, isObject } from './field-kinds.js';
import type { RequestId, WireProblem, WireRequest } from './wire.js';

/** What a line asks for, or why it asks for nothing; the id and the command as far as they could be read. */
export type CheckedLine = {
  readonly id: RequestId | null;
  readonly command: WireRequest['type'] | null;
} & ({ readonly request: WireRequest } | { readonly problem: WireProblem });

/** Characters of an id that is a text. */
const MOST_ID = 200;

/** Is there nothing in it but blanks? Such a line is passed over. */
export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** Judges one line. */
export function checkLine(line: string): CheckedLine {
  if (isTooDeep(line)) return bad(null, 'the line is nested too deep');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad(null, 'the line is no JSON');
  }
  if (!isObject(value)) return bad(null, 'the line is no JSON object');
  const { id = null, type } = value;
  if (!(id === null || isId(id)))
    return wrong(null, null, { field: 'id', message: `id must be a text of at most ${MOST_ID} characters, or a whole number` });
  if (type === undefined) return wrong(id, null, { field: 'type', message: 'type is missing: the name of a command' });
  if (typeof type !== 'string') return wrong(id, null, { field: 'type', message: 'type must be a text: the name of a command' });
  if (!isCommand(type)) return { id, command: null, problem: { code: 'rpc.command', message: unknownWords(type) } };
  const { fields } = commandRows[type];
  const problem = fieldsProblem(value, fields, ['id', 'type']);
  if (problem !== null) return wrong(id, type, problem);
  // Each field was checked by the row that has its very type.
  const { id: _, ...request } = value;
  return { id, command: type, request: request as unknown as WireRequest };
}

function isId(id: unknown): id is RequestId {
  if (typeof id === 'string') return id.length <= MOST_ID && id.isWellFormed();
  return Number.isSafeInteger(id);
}

function isCommand(type: string): type is WireRequest['type'] {
  return Object.hasOwn(commandRows, type);
}

function bad(id: RequestId | null, message: string): CheckedLine {
  return { id, command: null, problem: { code: 'rpc.line', message } };
}

function wrong(
  id: RequestId | null,
  command: WireRequest['type'] | null,
  problem: { readonly field: string; readonly message: string },
): CheckedLine {
  return { id, command, problem: { code: 'rpc.field', ...problem } };
}

function unknownWords(type: string): string {
  const meant = type.length > 100 ? null : nearest(type, Object.keys(commandRows));
  return `there is no such command${meant === null ? '' : `; did you mean ${meant}?`}`;
}
