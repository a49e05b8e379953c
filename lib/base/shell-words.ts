/** A command line that a program of ours made, as the words that a POSIX shell would make of it. Nothing is expanded. */

const WORD = /(?:'[^']*'|\\.|[^\s'\\])+/gs;

/** Words between blanks; single quotes and backslashes keep what they hold. */
export function shellWords(line: string): readonly string[] {
  const words = line.match(WORD) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(.)/gs, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''));
}
