/** JSON for logs and pipes that a terminal may be shown as it is. */

/** DEL, C1, format and bidi characters, line separators, private use: JSON leaves them raw, terminals obey or hide them. */
const HIDDEN = /[\x7f-\x9f\u115f\u1160\u3164\uffa0\u2800\p{Cf}\p{Zl}\p{Zp}\p{Co}\u{e0000}-\u{e0fff}]/gu;

/**
 * `value` as one line of JSON in which nothing is hidden: such characters are written as \uXXXX, which means the same.
 * `change` is applied to every text in it first.
 */
export function jsonLine(value: unknown, change: (text: string) => string = (text) => text): string {
  const whole = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? change(part) : part));
  return whole.replace(HIDDEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
