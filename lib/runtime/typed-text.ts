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

/** The same lines, in which keys that spell a secret are all one key. What lies between them stays where it is. */
export function withoutTypedSecrets<Line extends { readonly kind: string }>(lines: readonly Line[], redact: Redactor): readonly Line[] {
  const run = lines.map((line) => typedBy(line) ?? '').join('');
  const kept = redact(run);
  if (kept === run) return lines;
  let from = 0;
  while (from < kept.length && run[from] === kept[from]) from += 1;
  let after = 0;
  while (after < Math.min(run.length, kept.length) - from && run.at(-1 - after) === kept.at(-1 - after)) after += 1;
  let at = 0;
  return lines.map((line) => {
    const text = typedBy(line) ?? '';
    const start = at;
    at += text.length;
    if (text === '' || at <= from || start >= run.length - after) return line;
    return { ...line, input: { type: 'key', key: MASKED, text: MASKED } };
  });
}
