/** What a person types into the draft, as a trace holds it: key by key a secret would pass every filter, so that runs of keys are looked at whole. */

import type { Redactor } from '../policy/redaction.js';
import type { InputEvent } from '../protocol/input.js';

/** One line of a trace that is an input. */
interface InputLine {
  readonly kind: 'input';
  readonly input: InputEvent;
}

/** Stands for a character of a secret. */
const MASKED = '•';

/** The characters that a line of a trace types; '' for a key or a paste that types none by itself, null for what is no input. */
export function typedBy(line: { readonly kind: string }): string | null {
  if (line.kind !== 'input') return null;
  const { input } = line as InputLine;
  return input.type === 'key' ? input.text : '';
}

/** True for a key that takes back what was typed last. */
export function isErasing(line: { readonly kind: string }): boolean {
  if (line.kind !== 'input') return false;
  const { input } = line as InputLine;
  return input.type === 'key' && /^(?:backspace|S-backspace|C-h)$/.test(input.key);
}

/** What the keys of those lines spell: what was erased again is not in it. */
export function typedText(lines: readonly { readonly kind: string }[]): string {
  return spelled(lines, () => undefined);
}

/** The same lines, in which keys that spell a secret are all one key, also when it was erased again. What lies between them stays where it is. */
export function withoutTypedSecrets<Line extends { readonly kind: string }>(lines: readonly Line[], redact: Redactor): readonly Line[] {
  const secret = new Set<number>();
  spelled(lines, (text, keys) => {
    const kept = redact(text);
    if (kept === text) return;
    let from = 0;
    while (from < kept.length && text[from] === kept[from]) from += 1;
    let after = 0;
    while (after < Math.min(text.length, kept.length) - from && text.at(-1 - after) === kept.at(-1 - after)) after += 1;
    for (const { line, start, end } of keys) if (end > from && start < text.length - after) secret.add(line);
  });
  return lines.map((line, at) => (secret.has(at) ? { ...line, input: { type: 'key', key: MASKED, text: MASKED } } : line));
}

/** A key by the number of its line, and where in the text it stands, or stood. */
interface TypedKey {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The text at the end. `look` is shown it, with all keys so far, then and whenever something is about to be erased. */
function spelled(lines: readonly { readonly kind: string }[], look: (text: string, keys: readonly TypedKey[]) => void): string {
  const keys: TypedKey[] = [];
  const standing: TypedKey[] = [];
  let text = '';
  let isLooked = true;
  for (const [line, one] of lines.entries()) {
    if (isErasing(one)) {
      if (!isLooked) look(text, keys);
      isLooked = true;
      text = text.slice(0, standing.pop()?.start ?? 0);
      continue;
    }
    const typed = typedBy(one) ?? '';
    if (typed === '') continue;
    const key = { line, start: text.length, end: text.length + typed.length };
    keys.push(key);
    standing.push(key);
    text += typed;
    isLooked = false;
  }
  if (!isLooked) look(text, keys);
  return text;
}
