/** All that a key does, by the table of keys: context by context. */

import { contextTitles, type KeyContext, keyLabel, keymap, keysOf } from './keymap.js';
import type { KeyBindings } from './state.js';

/** One thing that a key does; `where` is '' when it holds in no one place. */
export interface KeyUse {
  readonly where: string;
  readonly says: string;
}

/** What `key` does in each context, in the order of help. `text` is what it types; with `vi` keys the draft has one context more. */
export function usesOf(bindings: KeyBindings, key: string, text: string, vi: boolean): readonly KeyUse[] {
  const contexts = (Object.keys(contextTitles) as KeyContext[]).filter((context) => vi || context !== 'vi');
  const found = contexts.flatMap((context) => {
    const where = contextTitles[context];
    const rows = keymap.filter((row) => row.context === context);
    const whole = rows.filter((row) => keysOf(bindings, row).includes(key)).map((row) => ({ where, says: row.says }));
    const begun = rows.flatMap((row) =>
      keysOf(bindings, row)
        .filter((keys) => keys.startsWith(`${key} `))
        .map((keys) => ({ where, says: `begins ${keyLabel(keys)}: ${row.says}` })),
    );
    const typed = context === 'editor' && text !== '' ? [{ where, says: 'types itself' }] : [];
    const passed = context === 'takeover' && whole.length === 0 ? [{ where, says: 'goes to the pane' }] : [];
    return [...whole, ...begun, ...typed, ...passed];
  });
  return found.length > 1 || text !== ''
    ? found
    : [...found, { where: '', says: 'no other meaning; [keys] in buddy.toml can give it one' }];
}

/** Every action with its keys, one line each, as `[keys]` names them. */
export function keyList(bindings: KeyBindings): readonly string[] {
  const lines = keymap.map((row) => {
    const keys = keysOf(bindings, row).map(keyLabel).join(', ');
    return [`${row.context}/${row.id}`, keys === '' ? '-' : keys, row.says] as const;
  });
  const wide = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, keys, says]) => `${name.padEnd(wide)}  ${keys.padEnd(24)}  ${says}`);
}
