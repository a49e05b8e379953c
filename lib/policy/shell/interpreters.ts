/** Programs that read a program: what they are given to run, as far as their arguments tell. */

import { type Argument, known } from './argument.js';
import { isInputName } from './program-files.js';

/** Shells that read what bash reads, nearly. */
const SHELLS = /^-?(?:r?bash|sh|dash|ash|zsh|ksh(?:93)?|mksh|oksh|lksh|yash|posh|hush)(?:-\d[\d.]*)?$/;
/** Shells with a language of their own. */
const FOREIGN_SHELLS = /^-?(?:fish|csh|tcsh|nu|elvish|xonsh|pwsh|powershell|rc|es|osh|ysh|sash|slsh|ksshell|runscript)$/;
const INTERPRETERS =
  /^(?:python|pypy|ipython|perl|ruby|irb|jruby|node|nodejs|deno|bun|php|lua|luajit|tclsh|wish|expect|Rscript|R|ghci|runghc|guile|scala|groovy|julia|osascript|jshell|erl|elixir|iex|ocaml|sbcl|clisp|racket|raku|octave|octave-cli|ghc|cling|gforth|jrunscript|jjs|ts-node|tsx)(?:[\d.]*)$/i;

export function isShell(name: string): boolean {
  return SHELLS.test(name);
}

/** A shell whose scripts are not read like bash's. */
export function isForeignShell(name: string): boolean {
  return FOREIGN_SHELLS.test(name);
}

/** What zsh reads in its own way: `=ls`, `*(e:…:)`, `${(e)x}`, `$=x`. */
const ONLY_ZSH = /(?:^|[\s;&|(])=[\w(]|[*?\])]\(|\$\{?[=~^]|\$\{\(/;

/** May zsh read that text in another way than bash? */
export function isOnlyZsh(text: string): boolean {
  return ONLY_ZSH.test(text);
}

/** A language that is not judged: neither a shell's like bash, nor known at all. */
export function isForeign(name: string): boolean {
  return FOREIGN_SHELLS.test(name) || INTERPRETERS.test(name);
}

/** What it runs: code in an argument, a file, what comes on its standard input, or nothing (`--version`). */
export type Program =
  | { readonly kind: 'code'; readonly code: Argument; readonly from: number }
  | { readonly kind: 'file'; readonly path: Argument }
  /** A module of the language: its name. */
  | { readonly kind: 'module'; readonly module: Argument; readonly from: number }
  | { readonly kind: 'input' }
  | { readonly kind: 'none' }
  /** Its arguments are only known when it runs. */
  | { readonly kind: 'unknown' };

/** Options of shells that take the next word. */
const SHELL_VALUES = new Set(['--rcfile', '--init-file', '-o', '+o', '-O', '+O']);

/** The program of a shell that reads like bash. */
export function programOfShell(args: readonly Argument[]): Program {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? known('');
    if (!arg.known && !(arg.endsKnown && !arg.text.startsWith('-'))) return { kind: 'unknown' };
    if (/^--?(?:version|help)$/.test(arg.text)) return { kind: 'none' };
    if (/^-[a-zA-Z]*c/.test(arg.text)) return codeAfter(args, at + 1);
    if (/^-[a-zA-Z]*s/.test(arg.text) || arg.text === '-') return { kind: 'input' };
    if (SHELL_VALUES.has(arg.text)) {
      if (args[at + 1]?.known === false || /file$/.test(arg.text)) return { kind: 'unknown' };
      at++;
    } else if (!/^[-+]/.test(arg.text)) return isInputName(arg) ? { kind: 'input' } : { kind: 'file', path: arg };
  }
  return { kind: 'input' };
}

/** More options may stand between `-c` and its code. */
function codeAfter(args: readonly Argument[], from: number): Program {
  let at = from;
  while (/^[-+]/.test(args[at]?.text ?? '')) at++;
  const code = args[at];
  return code === undefined ? { kind: 'none' } : { kind: 'code', code, from: at };
}

/** Options of interpreters whose value is code. */
const CODE = /^-(?:[a-zA-Z]*[ceEr]|-eval|-exec|-print|p|pe|ne|nle|lne|lpe|BEGIN)$/;
const ABOUT = /^(?:-V|-v|--version|-h|--help|-\?|--help-all)$/;
/** Options that take the next word and are neither code nor a file to run. */
const VALUES = new Set(['-W', '-X', '-I', '-r', '--require', '--import', '--loader', '-S', '--inspect-port', '-C', '--conditions']);

const PYTHON = /^(?:python|pypy)/i;

/** The program of another interpreter. */
export function programOf(name: string, args: readonly Argument[]): Program {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? known('');
    if (arg.text === '' && !arg.known) return { kind: 'unknown' };
    if (ABOUT.test(arg.text)) return { kind: 'none' };
    if (isInputName(arg)) return { kind: 'input' };
    if (!arg.text.startsWith('-')) {
      if (/^(?:deno|bun)/.test(name) && /^(?:run|test|eval|x|repl|install|add)$/.test(arg.text)) {
        if (arg.text === 'eval' || arg.text === 'repl') return { kind: 'unknown' };
        continue;
      }
      return arg.known || arg.endsKnown ? { kind: 'file', path: arg } : { kind: 'unknown' };
    }
    if (arg.text === '-m' && PYTHON.test(name)) return { kind: 'module', module: args[at + 1] ?? known(''), from: at + 1 };
    if (CODE.test(arg.text) && (!VALUES.has(arg.text) || name === 'php'))
      return { kind: 'code', code: args[at + 1] ?? known(''), from: at + 1 };
    if (VALUES.has(arg.text)) at++;
    else if (/^-[ceEr]./.test(arg.text) || /^--(?:eval|exec|print)=/.test(arg.text)) return { kind: 'code', code: arg, from: at };
  }
  return { kind: 'input' };
}

/** Modules of Python that run the code, or the file, that they are given. */
const RUNNING_MODULES = /^(?:timeit|pdb|trace|c?profile|runpy|doctest)$/i;

/** What of its arguments a module of Python runs. */
export function runByModule(module: string, args: readonly Argument[]): readonly Argument[] {
  return RUNNING_MODULES.test(module) ? args : [];
}

/** The files that such a name could be: `json` is json.py, `A::B` is B.pm. */
export function filesOfModule(module: string): readonly Argument[] {
  const name = module.split(/::|\.(?=\w+$)/).at(-1) ?? '';
  return [module, ...['py', 'pm', 'js', 'mjs', 'cjs', 'rb', 'lua'].map((ending) => `${name}.${ending}`), '__main__.py', '__init__.py'].map(
    known,
  );
}

/** Options that have an interpreter load more code: `perl -MModule`, `ruby -r file`, `node --import file`, `lua -l module`. */
const LOADS: readonly (readonly [interpreters: RegExp, option: RegExp])[] = [
  [/^perl/i, /^-[Mm]/],
  [/^j?ruby/i, /^-r/],
  [/^(?:node|nodejs|bun|deno|ts-node|tsx)/, /^(?:-r|--(?:require|import|loader|experimental-loader|preload))/],
  [/^lua/, /^-l/],
  [/^php/, /^(?:-d|-z)/],
];

/** What else it is told to load, by a name, a path or an address. */
export function loadedBy(name: string, args: readonly Argument[]): readonly Argument[] {
  const option = LOADS.find(([interpreters]) => interpreters.test(name))?.[1];
  if (option === undefined) return [];
  return args.flatMap((arg, at) => {
    const found = option.exec(arg.text)?.[0];
    if (found === undefined) return [];
    const attached = arg.text.slice(found.length).replace(/^=|^auto_(?:pre|ap)pend_file=/, '');
    return attached === '' ? [args[at + 1] ?? known('')] : [{ ...arg, text: attached }];
  });
}

/** Is that no name or path of something to load, but code itself? */
export function isCode(text: string): boolean {
  return /^data:|[;(\s]/.test(text);
}

/** What code loads by name: `import a`, `from a import b`, `require("./a")`, `do "a.pl"`, `source a`. */
const LOADED_IN_CODE = /\b(?:import|from|require|use|do|load|source|dofile|include|require_relative)\b[\s("']{1,9}([\w./:-]{1,200})/g;

/** The files that code of another language could load. */
export function loadedInCode(code: string): readonly Argument[] {
  return [...code.matchAll(LOADED_IN_CODE)].flatMap(([, name = '']) => filesOfModule(name));
}

/** What a folder is run by, and what a name without an ending may stand for. */
export function filesOfProgram(path: Argument): readonly Argument[] {
  return /\.\w+$/.test(path.text) ? [path] : [path, ...['__main__.py', 'index.js', 'package.json'].map(known)];
}

/** Does code of another language start programs, read code or hide what it does? Asked of text, and generous. */
export function startsPrograms(code: string): boolean {
  return /system|exec|popen|spawn|subprocess|child_process|fork|eval|compile|import_module|__import__|getattr|base64|b64|fromhex|unhex|fromCharCode|chr\(|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|pack\(|os\.|shutil|unlink|rmtree|rmSync|File\.|Deno\.|`|%x|\bqx\b|socket|urllib|requests|http|fetch|ctypes|pty|\bopen\b|write|__/i.test(
    code,
  );
}
