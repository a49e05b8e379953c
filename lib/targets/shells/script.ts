/** The script that carries one command into a POSIX shell: marks around it, exit code kept, `$?` as it was. */

import { shellWord } from '../tmux/quoting.js';

export interface ScriptRequest {
  readonly command: string;
  /** Identifies the command in its marks; letters and digits. */
  readonly id: string;
  readonly nonce: string;
  /** Private folder of the pane; the status file lies there. */
  readonly folder: string;
  /** Screen rows that the typed line takes; they are erased. */
  readonly typedRows: number;
}

/** It reads the script file and runs it at top level (a plain `.` would change `return` and messages). */
export function posixTypedLine(folder: string): string {
  return ` __bd_p=$?;. ${folder}/s;\\eval "$__bd"`;
}

/** Behind ESC: no mouse (DEC private modes). A program that was killed leaves it on, and the wheel would type into the shell. */
export const mouseOff = '[?1000;1002;1003;1005;1006l';

/**
 * For printf, behind the mark of a command's end: what it left open is closed. Binary output may have begun a string (ESC P, ESC k, …)
 * in which tmux would swallow all that follows for seconds, or have chosen line drawing for letters.
 */
export const closeStrings = `\\033\\\\\\033(B\\033${mouseOff}`;

/** How shells of the family differ. */
export interface ScriptWords {
  /** The builtin printf, whatever aliases and functions are called so. */
  readonly printf: string;
  /** Lines before the command. */
  readonly before: readonly string[];
  /** Turns a trace on again right before the command's own first word, `$?` kept. */
  readonly trace: string;
}

const words: ScriptWords = { printf: '\\command printf', before: [], trace: '__bd_trace;' };

/** Functions of the family's start-up files. */
export const posixFunctions = `__bd_st() { return "$1"; }
__bd_trace() { { set -x; case $- in *e*) ;; *) __bd_st "$__bd_p";; esac; } 2>/dev/null; }
`;

/**
 * The script file: it only assigns. Once begun it empties itself, so that the typed line runs nothing a second time. The inner `eval`
 * keeps open quotes and here-documents inside (an error at once, no hang). The status file says `#ID` once it has begun and
 * `ID CODE` once it has ended.
 */
export function posixScript(request: ScriptRequest, { printf, before, trace }: ScriptWords = words): string {
  const { id, nonce, folder } = request;
  const key = `buddy=${nonce}`;
  const status = shellWord(`${folder}/status`);
  // Both groups hide what `set -x` would print about them (zsh prints it all the same); the last command of each sets `$?`.
  const lines = [
    '__bd=',
    '{',
    `__bd_id=${id}`,
    `: >|${shellWord(`${folder}/s`)}`,
    `${printf} '#%s\\n' ${id} >|${status}`,
    ...before,
    `case $- in *x*) set +x; __bd_x=${shellWord(trace)};; *) __bd_x=;; esac`,
    `${printf} '${eraseRows(request.typedRows)}\\033[2m%s\\033[0m\\n\\033]133;C;${key};id=${id}\\007' ${shellWord(shownCommand(request.command))}`,
    'case $- in *e*) ;; *) __bd_st "$__bd_p";; esac',
    '} 2>/dev/null',
    `\\eval "$__bd_x"${shellWord(request.command)}`,
    // A simple command first: after a syntax error in `eval`, bash does not know `{` as a reserved word.
    '__bd_rc=$?',
    '{',
    'case $- in *x*) set +x; __bd_x=1;; *) __bd_x=;; esac',
    `${printf} '%s %s\\n' ${id} "$__bd_rc" >|${status}`,
    `__bd_w=$\{PWD-}`,
    'case $__bd_w in *[[:cntrl:]]*) __bd_w=;; esac',
    `${printf} '\\033]133;D;%s;${key};id=${id};cwd=%s\\007${closeStrings}' "$__bd_rc" "$__bd_w"`,
    'case $__bd_x in 1) set -x;; esac',
    'case $- in *e*) ;; *) __bd_st "$__bd_rc";; esac',
    '} 2>/dev/null',
  ];
  return `__bd=${shellWord(lines.join('\n'))}\n`;
}

/** For printf: the cursor goes to the first of so many rows, and everything from there is erased. */
export function eraseRows(rows: number): string {
  return `\\033[${rows}A\\r\\033[J`;
}

/** What stands in the pane in place of the typed line. */
export function shownCommand(command: string): string {
  const trimmed = command.trim();
  const end = trimmed.indexOf('\n');
  const first = (end < 0 ? trimmed : trimmed.slice(0, end)).replace(/[\x00-\x1f\x7f-\x9f]/g, ' ').toWellFormed();
  const shown = Array.from(first);
  return `❯ ${shown.length > 200 ? `${shown.slice(0, 200).join('')}…` : first}${end < 0 ? '' : ' …'}`;
}
