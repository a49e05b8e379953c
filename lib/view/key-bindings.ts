/** Keys of the user's own: what they wrote, checked against the table of keys. */

import { nearest } from '../base/nearest.js';
import { bindingKey, keyLabel, keymap, keysOf } from './keymap.js';
import type { KeyBindings } from './state.js';

/** One entry as somebody wrote it. */
export interface BindingEntry {
  /** An action (`zoom`), or one of its contexts only (`pane/zoom`). */
  readonly action: string;
  /** Keys as people write them: `ctrl+o`, `alt+enter`, `C-x C-e`. None: the action has no key. */
  readonly keys: readonly string[];
  /** Where it stands: `file:line: keys.zoom`. */
  readonly where: string;
}

/** The bindings that can be used, and a sentence for each one that cannot or that hides another. */
export interface CheckedBindings {
  readonly bindings: KeyBindings;
  readonly problems: readonly string[];
}

const modifiers: Readonly<Record<string, string>> = {
  c: 'C',
  ctrl: 'C',
  control: 'C',
  m: 'M',
  a: 'M',
  alt: 'M',
  meta: 'M',
  option: 'M',
  s: 'S',
  shift: 'S',
};
const names: Readonly<Record<string, string>> = {
  return: 'enter',
  esc: 'escape',
  bs: 'backspace',
  del: 'delete',
  ins: 'insert',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
};
const NAMED = /^(?:enter|tab|escape|space|backspace|delete|insert|up|down|left|right|home|end|pageup|pagedown|f(?:[1-9]|1[0-2]))$/;

/** The canonical name of one written key, or null when it is none. */
export function parseKey(written: string): string | null {
  const parts = written.trim().split(/[+-](?=.)/);
  const last = parts.pop() ?? '';
  const chain = new Set<string>();
  for (const part of parts) {
    const modifier = modifiers[part.toLowerCase()];
    if (modifier === undefined) return null;
    chain.add(modifier);
  }
  const lower = last.toLowerCase();
  const name = names[lower] ?? (NAMED.test(lower) ? lower : Array.from(last).length === 1 ? last : null);
  if (name === null || /[\s\x00-\x1f\x7f]/.test(name)) return null;
  return canonical(name, chain);
}

/** Terminals send no shift with a letter, they send the capital; with Ctrl there are no capitals. */
function canonical(name: string, chain: ReadonlySet<string>): string {
  const isLetter = /^\p{L}$/u.test(name);
  const base = !isLetter ? name : chain.has('C') ? name.toLowerCase() : chain.has('S') ? name.toUpperCase() : name;
  const kept = ['C', 'M', 'S'].filter((modifier) => chain.has(modifier) && !(modifier === 'S' && isLetter));
  return [...kept, base].join('-');
}

/** The same for keys that are pressed one after the other (`ctrl+x ctrl+e`). */
function parseChord(written: string): string | null {
  const keys = written.trim().split(/\s+/).map(parseKey);
  return keys.length === 0 || keys.length > 3 || keys.includes(null) ? null : keys.join(' ');
}

/** Without these there would be no way back. */
const NEEDED: readonly string[] = ['takeover.end'];

/** Checks entries in their order; later ones win over earlier ones of the same action. */
export function checkBindings(entries: readonly BindingEntry[]): CheckedBindings {
  const bindings = new Map<string, readonly string[]>();
  const from = new Map<string, string>();
  const problems: string[] = [];
  for (const { action, keys, where } of entries) {
    const rows = keymap.filter((row) => row.id === action || bindingKey(row) === action);
    if (rows.length === 0) {
      const near = nearest(action, [...new Set(keymap.map((row) => row.id))]);
      problems.push(`${where} names no action${near === null ? '; "buddy-tui keys --list" prints them all' : `; did you mean "${near}"?`}`);
      continue;
    }
    const parsed = keys.map((key) => ({ key, name: parseChord(key) }));
    const bad = parsed.find(({ name }) => name === null);
    if (bad !== undefined) {
      problems.push(`${where}: "${bad.key}" is no key; write for example "ctrl+o", "alt+enter", "f5" or "ctrl+x ctrl+e"`);
      continue;
    }
    if (parsed.length === 0 && NEEDED.includes(rows[0]?.id ?? '')) {
      problems.push(`${where} must keep a key: without one there is no way back`);
      continue;
    }
    for (const row of rows) {
      bindings.set(
        bindingKey(row),
        parsed.flatMap(({ name }) => (name === null ? [] : [name])),
      );
      from.set(bindingKey(row), where);
    }
  }
  return { bindings, problems: [...problems, ...conflicts(bindings, from)] };
}

/** A key with two meanings in one context, where the user's own binding is one of them. */
function conflicts(bindings: KeyBindings, from: ReadonlyMap<string, string>): readonly string[] {
  // Comparing each key with each is work of the first picture, which a start without keys of one's own need not do.
  if (from.size === 0) return [];
  const found: string[] = [];
  for (const [at, row] of keymap.entries()) {
    for (const key of keysOf(bindings, row)) {
      const other = keymap.slice(at + 1).find((later) => later.context === row.context && keysOf(bindings, later).includes(key));
      if (other === undefined || row.when !== undefined || other.when !== undefined) continue;
      const where = from.get(bindingKey(other)) ?? from.get(bindingKey(row));
      if (where !== undefined) found.push(`${where}: ${keyLabel(key)} already means "${row.id}" there, which wins over "${other.id}"`);
    }
  }
  return found;
}
