/** Files that a script makes: what it runs of those, nobody has read. */

import { posix } from 'node:path';
import { isForeign, isShell } from './interpreters.js';
import type { Found, Invocation } from './invocations.js';
import { programFiles } from './program-files.js';
import { onlyLooks, subcommandOf } from './readers.js';
import { wrapperOf } from './wrappers.js';

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
  if (names.some((name) => written.has(name) || begun.some((prefix) => name.startsWith(prefix)))) return true;
  const byPath = invocations.flatMap(({ argv }) => (argv[0]?.text.includes('/') === true ? [argv[0].text] : []));
  const run = new Set([...ran.map(({ text }) => text), ...byPath].map(nameOf).filter((name) => /[a-z]/.test(name)));
  return run.size > 0 && invocations.some((invocation) => mayMake(invocation, run));
}

/** They are told a file and leave what is in it. */
const LEAVING =
  /^(?:source|\.|eval|chmod|chown|chgrp|chattr|setfacl|cd|mkdir|rm|rmdir|test|shellcheck|kill|systemctl|service|realpath|readlink|logger)$/;
/** They write where their own language says so. */
const BY_PROGRAM = /^(?:sed|[gmn]?awk)$/;
/** With two operands, they write to the second. */
const TO_THE_SECOND = /^(?:uniq|xxd)$/;

/** Could it make a file that is run, in a way of its own? Then the file is named among its words, and not only looked at. */
function mayMake({ name, argv }: Invocation, run: ReadonlySet<string>): boolean {
  const args = argv.slice(1);
  const words = args.map(({ text }) => text);
  if (name === '' || LEAVING.test(name) || isShell(name) || isForeign(name) || wrapperOf(name, words) !== null || name === 'find')
    return false;
  const own = new Set(programFiles(name, args).map(({ text }) => nameOf(text)));
  const isRun = (word: string) => run.has(nameOf(word)) && !own.has(nameOf(word));
  if (BY_PROGRAM.test(name)) return words.some((word) => /[\s>"]/.test(word) && word.split(/[\s>"'{};]+/).some(isRun));
  if (TO_THE_SECOND.test(name)) return isRun(words.filter((word) => !/^-./.test(word))[1] ?? '');
  return !onlyLooks(name, args) && words.some((word) => isRun(word.replace(/\.(?:gz|bz2|xz|zst|lz4|br|Z|b64|gpg|asc|enc)$/, '')));
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
