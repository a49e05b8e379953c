/** POSIX sh scripts for the other end of a connection, and what comes back from them. */

import { randomBytes } from 'node:crypto';
import { shellWord } from '../tmux/quoting.js';
import { foundTmux, type PlaceFacts } from './place.js';

/** Characters that mean themselves in every shell, inside double quotes and in `printf %b`. */
const PLAIN = /^[A-Za-z0-9 _/.,:=@+-]$/;

/**
 * A command line that makes any login shell (also fish and csh, which quote in other ways) run `script` in a POSIX sh with its
 * stdin untouched. At most some 25 kB of script: the line is up to five times as long, and Linux takes 128 kB.
 */
export function forAnyShell(script: string): string {
  let encoded = '';
  for (const byte of Buffer.from(script, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += byte < 0x80 && PLAIN.test(character) ? character : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return `exec sh -c 'eval "$(printf %b "${encoded}")"'`;
}

/** A script with unguessable lines around its output, so that what start-up files print is told apart, and so is a cut connection. */
export interface FramedScript {
  readonly script: string;
  /** Standard output and exit code, or null when its end has not come. */
  read(stdout: Buffer): { readonly code: number; readonly stdout: Buffer } | null;
  /** What has come so far of its output, while the end has not. */
  begun(stdout: Buffer): Buffer;
}

/** Runs `body` in a subshell. */
export function framed(body: string): FramedScript {
  const mark = randomBytes(12).toString('hex');
  const begin = `\n${mark}\n`;
  const end = `\n${mark} `;
  return {
    script: `printf '\\n%s\\n' ${mark}\n(\n${body}\n)\nprintf '\\n%s %s\\n' ${mark} $?`,
    begun(stdout) {
      const from = stdout.indexOf(begin);
      return from < 0 ? stdout.subarray(0, 0) : stdout.subarray(from + begin.length);
    },
    read(stdout) {
      const from = stdout.indexOf(begin);
      const to = stdout.lastIndexOf(end);
      if (from < 0 || to < from) return null;
      const code = /^(\d+)\n/.exec(stdout.toString('latin1', to + end.length))?.[1];
      return code === undefined ? null : { code: Number(code), stdout: stdout.subarray(Math.min(from + begin.length, to), to) };
    },
  };
}

/** Where tmux lies when it is not in the short PATH of a shell that nobody logged in to. */
const TMUX_PATHS = [
  'tmux',
  ...['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux', '/opt/local/bin/tmux', '/usr/pkg/bin/tmux'],
  ...['/home/linuxbrew/.linuxbrew/bin/tmux', '/snap/bin/tmux', '/opt/bin/tmux'],
];

/** The script that a connection is held with: it tells the facts, then repeats what it reads until nobody is at the other end. */
export function anchorScript(mark: string): string {
  return `printf '\\n%s\\n' ${mark}
echo "host=$(uname -n 2>/dev/null)"
echo "user=$(id -un 2>/dev/null || id -u)"
echo "home=\${HOME:-/}"
echo "cwd=$(pwd)"
echo "system=$(uname -s 2>/dev/null)"
echo "locale=\${LC_ALL:-\${LC_CTYPE:-\${LANG:-}}}"
echo "shell=\${SHELL:-}"
echo "login=$(sed -n "s/^$(id -un):.*:\\([^:]*\\)$/\\1/p" /etc/passwd 2>/dev/null)"
for s in bash zsh ash dash; do p=$(command -v $s 2>/dev/null) && echo "found=$p"; done
for t in ${TMUX_PATHS.join(' ')} "\${HOME:-}/.local/bin/tmux" "\${HOME:-}/bin/tmux"; do
v=$("$t" -V 2>/dev/null) && { echo "tmux=$t $v"; break; }
done
echo end=${mark}
exec cat`;
}

/** What such a script has told, or null when it is not through. */
export function readFacts(text: string, mark: string): { readonly facts: PlaceFacts; readonly locale: string } | null {
  const from = text.indexOf(`\n${mark}\n`);
  const to = text.indexOf(`\nend=${mark}\n`);
  if (from < 0 || to < 0) return null;
  const lines = text.slice(from + mark.length + 2, to).split('\n');
  const all = (key: string) => lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  const one = (key: string) => all(key)[0] ?? '';
  const tmux = /^(.*) (tmux .*)$/.exec(one('tmux'));
  return {
    locale: one('locale'),
    facts: {
      host: one('host'),
      user: one('user'),
      home: one('home'),
      cwd: one('cwd') || '/',
      shells: [...all('shell'), ...all('login'), ...all('found')].filter((shell) => shell !== ''),
      system: one('system'),
      tmux: tmux === null ? null : foundTmux(tmux[1] ?? '', tmux[2] ?? ''),
    },
  };
}

/** `argv` as a script that becomes that program. */
export function programScript(argv: readonly string[], environment: Readonly<Record<string, string>>, cwd?: string): string {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${shellWord(value)}\n`);
  const folder = cwd === undefined ? '' : `cd ${shellWord(cwd)} || exit 126\n`;
  return `${exports.join('')}${folder}exec ${argv.map(shellWord).join(' ')}`;
}

/** The first line of what a program complained, '' when it said nothing. */
export function firstLine(stderr: string): string {
  return stderr.trim().split('\n')[0]?.trim() ?? '';
}
