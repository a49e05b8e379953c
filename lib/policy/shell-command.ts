/** First judgement of a shell command by its text alone: what is refused before anybody is asked. */

import { hiddenIn } from '../base/visible.js';
import { isInText } from './denied-text.js';

/** Commands nobody wants from an agent (seed constants); each is looked for as text, upper and lower case alike. */
export const defaultDenylist: readonly string[] = ['rm -rf /', 'mkfs', 'shutdown', 'reboot', 'dd if=', ':(){ :|:& };:'];

/** What would end or change the shared shell itself, at the start of a simple command. */
const ENDS_SHARED_SHELL =
  /^(?:set[ \t]+-[a-zA-Z]*e[a-zA-Z]*\b|set[ \t]+-o[ \t]+errexit\b|setopt[ \t]+(?:errexit|err_exit)\b|(?:exit|logout)(?![\w-])|exec[ \t]+(?![0-9]*[<>]))/;
/** Words that may stand before a simple command. */
const LEADING_WORDS = /^(?:(?:then|do|else|elif|if|while|until|and|or|not|begin|time|builtin|command|[{!])[ \t]+)+/;
/** tmux words that would change the panes behind the program's back. */
const CHANGES_PANES = /^[ \t]*tmux[ \t]+(?:new-session|new-window|split-window|kill-session|kill-server|kill-pane|kill-window)\b/m;

/**
 * Why `command` is refused, or null when it may be asked about. A denylist entry that names the root folder
 * (`rm -rf /`) only means the root folder itself, not every path below it.
 */
export function refusalOf(command: string, denylist: readonly string[]): string | null {
  const denied = denylist.find((entry) => isInText(entry, command));
  return unreadableRefusal(command) ?? (denied === undefined ? null : deniedBy(denied));
}

/** Why nobody is to be asked about such text at all, or null: there is none, or it holds what cannot be seen. */
export function unreadableRefusal(command: string): string | null {
  if (command.trim() === '') return 'the command is empty';
  const hidden = hiddenIn(command);
  return hidden === null ? null : `the command is refused because ${hidden}; write it without that character`;
}

/** The refusal of what an entry of the denylist forbids. */
export function deniedBy(entry: string): string {
  return `the command is refused: it holds "${entry}", which is on the denylist (tools.shell_denylist)`;
}

/** Why `command` must not be typed at the top level of a shell that others go on using, or null. */
export function sharedShellRefusal(command: string): string | null {
  const text = withoutHeredocs(command);
  if (CHANGES_PANES.test(text)) return 'panes and sessions of tmux are changed with the tmux tools, not from inside the shell';
  for (const simple of simpleCommands(text)) {
    const found = ENDS_SHARED_SHELL.exec(simple.replace(LEADING_WORDS, ''));
    if (found !== null) return endsShell(found[0].trim());
  }
  return null;
}

function endsShell(words: string): string {
  return `"${words}" would end or change the shared shell; run it in a subshell instead: ( ${words} … ) or bash -c '…'`;
}

/** The command without the bodies of its here-documents: `exit` in a file to be written is no exit. */
function withoutHeredocs(command: string): string {
  const kept: string[] = [];
  const lines = command.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    kept.push(line);
    // Not `<<<`. Without its end line it is no here-document but a shift, or text in quotes.
    const terminator = /(?<!<)<<(?!<)-?\s*\\?(['"]?)([\w.-]+)\1/.exec(line)?.[2];
    const end = terminator === undefined ? -1 : lines.findIndex((later, index) => index > at && later.replace(/^\t+/, '') === terminator);
    if (end > at) at = end;
  }
  return kept.join('\n');
}

/** The simple commands at the top level of a script: nothing in quotes, in comments or in a subshell is looked into. */
function simpleCommands(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  const cut = (at: number) => {
    if (depth === 0) found.push(text.slice(start, at).trim());
    start = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') at++;
    else if (character === "'" || character === '"' || character === '`') at = quoteEnd(text, at);
    else if (character === '#' && /(?:^|[\s;&|])$/.test(text.slice(Math.max(0, at - 1), at))) {
      cut(at);
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
      start = at;
    } else if (character === '(') {
      if (depth === 0) found.push(text.slice(start, at).trim());
      depth++;
    } else if (character === ')') {
      depth = Math.max(0, depth - 1);
      start = at + 1;
    } else if (';&|\n'.includes(character)) cut(at);
  }
  cut(text.length);
  return found;
}

/** The offset of the quote that ends what begins at `at`; the last offset when none does. */
function quoteEnd(text: string, at: number): number {
  const quote = text[at];
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\' && quote !== "'") end++;
    else if (text[end] === quote) return end;
  }
  return text.length - 1;
}
