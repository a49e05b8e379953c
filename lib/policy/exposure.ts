/** Whose words a conversation has taken in: after a stranger's, what the model asks for may be their idea. Pure. */

/** Programs that bring what others wrote on the web. */
const WEB_PROGRAMS = words('curl wget wget2 lynx w3m elinks aria2c yt-dlp whois http https xh links links2 gh glab');
/** What these are given is code that nobody takes apart: a program that is mentioned in it counts. */
const CODE_READERS = words('fish csh tcsh python python3 perl ruby node php awk gawk mawk tmux screen');

/** What a command was found to run, each with its words: `judgeShell` knows, also of what stands inside of others. */
export type CommandsIn = (command: string) => readonly (readonly string[])[];

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

/** Is it its commands that say what the result of that tool holds? */
export function runsPrograms(tool: string): boolean {
  return RUNNERS.has(tool);
}

/** What of the web the result of that call holds, as the object of "has read"; null: nothing that is known. `preview`: the call in a line. */
export function webReadBy(tool: string, preview: string, commandsIn: CommandsIn): string | null {
  if (tool === 'fetch_url') return cut(preview.split(' ', 1)[0] ?? '');
  if (tool === 'web_search') return `what the web says of “${cut(preview)}”`;
  // Tools of servers are called like that, and no others.
  const server = /^(.+?)__/.exec(tool)?.[1];
  if (server !== undefined) return `what the MCP server ${cut(server)} says`;
  if (!runsPrograms(tool)) return WEB_TOOL.test(tool) ? `what ${cut(tool)} brought` : null;
  const program = webProgramIn(tool === 'send-keys' ? typedText(preview) : preview, commandsIn);
  return program === null ? null : `what ${program} brought`;
}

/** Can the result of that tool hold what stands in the files of the working folder? */
export function readsFolder(tool: string): boolean {
  return READERS.has(tool);
}

/** Does that tool tell what stands in files also of a call that does not run? An edit that cannot be made names the nearest lines. */
export function tellsUnrun(tool: string): boolean {
  return tool === 'edit_file';
}

/** Without the keys behind it; in quotes as a whole when it holds what could be the name of a key. */
function typedText(preview: string): string {
  return (/^"((?:[^"\\]|\\.)*)"/.exec(preview)?.[1] ?? preview.replace(/ ?<[A-Za-z0-9-]+>/g, '\n')).replace(/\\(["\\])/g, '$1');
}

/** A program that fetches something by itself (python, git) is not known. */
function webProgramIn(command: string, commandsIn: CommandsIn): string | null {
  const commands = commandsIn(command);
  for (const [program = '', ...args] of commands) {
    const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
    const found = WEB_PROGRAMS.has(name) ? name : CODE_READERS.has(name) ? mentionIn(args.join(' ')) : null;
    if (found !== null) return found;
  }
  // What is too long or nested too deep was not taken apart.
  return commands.length > 0 ? null : mentionIn(command);
}

function mentionIn(text: string): string | null {
  return text.split(/[^\w-]+/).find((word) => WEB_PROGRAMS.has(word)) ?? null;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
