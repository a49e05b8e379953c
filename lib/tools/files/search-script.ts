/** The scripts that search files at the target: first which of them match, then the lines of those. */

import { randomBytes } from 'node:crypto';
import { BuddyError } from '../../base/errors.js';
import type { Looked, LookRequest } from '../../targets/target.js';
import { type ExtendedPattern, extendedPattern } from './extended-pattern.js';

export interface Search {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Lines before and after each match. */
  readonly context: number;
}

/** A line of a file that matches, or stands beside one that does. */
export interface FoundLine {
  readonly number: number;
  readonly isMatch: boolean;
  readonly text: string;
}

/** The lines of one file. */
export interface FoundFile {
  /** As it was given. */
  readonly path: string;
  /** Where its folder really was when it had been read; one character a byte. */
  readonly folder: string;
  /** Null: between them others are left out. */
  readonly lines: readonly (FoundLine | null)[];
}

/** Bytes kept of a line: more than is shown of it. */
const LINE_BYTES = 2400;
/** Bytes of lines of one file: more than all of a result shows, and so few that a file is never cut off by what all of them may be. */
const FILE_BYTES = 600_000;
const MOST_MS = 60_000;

/** In a locale of UTF-8 a dot is a character. */
const LOCALE = 'LC_ALL=C.UTF-8; export LC_ALL';

/** `sh` FOLDER PROGRAM PATTERN OPTION…: the names in its input that match, one a line. The pattern is tried before, on a line: busybox looks at it no sooner. */
const WHICH = `${LOCALE}
cd "$1" 2>/dev/null || exit 44
p=$2 e=$3; shift 3
m=$(echo x | "$p" "$@" -e "$e" -- - 2>&1 >/dev/null)
[ -z "$m" ] || { printf '%s\\n' "$m" >&2; exit 45; }
xargs -0 "$p" "$@" -l -e "$e" --
exit 0`;

/**
 * `sh` FOLDER MARK MOST CONTEXT PROGRAM PATTERN OPTION…: of each name in its input four parts, a line of the mark behind each: the name, the
 * NULs at its beginning, its lines, where its folder is. No more programs are started for each than must be: there are hundreds of files.
 */
const LINES = `${LOCALE}
cd "$1" 2>/dev/null || exit 44
R=$2 M=$3 C=$4 P=$5 E=$6; shift 6; O="$*"
H=$(pwd -P && echo x); H=\${H%?x}
export R M C P E O H
exec xargs -0 sh -c 'for f; do
[ -f "$f" ] && [ ! -L "$f" ] || continue
printf "%s\\n%s\\n" "$f" "$R"
head -c 8000 "$f" | LC_ALL=C tr -dc "\\000"
printf "\\n%s\\n" "$R"
"$P" $O -n -m "$M" -C "$C" -e "$E" -- "$f" | LC_ALL=C cut -b 1-${LINE_BYTES} | head -c ${FILE_BYTES}
echo "$R"
cd "\${f%/*}" && pwd -P
echo "$R"
cd "$H" || exit
done' sh`;

/** Of ripgrep: nobody's settings, no judgement of its own on what is text. `-h` there is its help. */
const RIPGREP = ['--no-config', '--color', 'never', '--no-heading', '--no-filename', '--text'];
const GREP = ['-a', '-h'];

/** What is run to search; `ripgrep` is where that is, '' for none. Throws `tool.arguments` for what grep cannot search for. */
export class SearchScripts {
  readonly #program: readonly string[];
  readonly #context: number;
  readonly #folder: string;
  /** Nobody knows it before: no file holds it. */
  readonly #mark = randomBytes(12).toString('hex');

  /** `folder` is what the names are relative to. */
  constructor({ pattern, literal, ignoreCase, context }: Search, ripgrep: string, folder: string) {
    this.#folder = folder;
    this.#context = context;
    const written: ExtendedPattern = ripgrep !== '' || literal ? { pattern, ignoreCase: false } : extendedPattern(pattern);
    const options = [
      ...(ripgrep === '' ? GREP : RIPGREP),
      ...(literal ? ['-F'] : ripgrep === '' ? ['-E'] : []),
      ...(ignoreCase || written.ignoreCase ? ['-i'] : []),
    ];
    this.#program = [ripgrep === '' ? 'grep' : ripgrep, written.pattern, ...options];
  }

  /** `names` one character a byte. */
  which(names: readonly string[]): LookRequest {
    return { argv: ['sh', '-c', WHICH, 'sh', this.#folder, ...this.#program], input: inputOf(names), mostBytes: 8 << 20, mostMs: MOST_MS };
  }

  /** At most `most` matches of each. */
  lines(names: readonly string[], most: number): LookRequest {
    const argv = ['sh', '-c', LINES, 'sh', this.#folder, this.#mark, String(most), String(this.#context), ...this.#program];
    return { argv, input: inputOf(names), mostBytes: 4 << 20, mostMs: MOST_MS };
  }

  /** What `lines` printed, binary files left out; a last file that was cut off is none. */
  found({ stdout }: Looked): readonly FoundFile[] {
    const parts = stdout
      .toString('latin1')
      .split(`${this.#mark}\n`)
      .map((part) => part.replace(/\n$/, ''));
    const files: FoundFile[] = [];
    for (let at = 0; at + 4 < parts.length; at += 4) files.push(...fileOf(parts.slice(at, at + 4)));
    return files;
  }
}

function inputOf(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `./${name}\0`).join(''), 'latin1');
}

/** The names among `asked` that `which` told of. One with a line end in it cannot be told apart: it is always among them. Throws `tool.arguments` for a bad pattern. */
export function matchingNames(asked: readonly string[], { code, stdout, stderr }: Looked): readonly string[] {
  if (code === 45)
    throw new BuddyError('tool.arguments', `"pattern" is no pattern: ${stderr.trim().split('\n').slice(-3).join(' ').slice(0, 300)}`, {
      hint: 'Write it as ripgrep takes it, or set "literal"',
    });
  const told = new Set(stdout.toString('latin1').split('\n'));
  return asked.filter((name) => name.includes('\n') || told.has(`./${name}`));
}

/** A NUL byte never occurs in text files: one with a NUL at its beginning is left out. */
function fileOf([path = '', nuls = '', lines = '', folder = '']: readonly string[]): readonly FoundFile[] {
  return nuls.includes('\0') ? [] : [{ path: path.slice(2), folder, lines: lines.split('\n').flatMap(lineOf) }];
}

function lineOf(written: string): readonly (FoundLine | null)[] {
  if (written === '--') return [null];
  const found = /^(\d+)([:-])(.*)$/s.exec(written);
  if (found === null) return [];
  const text = Buffer.from(found[3] ?? '', 'latin1')
    .toString('utf8')
    .replace(/\r$/, '');
  return [{ number: Number(found[1]), isMatch: found[2] === ':', text }];
}
