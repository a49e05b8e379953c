/** Keys to which extensions gave a meaning. */

import type { OfferedKey } from '../protocol/extensions.js';
import { parseKey } from './key-bindings.js';

/** Letters stay letters, and Enter stays Enter, wherever they are pressed. */
const SHORTCUT = /^(?:[CM]-.|(?:S-)?f\d)/u;

/** The name that the keyboard gives it; null for what is no key, and for one that types or moves. */
export function offeredKeyName(written: string): string | null {
  const name = parseKey(written);
  return name !== null && SHORTCUT.test(name) ? name : null;
}

/** By the names that the keyboard gives them; what is no key is left out. */
export function offeredKeys(keys: readonly OfferedKey[]): ReadonlyMap<string, OfferedKey> {
  const found = new Map<string, OfferedKey>();
  for (const key of keys) {
    const name = offeredKeyName(key.key);
    if (name !== null && !found.has(name)) found.set(name, key);
  }
  return found;
}
