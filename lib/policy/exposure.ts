/** Whose words a conversation has taken in: after a stranger's, what the model asks for may be their idea. Pure. */

/** Programs that bring what others wrote on the web. */
const WEB_PROGRAMS = words('curl wget wget2 lynx w3m elinks aria2c yt-dlp whois http https xh links links2 gh glab');
/** Behind options, which may take an argument, these are taken for a name. */
const ALSO_NAMES = words('http https xh links links2 gh glab');
/** They start the command that they are given, in a word of its own or in quotes. */
const CARRIERS = words(
  'sudo doas su runuser env nice ionice nohup timeout time exec command builtin eval setsid stdbuf watch xargs parallel busybox chroot nsenter unshare systemd-run bash sh dash zsh ash ksh fish ssh mosh docker podman nerdctl kubectl lxc',
);
/** Behind them a program is only named. */
const NAMING = words(
  'install add remove purge upgrade apt apt-get dnf yum apk pacman zypper brew dpkg rpm which type whereis man -v -V grep rg echo printf ls cat cp mv rm systemctl service',
);
/** What may stand before a command. */
const BEFORE = /^(?:[\w.+-]+=.*|if|while|until|then|do|else|elif|!|\$)$/;

/** Tools that run programs; the last one is of other programs, whose sessions can be imported. */
const RUNNERS: ReadonlySet<string> = new Set(['run_shell', 'send-keys', '!', 'bash']);
/** Tools whose results are what stands in files, or what programs print; those of the second line are of other programs. */
const READERS: ReadonlySet<string> = new Set([
  ...['run_shell', 'read_file', 'edit_file', 'read_output', 'capture-pane', 'send-keys', '!'],
  ...['bash', 'read', 'edit', 'grep', 'find', 'ls'],
]);
/** What tools of other programs are called that bring something of the web; of one that is taken for such, a question more is asked. */
const WEB_TOOL = /web|fetch|http|brows|search/i;
/** Characters of an address or a query in a sentence. */
const SHOWN = 60;

/** What of the web the result of that call holds, as the object of "has read"; null: nothing that is known. `preview`: the call in a line. */
export function webReadBy(tool: string, preview: string): string | null {
  if (tool === 'fetch_url') return cut(preview.split(' ', 1)[0] ?? '');
  if (tool === 'web_search') return `what the web says of “${cut(preview)}”`;
  // Tools of servers are called like that, and no others.
  const server = /^(.+?)__/.exec(tool)?.[1];
  if (server !== undefined) return `what the MCP server ${cut(server)} says`;
  if (!RUNNERS.has(tool)) return WEB_TOOL.test(tool) ? `what ${cut(tool)} brought` : null;
  // What is typed is in quotes as a whole when it holds what could be the name of a key.
  const program = webProgramIn(tool === 'send-keys' ? preview.replace(/^"/, '') : preview);
  return program === null ? null : `what ${program} brought`;
}

/** Can the result of that tool hold what stands in the files of the working folder? */
export function readsFolder(tool: string): boolean {
  return READERS.has(tool);
}

/** By how it looks only; a program that fetches something by itself (python, git) is not known. */
function webProgramIn(command: string): string | null {
  // A name in quotes or behind a backslash is that name.
  const pieces = command.replace(/(["'])([\w./-]*)\1|\\(?=\w)/g, '$2').split(/([\n;&|(){}`"'])/);
  let isCarried = false;
  for (let at = 0; at < pieces.length; at += 2) {
    const isQuoted = /["']/.test(pieces[at - 1] ?? '');
    const all = (pieces[at] ?? '').split(/\s+/).filter((word) => word !== '');
    const argv = all.slice(all.findIndex((word) => !BEFORE.test(word))).map((word) => word.slice(word.lastIndexOf('/') + 1));
    const isOnlyBefore = all.every((word) => BEFORE.test(word));
    if (isQuoted && !isCarried) continue;
    const [name = '', next] = isOnlyBefore ? [] : argv;
    if (WEB_PROGRAMS.has(name) && next !== undefined) return name;
    if (!isQuoted) isCarried = CARRIERS.has(name) || (all.length > 0 && isOnlyBefore);
    const from = CARRIERS.has(name) || isQuoted ? 0 : argv.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word));
    const found = from < 0 ? null : startedIn(argv.slice(from + 1));
    if (found !== null) return found;
  }
  return null;
}

/** The program among the words behind a carrier. */
function startedIn(argv: readonly string[]): string | null {
  for (const [at, word] of argv.entries()) {
    if (NAMING.has(word)) return null;
    if (WEB_PROGRAMS.has(word) && (at === 0 || !ALSO_NAMES.has(word))) return word;
  }
  return null;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
