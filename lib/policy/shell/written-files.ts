/** Files that a script makes: what it runs of those, nobody has read. */

import { posix } from 'node:path';
import type { Found, Invocation } from './invocations.js';

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
  return [...ran.map(({ text }) => text), ...invocations.map(({ argv }) => argv[0]?.text ?? '')].some((path) => written.has(nameOf(path)));
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
