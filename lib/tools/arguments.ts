/** Checking what a model wrote as arguments: each fault becomes a sentence the model can act on. */

import { BuddyError } from '../base/errors.js';
import type { ModelClaim } from '../protocol/approvals.js';

/** Arguments as a plain object. Throws `tool.arguments` otherwise. */
export function asObject(args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Readonly<Record<string, unknown>>;
  throw fault('the arguments must be one JSON object');
}

/** The error that tells a model what is wrong with its arguments. */
export function fault(message: string): BuddyError {
  return new BuddyError('tool.arguments', message);
}

/** A required text. An empty one is a fault unless `allowEmpty`. */
export function text(args: Readonly<Record<string, unknown>>, name: string, allowEmpty = false): string {
  const value = args[name];
  if (typeof value !== 'string') throw fault(`"${name}" is required and must be a string`);
  if (!allowEmpty && value.trim() === '') throw fault(`"${name}" must not be empty`);
  return value;
}

/** A text that may be left out. */
export function optionalText(args: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = args[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw fault(`"${name}" must be a string`);
  return value;
}

/** A flag; `true` and `"true"` are true. Left out it is `otherwise`. */
export function flag(args: Readonly<Record<string, unknown>>, name: string, otherwise: boolean): boolean {
  const value = args[name];
  if (value === undefined || value === null) return otherwise;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw fault(`"${name}" must be true or false`);
}

/** A whole number from `least` to `most`; left out it is `otherwise`. */
export function count(args: Readonly<Record<string, unknown>>, name: string, least: number, most: number, otherwise: number): number {
  const value = args[name];
  if (value === undefined || value === null) return otherwise;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > most) {
    throw fault(`"${name}" must be a whole number from ${least} to ${most}`);
  }
  return number;
}

/** Bytes of one piece of something long when the model asks for no other size (seed limit), and at most. */
const DEFAULT_PIECE = 8000;
const LARGEST_PIECE = 64_000;

/** Which piece of something long is wanted: `offset` and `limit` in bytes. */
export function piece(args: Readonly<Record<string, unknown>>): { readonly offset: number; readonly limit: number } {
  return {
    offset: count(args, 'offset', 0, Number.MAX_SAFE_INTEGER, 0),
    limit: count(args, 'limit', 1, LARGEST_PIECE, DEFAULT_PIECE),
  };
}

/** The JSON Schema of that. */
export const pieceSchema = {
  offset: { type: 'integer', description: 'Byte to begin at; 0 when left out.' },
  limit: { type: 'integer', description: `Bytes to read, at most ${LARGEST_PIECE}; ${DEFAULT_PIECE} when left out.` },
} as const;

/** The metadata that tools with effects require: risk, mutation, privesc, why. */
export function claim(args: Readonly<Record<string, unknown>>): ModelClaim {
  const risk = args['risk'];
  if (risk !== 'low' && risk !== 'medium' && risk !== 'high') throw fault('"risk" is required: low, medium or high');
  for (const name of ['mutation', 'privesc']) {
    if (args[name] === undefined) throw fault(`"${name}" is required: true or false`);
  }
  return { risk, mutation: flag(args, 'mutation', false), privesc: flag(args, 'privesc', false), why: text(args, 'why') };
}

/** The JSON Schema of that metadata. */
export const claimSchema = {
  risk: { type: 'string', enum: ['low', 'medium', 'high'], description: 'How much harm this could do.' },
  mutation: { type: 'boolean', description: 'True when it changes anything.' },
  privesc: { type: 'boolean', description: 'True when it gains rights (sudo, su).' },
  why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
} as const;

/** The names of that metadata, for `required`. */
export const claimNames = ['risk', 'mutation', 'privesc', 'why'] as const;
