/** A command line that a program of ours made, as the words that a POSIX shell would make of it. Nothing is expanded. */

const WORD = /(?:'[^']*'|\\.|[^\s'\\])+/gs;

/** Words between blanks; single quotes and backslashes keep what they hold. */
export function shellWords(line: string): readonly string[] {
  const words = line.match(WORD) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(.)/gs, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''));
}

/** A character behind a backslash, something between quotes, or characters that mean nothing; a quote without an end goes on to the end. */
const TYPED_PIECE = /\\(.)|'([^']*)(?:'|$)|"((?:\\.|[^"\\])*)(?:"|$)|([^\s'"\\]+|\\$)/gsy;

/** What a person typed behind a command, as the words that bash would make of it. Nothing is expanded, and nothing is wrong. */
export function typedWords(line: string): readonly string[] {
  const words: string[] = [];
  const at = line.matchAll(/(?:\\.|'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$)|[^\s'"\\]|\\$|"(?:\\.|[^"\\])*\\$)+/gs);
  for (const [word] of at) {
    words.push(
      word.replace(TYPED_PIECE, (_, escaped?: string, single?: string, double?: string, plain?: string) => {
        if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
        return escaped ?? single ?? plain ?? '';
      }),
    );
  }
  return words;
}
