/** Code with the looks of its language. It knows words, not grammars: a glance is all that a terminal needs. */

import type { Segment } from '../../base/style.js';
import type { Visible } from '../../base/visible.js';
import type { Theme, ThemeToken } from '../theme.js';
import { rulesFor, type SyntaxKind, syntaxKinds } from './languages.js';
import { type Line, textLines } from './lines.js';

const looks: Readonly<Record<SyntaxKind, ThemeToken>> = {
  comment: 'syntax_comment',
  string: 'syntax_string',
  number: 'syntax_number',
  keyword: 'syntax_keyword',
  name: 'syntax_name',
  added: 'diff_added',
  removed: 'diff_removed',
};

/** More than this is shown in one colour: nobody reads it for its looks. */
const LONGEST = 64_000;

/** The lines of `code`, which the author says is in the language `info`. */
export function codeLines(code: string, info: string, theme: Theme): readonly Line[] {
  const rules = code.length > LONGEST ? null : rulesFor(info);
  // Where words have looks of their own, the others are plain.
  const base = rules === null ? theme.styles.markdown_code_block : theme.styles.text;
  const lines = textLines(code, base, true);
  if (rules === null) return lines;
  // What is coloured is what is shown: `visible()` has made its marks already, tabs are blanks.
  const text = lines.map((line) => line.segments.map((part) => part.text).join('')).join('\n');
  const colored: Segment[][] = [[]];
  const push = (part: string, style: Segment['style']) => {
    for (const [i, piece] of part.split('\n').entries()) {
      if (i > 0) colored.push([]);
      if (piece !== '') colored[colored.length - 1]?.push({ text: piece as Visible, style });
    }
  };
  let at = 0;
  for (const match of text.matchAll(rules)) {
    const [word] = match;
    if (word === '') continue;
    const kind = syntaxKinds.find((candidate) => match.groups?.[candidate] !== undefined);
    push(text.slice(at, match.index), base);
    push(word, kind === undefined ? base : theme.styles[looks[kind]]);
    at = match.index + word.length;
  }
  push(text.slice(at), base);
  return colored.map((segments) => ({ segments, hard: true }));
}
