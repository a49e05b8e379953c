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
  readonly pattern: RegExp;
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

/** The rules in the text of a .gitignore file. A line that cannot be understood is no rule. */
export function parseIgnore(content: string): readonly Rule[] {
  return content.split(/\r?\n/).flatMap((line) => ruleOf(line));
}

function ruleOf(written: string): readonly Rule[] {
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
    return [{ pattern: new RegExp(`^${anchored ? '' : '(?:.*/)?'}${glob(line)}$`, 'u'), negated, folderOnly }];
  } catch {
    return [];
  }
}

function glob(pattern: string): string {
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const special = wild(rest, at === 0 || pattern.charAt(at - 1) === '/');
    source += special?.source ?? quote(rest.charAt(0));
    at += special?.length ?? 1;
  }
  return source;
}

/** What stands for other characters at the start of `rest`; null: nothing does. */
function wild(rest: string, atPartStart: boolean): { readonly source: string; readonly length: number } | null {
  if (atPartStart && rest.startsWith('**/')) return { source: '(?:.*/)?', length: 3 };
  if (atPartStart && rest === '**') return { source: '.*', length: 2 };
  if (rest.startsWith('*')) return { source: '[^/]*', length: /^\*+/.exec(rest)?.[0].length ?? 1 };
  if (rest.startsWith('?')) return { source: '[^/]', length: 1 };
  if (rest.startsWith('\\') && rest.length > 1) return { source: quote(rest.charAt(1)), length: 2 };
  const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
  if (set === null) return null;
  const [whole, not = '', members = ''] = set;
  return { source: `[${not === '' ? '' : '^'}${members.replace(/[\\[\]^]/g, '\\$&')}]`, length: whole.length };
}

function quote(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}

/** Is `path` (relative to the root of the walk) left out? The nearest file and its last rule decide. */
export function isIgnored(files: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (let at = files.length - 1; at >= 0; at--) {
    const file = files[at];
    if (file === undefined || !path.startsWith(file.folder)) continue;
    const inside = file.below + path.slice(file.folder.length);
    const rule = file.rules.findLast((known) => (isFolder || !known.folderOnly) && known.pattern.test(inside));
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}
