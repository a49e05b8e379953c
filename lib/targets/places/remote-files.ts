/** Files of a remote place, through scripts: regular files only, binary-safe, replaced whole or not at all. */

import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { BuddyError } from '../../base/errors.js';
import type { FilePiece, FileRange } from '../target.js';
import { shellWord } from '../tmux/quoting.js';
import type { PlaceOutput } from './place.js';
import { firstLine } from './remote-script.js';

/** Runs a script at the other end; what it exits with stands in `code`. */
export type RunScript = (script: string, signal: AbortSignal, input?: Uint8Array) => Promise<PlaceOutput>;

/** Exit codes of the scripts below, in words. */
const words: Readonly<Record<number, string>> = {
  41: 'no such file or folder',
  42: 'it is a folder',
  43: 'it is no regular file',
  44: 'permission denied',
  45: 'only a part of it arrived',
  46: 'it is a symbolic link that leads nowhere',
};

function trouble(path: string, doing: string, { code, stderr }: PlaceOutput): BuddyError {
  const known = code === null ? undefined : words[code];
  const said = firstLine(stderr).replace(/^.*?: (?=[^:]*$)/, '');
  return new BuddyError('target.file', `cannot ${doing} ${path}: ${known ?? (said === '' ? `exit code ${code ?? 'unknown'}` : said)}`);
}

/** `path` is absolute, so it cannot be taken for an option. Throws `target.file`, `target.lost`. */
export async function readRemoteFile(run: RunScript, path: string, range: FileRange, signal: AbortSignal): Promise<FilePiece> {
  const { line = 1 } = range;
  // Lines are counted as `wc` does it, and a last one without an end is one more.
  const byLine =
    line <= 1
      ? ''
      : `o=$(($(head -n ${line - 1} "$f" | wc -c)))
[ $o -lt $n ] || l=$(($(wc -l <"$f") + $(tail -c 1 "$f" | tr -d '\\n' | wc -c)))`;
  const script = `LC_ALL=C; export LC_ALL
f=${shellWord(path)}
[ -d "$f" ] && exit 42
[ -e "$f" ] || { [ -x ${shellWord(posix.dirname(path))} ] || [ ! -e ${shellWord(posix.dirname(path))} ] || exit 44; exit 41; }
[ -f "$f" ] || exit 43
[ -r "$f" ] || exit 44
n=$(wc -c <"$f") || exit 1
o=0
l=
${byLine}
printf '%s %s %s %s\\n' $n "$(stat -L -c %h "$f" 2>/dev/null || stat -L -f %l "$f" 2>/dev/null || echo 1)" $o $l
tail -c +$((o+${range.offset + 1})) "$f" | head -c ${range.limit}`;
  const done = await run(script, signal);
  if (done.code !== 0) throw trouble(path, 'read', done);
  const lineEnd = done.stdout.indexOf(0x0a);
  const bytes = done.stdout.subarray(lineEnd + 1);
  const [size = '', names = '', start = '', lines = ''] = done.stdout.toString('latin1', 0, lineEnd).trim().split(/\s+/);
  return {
    bytes,
    names: Number(names) || 1,
    size: Math.max(Number(size), bytes.length === 0 ? 0 : Number(start) + range.offset + bytes.length),
    ...(range.line === undefined ? {} : { start: Number(start), ...(lines === '' ? {} : { lines: Number(lines) }) }),
  };
}

/** Where `writeRemoteFile` puts `path` (absolute). Throws `target.file`, `target.lost`. */
export async function realRemotePath(run: RunScript, path: string, signal: AbortSignal): Promise<string> {
  const script = `p=${shellWord(path)}
t=
if [ -L "$p" ]; then
l=$(readlink -f "$p" && echo x) || exit 46
p=\${l%?x}
fi
while [ ! -e "$p" ] && [ ! -L "$p" ]; do
t=/\${p##*/}$t
p=\${p%/*}
[ -n "$p" ] || p=/
done
if [ ! -d "$p" ]; then
t=/\${p##*/}$t
p=\${p%/*}/
fi
d=$(cd "$p" 2>/dev/null && pwd -P && echo x) || { [ -e "$p" ] && exit 44; exit 46; }
printf %s "\${d%?x}$t"`;
  const done = await run(script, signal);
  if (done.code !== 0) throw trouble(path, 'find', done);
  return done.stdout.toString('utf8').replace(/^\/+/, '/');
}

/**
 * A temporary file beside it, checked for its size, then renamed over it. An existing file keeps mode and owner, a symbolic link
 * is followed, a new file gets 0644. `path` is absolute. Throws `target.file`, `target.lost`.
 */
export async function writeRemoteFile(run: RunScript, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const script = `LC_ALL=C; export LC_ALL
f=${shellWord(path)}
# podman loses the end of a program that has not read its input.
no() { cat >/dev/null; exit $1; }
if [ -L "$f" ]; then
l=$(readlink -f "$f" && echo x) || no 46
f=\${l%?x}
fi
[ -d "$f" ] && no 42
[ -e "$f" ] && [ ! -f "$f" ] && no 43
d=\${f%/*}/
mkdir -p "$d" || no 1
t=$d.buddy-${randomBytes(6).toString('hex')}
trap 'rm -f "$t"' EXIT
trap 'exit 45' HUP INT TERM
(umask 077; set -C; exec cat >"$t") || no 1
[ "$(($(wc -c <"$t")))" -eq ${bytes.length} ] || exit 45
if [ -e "$f" ]; then
o=$(stat -c %u:%g "$f" 2>/dev/null || stat -f %u:%g "$f") && chown "$o" "$t" 2>/dev/null
m=$(stat -c %a "$f" 2>/dev/null || stat -f %Lp "$f") || exit 1
chmod "$m" "$t" || exit 1
else
chmod 644 "$t" || exit 1
fi
sync "$t" 2>/dev/null
mv -f "$t" "$f" || exit 1
trap - EXIT`;
  const done = await run(script, signal, bytes);
  if (done.code !== 0) throw trouble(path, 'write', done);
}
