/** Keys to which extensions gave a meaning. */

import type { OfferedKey } from '../protocol/extensions.js';
import { parseKey } from './key-bindings.js';

/** By the names that the keyboard gives them; what is no key is left out. */
export function offeredKeys(keys: readonly OfferedKey[]): ReadonlyMap<string, OfferedKey> {
  const found = new Map<string, OfferedKey>();
  for (const key of keys) {
    const name = parseKey(key.key);
    if (name !== null && !found.has(name)) found.set(name, key);
  }
  return found;
}
