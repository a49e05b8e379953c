/** What a wrapper runs: the command among its arguments, or the script in one of them. */

import { type Argument, known, unknown } from './argument.js';
import { type Wrapper, wrapperOf } from './wrappers.js';

/** What stands inside of one command. */
export interface Unwrapped {
  /** Words of the command that it runs; null: none stands there. */
  readonly argv: readonly Argument[] | null;
  /** What it has a shell read. */
  readonly scripts: readonly Argument[];
  /** The other arguments. */
  readonly own: readonly Argument[];
  readonly wrapper: Wrapper;
}

/** env takes any name. */
const ASSIGNMENT = /^[^=]+=/;

/** Null: the program is no wrapper. */
export function unwrapped(name: string, args: readonly Argument[]): Unwrapped | null {
  const found = wrapperOf(
    name,
    args.map((arg) => arg.text),
  );
  if (found === null) return null;
  const { wrapper, from } = found;
  const scripts: Argument[] = [];
  // Told whom to be by an option, it takes no name.
  const most = name === 'runuser' && args.some(({ text }) => /^(?:-u|--user)/.test(text)) ? 0 : wrapper.operands;
  let at = from;
  let operands = 0;
  let replaced = wrapper.fills;
  for (; at < args.length; at++) {
    const arg = args[at] ?? unknown;
    if (wrapper.afterDashes && arg.text !== '--' && !isScriptOption(arg, wrapper)) continue;
    if (arg.text === '--') {
      if (operands >= most || wrapper.afterDashes) {
        at++;
        break;
      }
      continue;
    }
    const script = scriptOf(arg, args[at + 1], wrapper);
    if (script !== null) {
      scripts.push(script.argument);
      if (script.isNext) at++;
      continue;
    }
    if (arg.text.startsWith('-') && arg.text !== '-') {
      if (name === 'xargs' || name === 'parallel') replaced = replacedBy(arg.text, args[at + 1]?.text) ?? replaced;
      if (wrapper.values.has(arg.text)) at++;
      continue;
    }
    if (wrapper.assigns && ASSIGNMENT.test(arg.text)) continue;
    if (arg.text === '-') continue;
    if (operands === 0 && wrapper.may.has(arg.text)) {
      operands++;
      continue;
    }
    if (operands >= most) break;
    if (operands === 0 && wrapper.only.size > 0 && !wrapper.only.has(arg.text)) return null;
    operands++;
  }
  const rest = args.slice(at);
  const argv = wrapper.fills === null ? rest : filled(rest, replaced ?? wrapper.fills, name === 'parallel');
  const own = args.slice(0, at).filter((arg) => !scripts.includes(arg));
  if (!wrapper.joins || rest.length === 0) return { argv: argv.length === 0 ? null : argv, scripts, own, wrapper };
  return { argv: null, scripts: [...scripts, joined(argv)], own, wrapper };
}

/** `-c 'script'`, `-c'script'`, `--command=script`, `-qc script`. */
function scriptOf(arg: Argument, next: Argument | undefined, { scripts, values }: Wrapper): { argument: Argument; isNext: boolean } | null {
  for (const option of scripts) {
    if (arg.text === option) return { argument: next ?? unknown, isNext: true };
    if (option.startsWith('--') && arg.text.startsWith(`${option}=`))
      return { argument: { ...arg, text: arg.text.slice(option.length + 1) }, isNext: false };
    if (option.startsWith('--') || !/^-[a-zA-Z]/.test(arg.text) || values.has(arg.text.slice(0, 2))) continue;
    const at = arg.text.indexOf(option.slice(1), 1);
    if (at < 0) continue;
    const attached = arg.text.slice(at + 1);
    return attached === '' ? { argument: next ?? unknown, isNext: true } : { argument: { ...arg, text: attached }, isNext: false };
  }
  return null;
}

function isScriptOption(arg: Argument, wrapper: Wrapper): boolean {
  return [...wrapper.scripts].some((option) => arg.text === option || arg.text.startsWith(`${option}=`));
}

/** What xargs and parallel put their words in place of. */
function replacedBy(option: string, next: string | undefined): string | null {
  if (option === '-I' || option === '-J') return next ?? null;
  const attached = /^(?:-[IJi]|--replace=)(.+)$/.exec(option)?.[1];
  return attached ?? (option === '-i' || option === '--replace' ? '{}' : null);
}

/** The command with what nobody knows yet: in the places that are named, or behind it. */
function filled(argv: readonly Argument[], replaced: string, isParallel: boolean): readonly Argument[] {
  const end = isParallel ? argv.findIndex((arg) => /^:::/.test(arg.text)) : -1;
  const command = end < 0 ? argv : argv.slice(0, end);
  if (command.length === 0) return isParallel ? [unknown] : [known('echo'), unknown];
  const isNamed = command.some((arg) => arg.text.includes(replaced));
  const places = command.map((arg) =>
    arg.text.includes(replaced) ? { ...unknown, text: arg.text.replaceAll(replaced, ''), holdsCode: arg.holdsCode } : arg,
  );
  return isNamed ? places : [...places, unknown];
}

/** The words as one line. */
function joined(argv: readonly Argument[]): Argument {
  return {
    text: argv.map((arg) => arg.text).join(' '),
    known: argv.every((arg) => arg.known),
    hasGaps: argv.some((arg) => arg.hasGaps),
    endsKnown: false,
    computed: argv.some((arg) => arg.computed),
    holdsCode: argv.some((arg) => arg.holdsCode),
  };
}

/** The commands that find or fd runs for what it finds. */
export function runByFind(args: readonly Argument[]): readonly (readonly Argument[])[] {
  const commands: Argument[][] = [];
  for (let at = 0; at < args.length; at++) {
    const option = args[at]?.text ?? '';
    const toTheEnd = /^(?:-[xX]|--exec(?:-batch)?)$/.test(option);
    if (!toTheEnd && !/^-(?:exec|ok)(?:dir)?$/.test(option)) continue;
    const rest = args.slice(at + 1);
    const end = toTheEnd ? -1 : rest.findIndex(({ text }) => text === ';' || text === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    commands.push(
      command.map((arg) => (arg.text.includes('{}') ? { ...unknown, text: arg.text.replaceAll('{}', ''), holdsCode: arg.holdsCode } : arg)),
    );
    at += command.length;
  }
  return commands.filter((command) => command.length > 0);
}
