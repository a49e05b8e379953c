/** Reading JSON from servers whose shape is only hoped for. */

import { parseUntrustedJson } from '../base/json-depth.js';

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

/** The value that `text` is JSON for; undefined for what is none, or is nested beyond reason. */
export function parseJson(text: string): unknown {
  try {
    return parseUntrustedJson(text);
  } catch {
    return undefined;
  }
}
