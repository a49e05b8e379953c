/** Programs that read a program: what they are given to run, as far as their arguments tell. */

import { posix } from 'node:path';
import { type Argument, known } from './argument.js';

/** Shells that read what bash reads, nearly. */
const SHELLS = /^-?(?:r?bash|sh|dash|ash|zsh|ksh(?:93)?|mksh|oksh|lksh|yash|posh|hush)(?:-\d[\d.]*)?$/;
/** Shells with a language of their own. */
const FOREIGN_SHELLS = /^-?(?:fish|csh|tcsh|nu|elvish|xonsh|pwsh|powershell|rc|es|osh|ysh)$/;
const INTERPRETERS =
  /^(?:python|pypy|ipython|perl|ruby|irb|jruby|node|nodejs|deno|bun|php|lua|luajit|tclsh|wish|expect|Rscript|R|ghci|runghc|guile|scala|groovy|julia|osascript|jshell|erl|elixir|iex|ocaml|sbcl|clisp|racket|raku|octave|gforth|jrunscript|jjs|ts-node|tsx)(?:[\d.]*)$/i;

export function isShell(name: string): boolean {
  return SHELLS.test(name);
}

/** A language that is not judged: neither a shell's like bash, nor known at all. */
export function isForeign(name: string): boolean {
  return FOREIGN_SHELLS.test(name) || INTERPRETERS.test(name);
}

/** What it runs: code in an argument, a file, what comes on its standard input, or nothing (`--version`). */
export type Program =
  | { readonly kind: 'code'; readonly code: Argument; readonly from: number }
  | { readonly kind: 'file'; readonly path: Argument }
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
    } else if (!/^[-+]/.test(arg.text)) return isInput(arg) ? { kind: 'input' } : { kind: 'file', path: arg };
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

/** The program of another interpreter; `-m module` counts as a file. */
export function programOf(name: string, args: readonly Argument[]): Program {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? known('');
    if (arg.text === '' && !arg.known) return { kind: 'unknown' };
    if (ABOUT.test(arg.text)) return { kind: 'none' };
    if (isInput(arg)) return { kind: 'input' };
    if (!arg.text.startsWith('-')) {
      if (/^(?:deno|bun)/.test(name) && /^(?:run|test|eval|x|repl|install|add)$/.test(arg.text)) {
        if (arg.text === 'eval' || arg.text === 'repl') return { kind: 'unknown' };
        continue;
      }
      return arg.known || arg.endsKnown ? { kind: 'file', path: arg } : { kind: 'unknown' };
    }
    if (arg.text === '-m' && /^(?:python|pypy)/i.test(name)) return { kind: 'file', path: args[at + 1] ?? known('') };
    if (CODE.test(arg.text) && (!VALUES.has(arg.text) || name === 'php'))
      return { kind: 'code', code: args[at + 1] ?? known(''), from: at + 1 };
    if (VALUES.has(arg.text)) at++;
    else if (/^-[ceEr]./.test(arg.text) || /^--(?:eval|exec|print)=/.test(arg.text)) return { kind: 'code', code: arg, from: at };
  }
  return { kind: 'input' };
}

/** Names of the standard input, or of what another command prints. */
function isInput({ text, known: isKnown }: Argument): boolean {
  return text === '-' || /^\/(?:dev\/(?:stdin|fd\/|tty)|proc\/[^/]+\/fd\/)/.test(posix.normalize(text)) || (text === '' && !isKnown);
}

/** Does code of another language start programs, read code or hide what it does? Asked of text, and generous. */
export function startsPrograms(code: string): boolean {
  return /system|exec|popen|spawn|subprocess|child_process|fork|eval|compile|import_module|__import__|getattr|base64|b64|fromhex|unhex|fromCharCode|chr\(|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|pack\(|os\.|shutil|unlink|rmtree|rmSync|File\.|Deno\.|`|%x|\bqx\b|socket|urllib|requests|http|fetch|ctypes|pty|open\s{0,9}\(|write|__/i.test(
    code,
  );
}
