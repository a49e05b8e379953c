/** Whose words a conversation has taken in: after a stranger's, what the model asks for may be their idea. Pure. */

/** Programs that bring what others wrote on the web, where a command begins. */
const WEB_PROGRAM =
  /(?:^|[\n;&|({`"]|\b(?:sudo|doas|env|exec|command|nohup|time|then|do|else|timeout\s+\S+|nice(?:\s+-n\s*\S+)?|xargs(?:\s+-\S+)*)\s)\s*(?:[\w.+-]*=\S*\s+)*(?:[\w./-]*\/)?(curl|wget2?|https?|xh|lynx|w3m|links2?|elinks|aria2c|yt-dlp|gh|glab|whois)\s/;

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
  if (!RUNNERS.has(tool)) return WEB_TOOL.test(tool) ? `what ${cut(tool)} brought` : null;
  const program = WEB_PROGRAM.exec(`${preview} `)?.[1];
  return program === undefined ? null : `what ${program} brought`;
}

/** Can the result of that tool hold what stands in the files of the working folder? */
export function readsFolder(tool: string): boolean {
  return READERS.has(tool);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
