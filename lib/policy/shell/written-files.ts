/** Files that a script makes: what it runs of those, nobody has read. */

import { posix } from 'node:path';
import type { Found, Invocation } from './invocations.js';
import { subcommandOf } from './readers.js';

/** Programs that write to what their last operand, or each of them, names. */
const TO_THE_LAST = /^(?:cp|mv|ln|install|rsync|scp|link)$/;
const TO_EACH = /^(?:tee|sponge|patch|touch|mkfifo)$/;

/** Does it run a file that it has written itself? */
export function runsWhatItWrote({ invocations, opened, ran }: Found): boolean {
  const written = new Set(
    [...opened.filter(({ writes }) => writes).map(({ path }) => path.text), ...invocations.flatMap(writtenBy)].map(nameOf),
  );
  written.delete('');
  written.delete('null');
  const names = [...ran.map(({ text }) => text), ...invocations.flatMap(namesOf)].map(nameOf);
  const begun = invocations.flatMap(prefixesOf);
  return names.some((name) => written.has(name) || begun.some((prefix) => name.startsWith(prefix)));
}

/** A program by its own name, and by that of a subcommand that is a program of its own: `git a` may be git-a. */
function namesOf({ name, argv }: Invocation): readonly string[] {
  const subcommand = subcommandOf(argv.slice(1).map(({ text }) => text));
  return [argv[0]?.text ?? '', ...(/^\w[\w-]{0,99}$/.test(subcommand) ? [`${name}-${subcommand}`] : [])];
}

/** How the names begin of the files that it makes of one: xaa, xx00. */
function prefixesOf({ name, argv }: Invocation): readonly string[] {
  if (name !== 'split' && name !== 'csplit') return [];
  const words = argv.slice(1).map(({ text }) => text);
  const prefix = words.find((_, at) => /^(?:-f|--prefix)$/.test(words[at - 1] ?? '')) ?? words.at(-1) ?? '';
  return [name === 'split' ? 'x' : 'xx', ...(/^[-\d]/.test(prefix) ? [] : [nameOf(prefix)])].filter((begin) => begin !== '');
}

function nameOf(path: string): string {
  return posix.basename(path).toLowerCase();
}

function writtenBy({ name, argv }: Invocation): readonly string[] {
  const words = argv.slice(1).map(({ text }) => text);
  const operands = words.filter((word) => !word.startsWith('-'));
  const outputs = words.flatMap((word, at) =>
    /^(?:-[a-zA-Z]*[oO]|-f(?:printf?0?|ls)|--output|--output-document|-OutFile)$/.test(word)
      ? [words[at + 1] ?? '']
      : (/^(?:of=|--output=|-o)(.+)$/.exec(word)?.slice(1) ?? []),
  );
  // Into a folder, the file keeps its name.
  if (TO_THE_LAST.test(name)) return [...outputs, operands.at(-1) ?? '', ...(operands.length > 1 ? operands.slice(0, -1) : [])];
  if (TO_EACH.test(name)) return [...outputs, ...operands];
  if (name === 'sed' && words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word))) return [...outputs, ...operands.slice(1)];
  return name === 'curl' || name === 'wget' ? [...outputs, ...operands.map((url) => url.replace(/[?#].*$/, ''))] : outputs;
}
