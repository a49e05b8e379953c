/** Reading JSON from servers whose shape is only hoped for. */

import { isTooDeep } from '../base/json-depth.js';

/** A JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/** `value` when it is an object (no list), else null. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** `value` when it is a list, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` when it is a string, else ''. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `value` when it is a finite number, else null. */
export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The value that `text` is JSON for, or undefined; also when it is nested too deep to be sent or written again. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
