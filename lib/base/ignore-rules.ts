/** The rules of .gitignore files, as gitignore(5) has them. */

/** The rules of one file. */
export interface IgnoreRules {
  /** The folder that the file is in, relative to the root of the walk: '' or `src/lib/`; null: a folder above it, `below` leads down. */
  readonly folder: string;
  /** The way from the file's folder down to the root of the walk: '' or `packages/app/`. */
  readonly below: string;
  readonly rules: readonly Rule[];
}

interface Rule {
  /** Of the way, part by part. */
  readonly parts: readonly Part[];
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

/** `any`: as many parts of the way as there are, also none. */
type Part = 'any' | NamePattern;

type NamePattern = (name: string) => boolean;

/** No path is longer; a longer line is no rule, a longer pattern none. */
const LONGEST_LINE = 4096;

/** The rules in the text of a .gitignore file. A line that cannot be understood is no rule. */
export function parseIgnore(content: string): readonly Rule[] {
  return content.split(/\r?\n/).flatMap((line) => ruleOf(line));
}

/** More spellings in braces are no pattern that anybody means. */
const MOST_SPELLINGS = 100;

/**
 * What a glob pattern matches, in the words of gitignore(5) and with `{a,b}`: without a slash the name alone, with one the path from the
 * root. A `!` in front turns it around. Null when it is none.
 */
export function globMatcher(pattern: string): ((path: string, isFolder: boolean) => boolean) | null {
  if (pattern.length > LONGEST_LINE) return null;
  const isNegated = pattern.startsWith('!');
  const spellings = spelledOut(pattern.slice(isNegated ? 1 : 0).replace(/^\.\//, ''));
  if (spellings === null) return null;
  const rules = spellings.flatMap((spelling) => ruleOf(spelling.replace(/^[#!]/, '\\$&')));
  if (rules.length === 0) return null;
  const files = [{ folder: '', below: '', rules }];
  return (path, isFolder) => isIgnored(files, path, isFolder) !== isNegated;
}

/** A pattern with braces as those without that it stands for; null when they are too many. */
function spelledOut(pattern: string): readonly string[] | null {
  // The innermost group has no brace in it.
  const nested = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern);
  if (nested === null) return [pattern];
  const [, before = '', inside = '', after = ''] = nested;
  const all: string[] = [];
  for (const choice of inside.split(',')) {
    const further = spelledOut(`${before}${choice}${after}`);
    if (further === null || all.length + further.length > MOST_SPELLINGS) return null;
    all.push(...further);
  }
  return all;
}

function ruleOf(written: string): readonly Rule[] {
  if (written.length > LONGEST_LINE) return [];
  let line = written.replace(/(?<!\\) +$/, '');
  if (line === '' || line.startsWith('#')) return [];
  const negated = line.startsWith('!');
  if (negated) line = line.slice(1);
  const folderOnly = line.endsWith('/');
  if (folderOnly) line = line.slice(0, -1);
  const anchored = line.includes('/');
  line = line.replace(/^\//, '');
  if (line === '') return [];
  try {
    return [{ parts: [...(anchored ? [] : ['any' as const]), ...partsOf(line)], negated, folderOnly }];
  } catch {
    return [];
  }
}

/** `**` at the end stands for everything inside, not for the folder itself. Throws what RegExp throws. */
function partsOf(line: string): readonly Part[] {
  const names = line.split('/');
  return names.flatMap((name, at): readonly Part[] => {
    if (name !== '**') return [partOf(name)];
    return at === names.length - 1 ? ['any', () => true] : ['any'];
  });
}

/** A word, a word with one star in it (most are), or single characters with stars between them. */
function partOf(name: string): NamePattern {
  if (!/[*?[\\]/.test(name)) return (other) => other === name;
  const one = /^([^*?[\\]*)\*+([^*?[\\]*)$/.exec(name);
  if (one !== null) {
    const [, start = '', end = ''] = one;
    return (other) => other.length >= start.length + end.length && other.startsWith(start) && other.endsWith(end);
  }
  const tokens: ('star' | RegExp)[] = [];
  for (let rest = name; rest !== ''; ) {
    const { token, length } = tokenOf(rest);
    tokens.push(token);
    rest = rest.slice(length);
  }
  return (other) => fits<'star', RegExp, string>(tokens, Array.from(other), 'star', (token, character) => token.test(character));
}

/** What the start of `rest` stands for: one character, or any number of them. */
function tokenOf(rest: string): { readonly token: 'star' | RegExp; readonly length: number } {
  if (rest.startsWith('*')) return { token: 'star', length: /^\*+/.exec(rest)?.[0].length ?? 1 };
  if (rest.startsWith('?')) return { token: /^.$/su, length: 1 };
  const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
  if (set !== null) {
    const [whole, not = '', members = ''] = set;
    return { token: new RegExp(`^[${not === '' ? '' : '^'}${members.replace(/[\\[\]^]/g, '\\$&')}]$`, 'u'), length: whole.length };
  }
  const escaped = rest.startsWith('\\') && rest.length > 1;
  const [character = ''] = rest.slice(escaped ? 1 : 0);
  return { token: new RegExp(`^${character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}$`, 'u'), length: character.length + (escaped ? 1 : 0) };
}

/**
 * Does the whole of `input` fit `pattern`, in which `star` stands for any number of items? Only the last star is gone back to, so that the
 * work is at most the product of both lengths, whatever somebody has written.
 */
function fits<S, P, I>(pattern: readonly (S | P)[], input: readonly I[], star: S, one: (of: P, item: I) => boolean): boolean {
  let at = 0;
  let lastStar = -1;
  let taken = 0;
  for (let read = 0; read < input.length; ) {
    if (at < pattern.length && pattern[at] === star) {
      lastStar = at++;
      taken = read;
    } else if (at < pattern.length && one(pattern[at] as P, input[read] as I)) {
      at++;
      read++;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      read = ++taken;
    } else return false;
  }
  return pattern.slice(at).every((of) => of === star);
}

/** Is `path` (relative to the root of the walk) left out? The nearest file and its last rule decide. */
export function isIgnored(files: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (let at = files.length - 1; at >= 0; at--) {
    const file = files[at];
    if (file === undefined || !path.startsWith(file.folder)) continue;
    const inside = (file.below + path.slice(file.folder.length)).split('/');
    const rule = file.rules.findLast(
      (known) =>
        (isFolder || !known.folderOnly) && fits<'any', NamePattern, string>(known.parts, inside, 'any', (part, name) => part(name)),
    );
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}
