/** Commands so plain that every shell we know reads them alike: words and quotes, nothing else. The only ones that a rule can cover. */

/** Text without meaning to a shell. */
const BARE = String.raw`[\p{L}\p{N}_@%+=:,./-]+`;
/** No backslash (fish reads one in single quotes), no `!` (history), nothing that expands. */
const IN_QUOTES = String.raw`'[^'\\!\x00-\x1f\x7f]*'|"[^"$\x60\\!\x00-\x1f\x7f]*"`;
const WORD = new RegExp(`(?:${BARE}|${IN_QUOTES})+`, 'uy');
const PIECE = new RegExp(`${BARE}|${IN_QUOTES}`, 'gu');
/** A program that can be named: no assignment, no option, no expansion of zsh (`=ls`). */
const PROGRAM = /^[\p{L}\p{N}_./][\p{L}\p{N}_@%+:,./-]*$/u;
/** Nobody reads longer ones word by word. */
const LONGEST = 2000;

/** The words of one plain command; null for everything else: chains, redirections, expansions, wildcards, assignments, several lines. */
export function plainWords(command: string): readonly string[] | null {
  const text = command.replace(/^ +| +$|\n$/g, '');
  if (text.length > LONGEST) return null;
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word === undefined) return null;
    // zsh reads `=ls` as the path of ls, and two quotes as one where it is told to.
    if (word.startsWith('=') || /''|""/.test(word)) return null;
    words.push(word.replace(PIECE, (piece) => (/^['"]/.test(piece) ? piece.slice(1, -1) : piece)));
    at += word.length;
    if (at < text.length && text[at] !== ' ') return null;
    while (text[at] === ' ') at++;
  }
  // What is quoted is no alias, and it is not what people write.
  return PROGRAM.test(words[0] ?? '') && text.startsWith(words[0] ?? '') ? words : null;
}
