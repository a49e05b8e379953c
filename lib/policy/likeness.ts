/** What near-identical acts have in common, however they are dressed. Pure. */

import { posix } from 'node:path';

/** They only carry the command that they are given. */
const CARRIERS: ReadonlySet<string> = new Set(
  'sudo doas env nice ionice nohup timeout time command exec builtin setsid stdbuf bash sh dash zsh ash ksh fish xargs eval'.split(' '),
);
/** Who says no to `cd /srv && make` says no to make. */
const PREPARING: ReadonlySet<string> = new Set('cd pushd popd echo printf true false : pwd set export sleep test [ [[ ls umask'.split(' '));

/**
 * One text for each command that acts: `rm -rf build`, `sudo rm -fr ./build/` and `cd . && rm -r -f build` come to the same one. `commands`
 * are those that were found in it, word by word.
 */
export function likenessOf(commands: readonly (readonly string[])[]): readonly string[] {
  const named = commands.filter(([program]) => program !== undefined).map((words) => [nameOf(words), words] as const);
  const inner = named.filter(([name]) => !CARRIERS.has(name));
  const acting = inner.filter(([name]) => !PREPARING.has(name));
  const chosen = [acting, inner, named].find((some) => some.length > 0) ?? [];
  return [...new Set(chosen.map(([name, words]) => normal(name, words.slice(1))))];
}

function nameOf([program = '']: readonly string[]): string {
  return posix.basename(program).toLowerCase();
}

/** Options first and by letters, in one order; paths in their plainest form, where they stand. */
function normal(name: string, words: readonly string[]): string {
  const options = words.filter((word) => /^-./.test(word) && word !== '--');
  const letters = options.flatMap((option) =>
    /^-[a-zA-Z]{2,}$/.test(option) ? [...option.slice(1)].map((letter) => `-${letter}`) : [option],
  );
  const others = words.filter((word) => !/^-/.test(word)).map(plain);
  return [name, ...[...new Set(letters)].sort(), ...others].join(' ');
}

function plain(word: string): string {
  if (/^[a-z]+:\/\//i.test(word) || !word.includes('/')) return word;
  return posix.normalize(word).replace(/(.)\/$/, '$1');
}
