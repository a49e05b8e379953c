/** Every command that a script would run, also those inside of other commands and of text that a shell is given. */

import { posix } from 'node:path';
import type { Redirection } from 'unbash';
import { type Argument, argumentOf, known } from './argument.js';
import {
  filesOfModule,
  filesOfProgram,
  isCode,
  isForeign,
  isForeignShell,
  isOnlyZsh,
  isShell,
  loadedBy,
  loadedInCode,
  programOf,
  programOfShell,
  runByModule,
  startsPrograms,
} from './interpreters.js';
import { isInputName, programFiles, takesCommands } from './program-files.js';
import { isDataTo } from './readers.js';
import { type Opened, QUOTED_CODE, UNREAD, walk } from './syntax.js';
import { runByFind, unwrapped } from './unwrap.js';

/** One command as a program would be given it. */
export interface Invocation {
  /** File name of the program, in lower case; '' when only the shell will know it. */
  readonly name: string;
  /** With the program first. */
  readonly argv: readonly Argument[];
  readonly where: Where;
}

/** What a command stands in. */
export interface Where {
  /** It runs with other rights. */
  readonly gains: boolean;
  /** It runs on another machine or in a container. */
  readonly elsewhere: boolean;
  /** How many scripts and wrappers it stands in. */
  readonly depth: number;
}

/** What a script was found to hold. */
export interface Found {
  readonly invocations: Invocation[];
  /** Why nobody can tell what it does; sentences without a full stop. */
  readonly doubts: Set<string>;
  /** What its words say without quotes. */
  readonly texts: string[];
  readonly opened: Opened[];
  /** `NAME=value` of each variable that is given a value. */
  readonly assigned: Set<string>;
  /** Files that are run by a shell or another interpreter. */
  readonly ran: Argument[];
}

/** More than anybody would read. */
const MOST_INVOCATIONS = 5000;
const DEEPEST = 12;
const MOST_SCRIPTS = 400;
/** Of all scripts together, also those that one script holds, in characters: longer reading than a second helps nobody. */
const MOST_TEXT = 256 * 1024;

const DYNAMIC = 'which program it runs is only known when it runs';
const FED = 'a shell or another interpreter runs what it is given as input';

/** Reads a script as bash would. Never throws. */
export function invocationsOf(script: string): Found {
  const found: Found = { invocations: [], doubts: new Set(), texts: [], opened: [], assigned: new Set(), ran: [] };
  const reader = { found, scripts: 0, text: 0 };
  readScript(script, { gains: false, elsewhere: false, depth: 0 }, reader);
  return found;
}

interface Reader {
  readonly found: Found;
  scripts: number;
  /** Characters of the scripts so far. */
  text: number;
}

function readScript(source: string, where: Where, reader: Reader): void {
  reader.scripts++;
  reader.text += source.length;
  if (where.depth > DEEPEST || reader.text > MOST_TEXT || reader.scripts > MOST_SCRIPTS) {
    reader.found.doubts.add('it is nested too deep to be read');
    return;
  }
  try {
    walk(source, { ...reader.found, command: (argv, redirections) => invoke(argv, where, reader, redirections) });
  } catch {
    // Nothing that the parser or the stack has no room for may look harmless.
    reader.found.doubts.add(UNREAD);
  }
}

/** Writes the command down, and looks into what it would run in turn. */
function invoke(argv: readonly Argument[], where: Where, reader: Reader, redirections: readonly Redirection[] = []): void {
  const { found } = reader;
  const [program = known(''), ...args] = argv;
  const name = (program.known || program.endsKnown) && !isOpenFile(program) ? posix.basename(program.text).toLowerCase() : '';
  found.invocations.push({ name, argv, where });
  if (name === '') found.doubts.add(DYNAMIC);
  if (found.invocations.length > MOST_INVOCATIONS || where.depth > DEEPEST) {
    found.doubts.add('it is too much to be read');
    return;
  }
  const inner = { ...where, depth: where.depth + 1 };
  readFiles(name, args, redirections, reader);
  if (isShell(name)) runShell(name, args, inner, reader, redirections);
  else if (isForeign(name)) runForeign(name, args, reader, redirections);
  else if (!runBuiltin(name, args, inner, reader)) runWrapped(name, args, inner, reader);
}

/** Its own program, or an open file: what stands there has no name. */
function isOpenFile({ text }: Argument): boolean {
  return /^\/(?:proc|dev)\//.test(posix.normalize(text));
}

/** What it does because a file says so. */
function readFiles(name: string, args: readonly Argument[], redirections: readonly Redirection[], { found }: Reader): void {
  for (const file of programFiles(name, args)) {
    if (isInputName(file) || file.computed) found.doubts.add(FED);
    else found.ran.push(file);
  }
  const input = takesCommands(name) ? lastInput(redirections) : undefined;
  if (input?.type === 'Redirect' && input.target !== undefined) found.ran.push(argumentOf(input.target));
}

function lastInput(redirections: readonly Redirection[]): Redirection | undefined {
  return redirections.filter(({ type, operator }) => type === 'Redirect' && operator === '<').at(-1);
}

function runWrapped(name: string, args: readonly Argument[], where: Where, reader: Reader): void {
  const inside = name === 'command' && /^-[pvV]*[vV]/.test(args[0]?.text ?? '') ? null : unwrapped(name, args);
  if (inside === null) {
    judgeQuoted(name, args, reader);
    return;
  }
  const { argv, scripts, wrapper } = inside;
  const opens = wrapper.opens || (name === 'sudo' && inside.own.some((arg) => /^(?:-[a-zA-Z]*[is]|--login|--shell)$/.test(arg.text)));
  const there = { ...where, gains: where.gains || wrapper.gains, elsewhere: where.elsewhere || wrapper.elsewhere };
  judgeQuoted(name, inside.own, reader);
  if (wrapper.assigns) for (const { text } of inside.own.filter((arg) => /^[^-=][^=]*=/.test(arg.text))) reader.found.assigned.add(text);
  for (const script of scripts) readText(script, there, reader);
  if (argv !== null) invoke(argv, there, reader);
  else if (opens && scripts.length === 0 && !isAbout(args))
    reader.found.doubts.add('it opens a shell, and nobody knows what will be typed there');
}

function isAbout(args: readonly Argument[]): boolean {
  return args.some((arg) => /^(?:-V|--version|--help)$/.test(arg.text));
}

/** Text that a shell would read. */
function readText(text: Argument, where: Where, reader: Reader): void {
  if (!text.known) reader.found.doubts.add('a shell runs text that is only known when it runs');
  reader.found.texts.push(text.text);
  readScript(text.text, where, reader);
}

function runShell(name: string, args: readonly Argument[], where: Where, reader: Reader, redirections: readonly Redirection[]): void {
  const program = programOfShell(args);
  judgeQuoted('sh', program.kind === 'code' ? args.filter((_, at) => at !== program.from) : args, reader);
  if (program.kind === 'code') {
    if (name === 'zsh' && isOnlyZsh(program.code.text)) reader.found.doubts.add(UNREAD);
    readText(program.code, where, reader);
  } else if (program.kind === 'unknown') reader.found.doubts.add(DYNAMIC);
  else if (program.kind === 'file') reader.found.ran.push(program.path);
  else if (program.kind === 'input') readInput(redirections, where, reader);
}

/** A shell without a script reads its input: a text that stands there can be read, a file is as good as a script, and nothing else is. */
function readInput(redirections: readonly Redirection[], where: Where, reader: Reader): void {
  const input = redirections.filter(({ type, operator }) => type !== 'Redirect' || operator === '<').at(-1);
  if (input?.type === 'HereString' && input.target !== undefined) readText(argumentOf(input.target), where, reader);
  else if (input?.type === 'HereDoc') {
    const isPlain = input.delimiter?.quoted === true || !/[$`\\]/.test(input.body.text);
    readText({ ...known(input.body.text), known: isPlain }, where, reader);
  } else readFile(input, reader);
}

/** Only a file that is named is as good as a script. */
function readFile(input: Redirection | undefined, { found }: Reader): void {
  const file = input?.type === 'Redirect' && input.target !== undefined ? argumentOf(input.target) : null;
  if (file !== null && isFile(file)) found.ran.push(file);
  else found.doubts.add(FED);
}

function isFile({ text, known: isKnown, computed }: Argument): boolean {
  return isKnown && !computed && !/^\/(?:dev|proc)\//.test(posix.normalize(text));
}

function runForeign(name: string, args: readonly Argument[], reader: Reader, redirections: readonly Redirection[]): void {
  const { found } = reader;
  const program = programOf(name, args);
  for (const loaded of loadedBy(name, args)) {
    if (loaded.known && !isCode(loaded.text)) found.ran.push(...filesOfModule(loaded.text));
    else readForeign(name, loaded, reader);
  }
  if (program.kind === 'unknown') found.doubts.add(DYNAMIC);
  else if (program.kind === 'code') readForeign(name, program.code, reader);
  else if (program.kind === 'file') found.ran.push(...filesOfProgram(program.path));
  else if (program.kind === 'module') {
    found.ran.push(...filesOfModule(program.module.text));
    for (const given of runByModule(program.module.text, args.slice(program.from + 1))) {
      if (isCode(given.text)) readForeign(name, given, reader);
      else found.ran.push(given);
    }
  } else if (program.kind === 'input') readFile(lastInput(redirections), reader);
}

/** Text of another language. */
function readForeign(name: string, code: Argument, { found }: Reader): void {
  found.ran.push(...loadedInCode(code.text));
  if (!code.known) found.doubts.add('an interpreter runs text that is only known when it runs');
  else if (isForeignShell(name) || /^data:/.test(code.text)) found.doubts.add(`${name} runs code that is not judged here`);
  else if (startsPrograms(code.text)) found.doubts.add(`${name} runs code that can start programs, change files or reach the network`);
}

function joinedBehindDashes(args: readonly Argument[]): Argument {
  const words = args[0]?.text === '--' ? args.slice(1) : args;
  return { ...known(words.map((arg) => arg.text).join(' ')), known: words.every((arg) => arg.known) };
}

/** Builtins that run something. False: the name is none of them. */
function runBuiltin(name: string, args: readonly Argument[], where: Where, reader: Reader): boolean {
  const { doubts } = reader.found;
  switch (name) {
    case 'eval':
      readText(joinedBehindDashes(args), where, reader);
      return true;
    case 'trap': {
      const operands = args.filter((arg) => !/^-[lp-]/.test(arg.text));
      if (operands.length > 1 && operands[0] !== undefined && operands[0].text !== '-') readText(operands[0], where, reader);
      return true;
    }
    case 'source':
    case '.': {
      const [file] = args;
      if (file === undefined || !isFile(file)) doubts.add(FED);
      else reader.found.ran.push(file);
      return true;
    }
    case 'find':
    case 'fd':
    case 'fdfind':
      for (const argv of runByFind(args)) invoke(argv, where, reader);
      return true;
    default:
      return false;
  }
}

function judgeQuoted(name: string, args: readonly Argument[], { found }: Reader): void {
  if (!isDataTo(name, args) && args.some((arg) => arg.holdsCode)) found.doubts.add(QUOTED_CODE);
}
