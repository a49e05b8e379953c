/** The script that lists a folder at the target, whatever is installed there, and what comes back from it. */

import { BuddyError } from '../../base/errors.js';
import type { Looked, LookRequest } from '../../targets/target.js';

/** `all`: everything below; `files`: the regular files below, to be opened; `one`: what stands in the folder itself, links followed. */
export type ListingKind = 'all' | 'files' | 'one';

/** What stands somewhere below a folder. */
export interface Entry {
  /** Relative to it; one character a byte (latin1), as names are bytes. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** The text of a file of ignore rules. */
export interface RulesFile {
  /** Absolute; one character a byte. */
  readonly path: string;
  readonly text: string;
}

export interface Listing {
  /** Of a file: it alone is the only entry. */
  readonly isFolder: boolean;
  /** Where the folder (of a file: its folder) really is; one character a byte. */
  readonly real: string;
  /** Where ripgrep is, '' when there is none. */
  readonly ripgrep: string;
  /** Of the folders above, and of the folder itself, when it lies in a repository: the farthest first. */
  readonly above: readonly RulesFile[];
  /** In no order. */
  readonly entries: readonly Entry[];
  /** Why they are not all; null: they are. */
  readonly cut: Looked['cut'];
}

/** Larger trees are not listed to their end. */
const MOST_ENTRIES = 200_000;
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_MS = 30_000;

/** The names of files with ignore rules; the last has the last word. */
export const RULES_NAMES = ['.gitignore', '.ignore', '.fdignore'] as const;

/**
 * Programs are taken from absolute folders of PATH only, and never from the project: whoever wrote it could have put them there. fd and
 * ripgrep get an empty home, as nobody's settings are to change what is found.
 */
const SCRIPT = `LC_ALL=C; export LC_ALL
f=$1 c=$2 k=$3
one=
if [ ! -d "$f" ]; then
[ -e "$f" ] || [ -L "$f" ] || { d=\${f%/*}; [ -x "\${d:-/}" ] || [ ! -e "\${d:-/}" ] || exit 44; exit 41; }
[ -f "$f" ] || exit 43
[ -r "$f" ] || exit 44
[ -L "$f" ] && { f=$(readlink -f "$f" && echo x) || exit 46; f=\${f%?x}; }
one=\${f##*/}
f=\${f%/*}/
elif [ ! -r "$f" ]; then exit 44
fi
cd "$f" 2>/dev/null || exit 44
here=$(pwd -P && echo x); here=\${here%?x}
[ -n "$one" ] || case $k$here/ in files/dev/shm/*) ;; files/proc/*|files/sys/*|files/dev/*) exit 47;; esac
w=$(cd "$c" 2>/dev/null && pwd -P)
set -f
theirs() {
case $1/ in */node_modules/*) return 0;; esac
for p in "$c" "$w" "$here"; do
[ -z "$p" ] || [ "$p" = / ] || [ "$p" = "$HOME" ] || case $1/ in "$p"/*) return 0;; esac
done
return 1
}
program() {
o=$IFS; IFS=:
for n; do for d in $PATH; do
case $d in /*) ;; *) continue;; esac
[ -f "$d/$n" ] && [ -x "$d/$n" ] || continue
theirs "$d" && continue
q=$(cd "$d" 2>/dev/null && pwd -P) && ! theirs "$q" || continue
IFS=$o; echo "$d/$n"; return
done; done
IFS=$o
}
rg=$(program rg)
printf '%s\\0%s\\0%s\\0' "\${one:+file}" "$here" "$rg"
if [ -n "$one" ]; then printf '\\0find\\0./%s\\0' "$one"; exit 0; fi
rules() { [ -f "$1" ] && [ ! -L "$1" ] && { printf '%s\\0' "$1"; head -c 262144 "$1" | tr -d '\\000'; printf '\\0'; }; }
if [ "$k" != one ]; then
top= p=$here
while :; do
[ -e "\${p%/}/.git" ] && { top=\${p%/}; found=1; break; }
[ -n "$p" ] && [ "$p" != / ] || break
p=\${p%/*}; p=\${p:-/}
done
if [ -n "\${found:-}" ]; then
rules "$top/.git/info/exclude"
p=$top r=\${here#"$top"}
while :; do
for n in ${RULES_NAMES.join(' ')}; do rules "$p/$n"; done
r=\${r#/}
[ -n "$r" ] || break
p=$p/\${r%%/*}
case $r in */*) r=\${r#*/};; *) r=;; esac
done
else
for n in ${RULES_NAMES.join(' ')}; do rules "\${here%/}/$n"; done
fi
fi
printf '\\0'
if [ "$k" = one ]; then
printf 'find\\0'
find . ! -name . -prune ! -type l \\( -type d -print0 -print0 -o -type f -print0 -o -print0 -print0 -print0 \\)
find . ! -name . -prune -type l -exec sh -c 'for f; do
if [ -d "$f" ]; then printf "%s\\0%s\\0" "$f" "$f"; elif [ -f "$f" ]; then printf "%s\\0" "$f"; else printf "%s\\0%s\\0%s\\0" "$f" "$f" "$f"; fi
done' sh {} +
exit 0
fi
if [ "$here" = / ]; then
printf 'find\\0'
exec find . \\( -name .git -o -path ./proc -o -path ./sys -o -path ./dev \\) -prune -o -type d -print0 -print0 -o -type f -print0 -o -print0 -print0 -print0
fi
bare() { HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent "$@"; }
fd=$(program fdfind fd)
if [ -n "$fd" ] && bare "$fd" --help 2>/dev/null | grep -q -e --no-ignore-parent; then
listed() { bare "$fd" --hidden --no-ignore-parent --exclude .git --color never --show-errors --print0 --type "$@" .; }
printf 'fd\\0'
listed f
[ "$k" = files ] || { printf '\\0'; listed d; printf '\\0'; listed l --type s --type p; }
exit 0
fi
if [ "$k" = files ] && [ -n "$rg" ]; then
printf 'rg\\0'
bare "$rg" --no-config --files --null --hidden --no-require-git --no-ignore-parent --no-ignore-dot --no-ignore-exclude --no-ignore-global --glob '!.git' ./
exit 0
fi
printf 'find\\0'
exec find . -name .git -prune -o -type d -print0 -print0 -o -type f -print0 -o -print0 -print0 -print0`;

/** What is to be run; both paths are absolute. */
export function listingRequest(path: string, cwd: string, kind: ListingKind): LookRequest {
  return { argv: ['sh', '-c', SCRIPT, 'sh', path, cwd, kind], mostBytes: MOST_BYTES, mostMs: MOST_MS };
}

/** Exit codes of it, in words. */
const WORDS: Readonly<Record<number, string>> = {
  41: 'no such file or folder',
  43: 'it is no regular file and no folder',
  44: 'permission denied',
  46: 'it is a symbolic link that leads nowhere',
  47: 'its files are no files of a disk, some have no end and some wait; name one of them, or use a command',
};

/** Reads what the script printed, in steps: `pause` is awaited now and then. Throws `target.file` for what could not be listed. */
export async function readListing(path: string, looked: Looked, pause: () => Promise<void>): Promise<Listing> {
  const { code, stdout, stderr, cut } = looked;
  if (cut === null && code !== null && WORDS[code] !== undefined)
    throw new BuddyError('target.file', `cannot look into ${path}: ${WORDS[code]}`);
  const records = recordsOf(stdout);
  const next = () => records.next().value;
  const [kind, real, ripgrep] = [next(), next(), next()];
  if (kind === undefined || real === undefined || ripgrep === undefined) {
    const said = stderr.trim().split('\n')[0] ?? '';
    throw new BuddyError(
      'target.file',
      `cannot look into ${path}: ${cut === 'time' ? 'there was no answer in time' : said || `exit code ${code}`}`,
    );
  }
  const above: RulesFile[] = [];
  for (let name = next(); name !== undefined && name !== ''; name = next()) above.push({ path: name, text: next() ?? '' });
  const isMarked = next() === 'find';
  const entries: Entry[] = [];
  let last = '';
  let times = 0;
  let section = 0;
  const add = () => {
    if (times > 0 && last !== '.')
      entries.push({ path: last.replace(/^\.\/|\/$/g, ''), kind: times === 2 ? 'folder' : times === 1 ? 'file' : 'other' });
  };
  let record = next();
  for (let count = 0; record !== undefined && entries.length < MOST_ENTRIES; record = next(), count++) {
    if (count % PAUSE_EVERY === PAUSE_EVERY - 1) await pause();
    if (!isMarked && record === '') section++;
    else if (isMarked && record === last) times++;
    else {
      add();
      last = record;
      times = isMarked ? 1 : (SECTION_TIMES[section] ?? 3);
    }
  }
  add();
  return { isFolder: kind === '', real, ripgrep, above, entries, cut: record === undefined ? cut : 'bytes' };
}

/** `find` tells a file once, a folder twice, anything else three times in a row; fd tells the three one after the other, an empty name between them. */
const SECTION_TIMES = [1, 2, 3];
const PAUSE_EVERY = 500;

/** What stands before each NUL; a last record that was cut off is none. */
function* recordsOf(bytes: Buffer): Generator<string, undefined> {
  for (let at = 0, end = bytes.indexOf(0); end >= 0; at = end + 1, end = bytes.indexOf(0, at)) yield bytes.toString('latin1', at, end);
  return undefined;
}
