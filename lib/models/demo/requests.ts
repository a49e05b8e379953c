/** What the demonstration understands: one rule a line of thought, tried from top to bottom. */

/** A call that the demonstration makes. */
export interface DemoCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What it says it will do, and then does. */
export interface DemoPlan {
  readonly thought: string;
  readonly text: string;
  readonly calls: readonly DemoCall[];
}

/** A rule that takes the whole request, or leaves it. */
type Rule = (request: string) => DemoPlan | null;

/** Programs that only look; for everything else the demonstration says that it may change something. */
const LOOKING =
  /^(?:cat|date|df|dmesg|du|echo|env|file|free|grep|head|hostname|id|journalctl|last|ls|lsblk|lscpu|ps|pwd|seq|sleep|stat|tail|top|true|uname|uptime|w|wc|which|who|whoami)\b[^;&|<>`$\n]*$/;

function shell(command: string, why: string, wait: boolean | string = true): DemoCall {
  const looks = LOOKING.test(command);
  const privesc = /(?:^|[;&|]\s*)(?:sudo|doas|su)\b/.test(command);
  return { tool: 'run_shell', args: { command, wait, risk: looks ? 'low' : privesc ? 'high' : 'medium', mutation: !looks, privesc, why } };
}

/** `path` as one word for a shell; a leading `~/` keeps its meaning. */
function shellWord(path: string): string {
  if (/^~?[\w./@:+-]*$/.test(path)) return path;
  const home = path.startsWith('~/') ? '~/' : '';
  return `${home}'${path.slice(home.length).replaceAll("'", "'\\''")}'`;
}

/** The text without the quotes around it, when it is quoted as a whole. */
function unquoted(text: string): string {
  const quoted = /^(["'`])([\s\S]*)\1$/.exec(text);
  return quoted?.[2] !== undefined && !quoted[2].includes(quoted[1] ?? '') ? quoted[2] : text;
}

const runCommand: Rule = (request) => {
  const found = /^(?:please\s+|now\s+|can you\s+)?(?:run|execute)\s+(?:the\s+command\s+)?([\s\S]+)$/i.exec(request);
  if (found === null) return null;
  const background = /\s+in (?:the )?background[.!]?$/i;
  const detached = background.test(found[1] ?? '');
  const command = unquoted((found[1] ?? '').replace(background, '').trim());
  return {
    thought: 'I am asked to run a command; it runs exactly as it was given.',
    text: detached ? 'I will start that command and leave it running.' : 'I will run that command in the shared pane.',
    calls: [shell(command, 'You asked me to run this command.', !detached)],
  };
};

const writeFile: Rule = (request) => {
  const found = /^(?:please\s+)?write\s+([\s\S]+?)\s+(?:to|into)\s+(?:the file\s+)?(\S+)$/i.exec(request);
  if (found === null) return null;
  const path = unquoted(found[2] ?? '');
  return {
    thought: 'I am asked to write a file.',
    text: `I will write ${path}.`,
    calls: [{ tool: 'write_file', args: { path, content: `${unquoted(found[1] ?? '')}\n`, why: 'You asked me to write this file.' } }],
  };
};

const readFile: Rule = (request) => {
  const found = /^(?:please\s+)?(?:read|open|cat|show(?:\s+me)?)\s+(?:the\s+)?(?:file\s+)?(\S*[/.]\S*?)[?.!]?$/i.exec(request);
  if (found === null) return null;
  const path = unquoted(found[1] ?? '');
  return {
    thought: 'I am asked for the content of a file.',
    text: `I will read ${path}.`,
    calls: [{ tool: 'read_file', args: { path, why: 'You asked for the content of this file.' } }],
  };
};

const listFolder: Rule = (request) => {
  const found =
    /(?:what(?:'s|’s| is)(?: there)? in|\blist|\bls|files in|content of)\s+(?:the\s+)?(?:files in\s+)?(?:folder\s+|directory\s+)?([~/.][^\s?]*)/i.exec(
      request,
    );
  if (found === null) return null;
  const path = found[1] ?? '/tmp';
  return {
    thought: 'A listing of the folder answers this.',
    text: `I will list what is in ${path}.`,
    calls: [shell(`ls -la ${shellWord(path)}`, 'A listing shows what is in the folder.')],
  };
};

const readScreen: Rule = (request) =>
  /\b(?:screen|capture|pane)\b/i.test(request)
    ? {
        thought: 'The shared pane shows it.',
        text: 'I will look at the shared pane.',
        calls: [{ tool: 'capture-pane', args: { why: 'You asked what is on the screen.' } }],
      }
    : null;

const tellTime: Rule = (request) =>
  /\b(?:what(?:'s|’s| is) the time|what time|clock|today)\b/i.test(request)
    ? {
        thought: 'The clock of the harness knows.',
        text: 'I will look at the clock.',
        calls: [{ tool: 'time', args: { why: 'You asked for the time.' } }],
      }
    : null;

/** Questions about the state of the machine; several in one request become calls at the same time. */
const topics: readonly { readonly about: RegExp; readonly says: string; readonly command: string; readonly why: string }[] = [
  {
    about: /\b(?:disks?|df|file ?systems?|space|storage|full)\b/i,
    says: 'how full the disks are',
    command: 'df -h',
    why: 'df shows how full each file system is.',
  },
  {
    about: /\b(?:memory|ram|swap)\b/i,
    says: 'how much memory is in use',
    command: 'free -h',
    why: 'free shows how much memory is used and available.',
  },
  {
    about: /\b(?:uptime|load|cpu|busy)\b/i,
    says: 'how busy the machine is',
    command: 'uptime',
    why: 'uptime shows the load and how long the machine has been up.',
  },
];

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const machineState: Rule = (request) => {
  const asked = topics.filter(({ about }) => about.test(request));
  if (asked.length === 0) return null;
  return {
    thought: `${joined(asked.map(({ command }) => command))} will tell; ${asked.length > 1 ? 'they only look' : 'it only looks'}.`,
    text: `I will check ${joined(asked.map(({ says }) => says))}.`,
    calls: asked.map(({ command, why }) => shell(command, why)),
  };
};

const rules: readonly Rule[] = [runCommand, writeFile, readFile, listFolder, readScreen, machineState, tellTime];

/** What to do about `request`, or null when no rule knows. */
export function planFor(request: string): DemoPlan | null {
  const trimmed = request.trim();
  for (const rule of rules) {
    const plan = rule(trimmed);
    if (plan !== null) return plan;
  }
  return null;
}

/** What the demonstration is and can do, as markdown. */
export const HELP = `I am the **demo**: no model, but a few fixed rules that drive the real tools on your real machine. Ask me for example:

- **how full is the disk?** runs \`df -h\` and reads the answer
- **disk and memory** does two things at once
- **how busy is the machine?** runs \`uptime\`
- **what is in /tmp** lists a folder
- **run \`uname -a\`** runs any command, once you have approved it
- **read /etc/hostname** reads a file, **write hello to /tmp/hello.txt** writes one
- **what is on the screen?** looks at the shared pane

For a real model, set a key and choose its profile:

\`\`\`sh
export OPENAI_API_KEY=...
buddy-tui -m gpt-codex
\`\`\`

Inside, \`/model\` shows the profiles. Any server that speaks chat completions or responses works: write a profile into \`~/.config/buddy/buddy.toml\`.
`;
