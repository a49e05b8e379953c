/** One word of a command, as far as it can be known before the shell has read it. */

import type { Assignment, Word, WordPart } from 'unbash';

/** What a program would be given. */
export interface Argument {
  /** Quotes taken away and escapes read; wildcards as they are, the home folder as `~`, other variables left out. */
  readonly text: string;
  /** `text` is all of it. */
  readonly known: boolean;
  /** Something was left out of `text`; not so for a wildcard, of which it only is unknown what it will match. */
  readonly hasGaps: boolean;
  /** Not all is known, but whatever it becomes, it is one word and ends in `text` after its last slash. */
  readonly endsKnown: boolean;
  /** The output of a command is part of it. */
  readonly computed: boolean;
  /** Text that is quoted from this shell and would be code to the next one that reads it. */
  readonly holdsCode: boolean;
}

/** What bash would run, if it came to read this text once more. */
const CODE = /\$\(|`|\$\{/;

const HOME = /^\$(?:HOME|\{HOME\})$/;

/** An argument that is wholly known. */
export function known(text: string): Argument {
  return { text, known: true, hasGaps: false, endsKnown: true, computed: false, holdsCode: CODE.test(text) };
}

/** An argument of which nothing is known. */
export const unknown: Argument = { text: '', known: false, hasGaps: true, endsKnown: false, computed: false, holdsCode: false };

/** What a word of the source is to the program that gets it. */
export function argumentOf(word: Word): Argument {
  if (word.parts === undefined) return known(word.value);
  const gathered: Gathered = { text: '', known: true, gaps: false, whole: true, computed: false, code: false };
  for (const part of word.parts) gather(part, gathered, false);
  const { text, code, computed } = gathered;
  return {
    text,
    known: gathered.known,
    hasGaps: gathered.gaps,
    endsKnown: gathered.whole && text.includes('/'),
    computed,
    holdsCode: code,
  };
}

/** `NAME=value` behind a builtin that declares. */
export function argumentOfAssignment(assignment: Assignment): Argument {
  const { value } = assignment;
  if (value.type === 'ArrayValue') return { ...unknown, text: `${assignment.name}=` };
  const argument = argumentOf(value);
  return { ...argument, text: `${assignment.name}=${argument.text}` };
}

interface Gathered {
  text: string;
  known: boolean;
  gaps: boolean;
  /** Nothing unknown stands outside quotes, or behind a slash. */
  whole: boolean;
  computed: boolean;
  code: boolean;
}

function gather(part: WordPart, into: Gathered, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      into.text += part.value;
      into.code ||= CODE.test(part.value);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) gather(child, into, true);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      into.computed = true;
      into.gaps = true;
      break;
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      into.text += part.text;
      break;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      if (HOME.test(part.text)) into.text += '~';
      else into.gaps = true;
      break;
    case 'ArithmeticExpansion':
      into.gaps = true;
      break;
  }
  into.known = false;
  into.whole &&= quoted && !into.text.includes('/');
}
