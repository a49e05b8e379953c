/** What can follow what is being typed: slash commands by name, then their arguments. */

import { joined } from './editor/text.js';
import type { State } from './state.js';

/** One choice of the list. */
export interface Completion {
  /** What the draft becomes. */
  readonly line: string;
  readonly label: string;
  readonly says: string;
  /** Nothing more need be typed: Enter runs it. */
  readonly whole: boolean;
}

/** Is that draft a slash command rather than a text that begins with a path? */
export function isSlash(draft: string): boolean {
  return /^\/[\w?-]*(\s|$)/.test(draft) && !draft.includes('\n');
}

/** The choices for the draft as it is; none when it is no slash command or Esc closed the list. */
export function completions(state: State): readonly Completion[] {
  if (state.editor.text.lines.length > 1 || !state.editor.text.lines[0]?.startsWith('/')) return [];
  const draft = joined(state.editor.text);
  if (!isSlash(draft) || state.completion.dismissed === draft || state.approvals.length > 0) return [];
  return state.layouts.remember('completions', [draft, state.commands, state.tasks, state.profiles], () => find(state, draft));
}

function find(state: State, draft: string): readonly Completion[] {
  const [, word = '', rest = null] = /^\/(\S*)(?:\s+(.*))?$/.exec(draft) ?? [];
  const hasBlank = /\s/.test(draft);
  if (!hasBlank) {
    return state.commands
      .filter((command) => [command.name, ...command.aliases].some((name) => name.startsWith(word)))
      .map((command) => ({
        line: `/${command.name}${command.args === '' ? '' : ' '}`,
        label: `/${command.name}${command.args === '' ? '' : ` ${command.args}`}`,
        says: command.says,
        whole: !command.args.includes('<'),
      }));
  }
  const command = state.commands.find((known) => known.name === word || known.aliases.includes(word));
  const typed = rest ?? '';
  const choices = command?.complete?.(typed, state) ?? [];
  return choices
    .filter((choice) => choice.value.startsWith(typed) && choice.value !== typed)
    .map((choice) => ({ line: `/${word} ${choice.value}`, label: choice.value, says: choice.says, whole: true }));
}
