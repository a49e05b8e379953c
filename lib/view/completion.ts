/** What can follow what is being typed: slash commands by name, their arguments, and files behind `@`. */

import { type MentionChoice, mentionOf } from '../protocol/mentions.js';
import { type Cursor, type EditorText, joined, lineAt } from './editor/text.js';
import { isCommanding } from './editor/vi/machine.js';
import { FileSearch } from './file-search.js';
import { knownCommands } from './known-commands.js';
import type { State } from './state.js';

/** One choice of the list. */
export interface Completion {
  /** What it puts in place of what stands between the two. */
  readonly from: Cursor;
  readonly to: Cursor;
  readonly text: string;
  readonly label: string;
  readonly says: string;
  /** Offsets in the label of the characters that were typed. */
  readonly marks?: readonly number[];
  /** Nothing more need be typed: Enter runs it. */
  readonly whole: boolean;
}

/** Files that the list holds at most; typing more finds the others. */
export const MOST_FILES = 200;

/** Is that draft a slash command rather than a text that begins with a path? */
export function isSlash(draft: string): boolean {
  return /^\/[\w?:-]*(\s|$)/.test(draft) && !draft.includes('\n');
}

/** What stands between an `@` and the cursor, and where the `@` stands; null when the cursor is behind none. */
export function fileQuery({ lines, cursor }: EditorText): { readonly from: Cursor; readonly query: string } | null {
  const head = lineAt({ lines, cursor }, cursor.line).slice(0, cursor.offset);
  const found = /(?:^|[\s([{"'=:,])@([^\s@]*)$/.exec(head);
  if (found === null) return null;
  const query = found[1] ?? '';
  return { from: { line: cursor.line, offset: cursor.offset - query.length - 1 }, query };
}

/** Files of this machine only: over ssh or in a container every list would be a walk through the network. */
export function offersFiles(state: State): boolean {
  return state.target?.kind === 'local';
}

/** The choices for the draft as it is; none when nothing can follow or Esc closed the list. */
export function completions(state: State): readonly Completion[] {
  const { editor, completion } = state;
  if (state.approvals.length > 0 || isCommanding(editor)) return [];
  const { text } = editor;
  if (text.lines.length === 1 && text.lines[0]?.startsWith('/')) {
    const draft = joined(text);
    if (completion.dismissed === draft) return [];
    if (isSlash(draft))
      return state.layouts.remember(
        'completions',
        [draft, state.commands, state.offered, state.tasks, state.profiles, state.panes, state.settings.listing],
        () => find(state, draft),
      );
  }
  const asked = fileQuery(text);
  // What is whole already is sent with Enter: no file that is called like it gets in the way.
  if (asked === null || completion.dismissed === joined(text) || isWholeMention(state, asked.query)) return [];
  // A command of the person's own is for a shell, which knows no such words.
  const isCommand = /^!/.test(text.lines[0] ?? '');
  const paths = offersFiles(state) ? (state.files?.paths ?? NO_PATHS) : NO_PATHS;
  const others = state.brought?.told?.choices ?? NO_CHOICES;
  const known = state.layouts.remember('file names', [paths], () => new FileSearch(paths));
  return state.layouts.remember('files', [text, paths, others], () => [
    ...(isCommand ? [] : named([...FIXED, ...others], asked.query, asked.from, text.cursor)),
    ...files(known, asked.query, asked.from, text.cursor, isCommand ? quoted : mentionOf),
  ]);
}

const NO_PATHS: readonly string[] = [];
const NO_CHOICES: readonly MentionChoice[] = [];

/** What can stand there besides a file, wherever commands run. */
const FIXED: readonly MentionChoice[] = [
  { word: 'pane', says: 'what the shared pane shows now' },
  { word: 'last', says: 'what the last command printed' },
];

/** Is it the whole of something other than a file: the pane, the last output, what a server offers? */
export function isWholeMention(state: State, query: string): boolean {
  return [...FIXED, ...(state.brought?.told?.choices ?? NO_CHOICES)].some(({ word }) => word === query);
}

function named(choices: readonly MentionChoice[], query: string, from: Cursor, to: Cursor): readonly Completion[] {
  return choices.flatMap(({ word, says }) => {
    const text = query !== '' && word !== query && word.startsWith(query) ? mentionOf(word) : null;
    return text === null ? [] : [{ from, to, text: `${text} `, label: `@${word}`, says, whole: false }];
  });
}

/** `written` gives a path as it stands in the draft; null when it cannot. */
function files(
  known: FileSearch,
  query: string,
  from: Cursor,
  to: Cursor,
  written: (path: string) => string | null,
): readonly Completion[] {
  return known.best(query, MOST_FILES).flatMap(({ path, marks }) => {
    const text = path.endsWith('/') ? `@${path}` : written(path);
    return text === null ? [] : [{ from, to, text: path.endsWith('/') ? text : `${text} `, label: path, says: '', marks, whole: false }];
  });
}

/** A path as a shell would read it, in quotes where it must. */
export function quoted(path: string): string {
  return /^[\p{L}\p{N}\p{M}_./+,:@%^~=-]+$/u.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function find(state: State, draft: string): readonly Completion[] {
  const [, word = '', rest = null] = /^\/(\S*)(?:\s+(.*))?$/.exec(draft) ?? [];
  const from: Cursor = { line: 0, offset: 0 };
  const to: Cursor = { line: 0, offset: draft.length };
  if (!/\s/.test(draft)) {
    return knownCommands(state)
      .filter((command) => [command.name, ...command.aliases].some((name) => name.startsWith(word)))
      .map((command) => ({
        from,
        to,
        text: `/${command.name}${command.args === '' ? '' : ' '}`,
        label: `/${command.name}${command.args === '' ? '' : ` ${command.args}`}`,
        says: command.says,
        whole: !command.args.includes('<'),
      }));
  }
  const command = knownCommands(state).find((known) => known.name === word || known.aliases.includes(word));
  const typed = rest ?? '';
  const choices = command?.complete?.(typed, state) ?? [];
  return choices
    .filter((choice) => choice.value.startsWith(typed) && choice.value !== typed)
    .map((choice) => ({ from, to, text: `/${word} ${choice.value}`, label: choice.value, says: choice.says, whole: true }));
}
