/** What the command line can say, as values. */

/** Options of every mode. */
export interface Options {
  /** `-c FILE`. */
  readonly config?: string;
  /** `-m NAME`: a profile, or a model on the chosen profile's server. */
  readonly model?: string;
  readonly baseUrl?: string;
  /** `--tmux NAME`: a session on the user's own tmux server. */
  readonly tmux?: string;
  /** `--ssh [USER@]HOST[:PORT]`: commands run on that host. */
  readonly ssh?: string;
  /** `--container NAME`: commands run in that container. */
  readonly container?: string;
  /** `--direct`: no tmux. */
  readonly direct: boolean;
  /** `--plain`: lines instead of a screen. */
  readonly plain: boolean;
  readonly color: boolean;
  /** How often `-v` was given. */
  readonly verbose: number;
  /** `--trace FILE`. */
  readonly trace?: string;
  /** `--system-prompt TEXT`, `--append-system-prompt TEXT`. */
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** `--no-context-files` gives false; left out: true. */
  readonly contextFiles?: boolean;
  /** `--skill PATH`, each of them. */
  readonly skills?: readonly string[];
  /** `-e PATH`, each of them. */
  readonly extensionPaths?: readonly string[];
  /** `--no-extensions` gives false; left out: true. */
  readonly extensions?: boolean;
  /** `--no-builtin-tools` gives false; left out: true. */
  readonly builtinTools?: boolean;
  /** `--tools a,b`: only these; left out: all. */
  readonly tools?: readonly string[];
  /** `--exclude-tools a,b`. */
  readonly excludeTools?: readonly string[];
}

/** What was asked for. */
export type Invocation =
  | { readonly kind: 'dashboard'; readonly options: Options }
  | {
      readonly kind: 'exec';
      readonly options: Options;
      /** '' when everything comes from standard input. */
      readonly prompt: string;
      readonly autoApprove: boolean;
      /** Keep it as a session: `new`, `last` or the id of one to go on in; null: keep none. */
      readonly session: string | null;
      readonly json: boolean;
      /** Say at the end what it took. */
      readonly usage: boolean;
    }
  /** `session`: the one to go on in, `last`, or `new`; null: a new one. `wait`: at the end of the input, for what was asked for. */
  | { readonly kind: 'rpc'; readonly options: Options; readonly session: string | null; readonly wait: boolean }
  | {
      readonly kind: 'doctor';
      readonly options: Options;
      readonly clean: boolean;
      readonly kept: boolean;
      readonly json: boolean;
    }
  | {
      readonly kind: 'login';
      readonly options: Options;
      /** '' when none is named. */
      readonly provider: string;
      readonly check: boolean;
      readonly reset: boolean;
      readonly method: (typeof loginMethods)[number] | null;
    }
  /** `session`: an id, `last`, or '' for a list to choose from; `file`: one to import instead. */
  | { readonly kind: 'resume'; readonly options: Options; readonly session: string; readonly file: string | null }
  | { readonly kind: 'init'; readonly options: Options; readonly force: boolean }
  | { readonly kind: 'logout'; readonly options: Options; readonly provider: string }
  /** `folder`: '' for the working one. */
  | {
      readonly kind: 'trust';
      readonly options: Options;
      readonly folder: string;
      readonly show: boolean;
      readonly revoke: boolean;
    }
  /** The key tester; `list`: print the actions and their keys instead. */
  | { readonly kind: 'keys'; readonly options: Options; readonly list: boolean }
  /** What a trace comes to; `turn` for `replay`. */
  | {
      readonly kind: 'trace';
      readonly view: (typeof traceViews)[number];
      readonly file: string;
      readonly turn: number | null;
      readonly json: boolean;
    }
  /** `stream`: the file is watched while it grows. */
  | { readonly kind: 'traceui'; readonly options: Options; readonly file: string; readonly stream: boolean }
  /** Plays the recorded screen, or writes it into a file (`cast`) of that size; null: as it was recorded. */
  | {
      readonly kind: 'replay';
      readonly options: Options;
      readonly file: string;
      readonly speed: number;
      readonly cast: string | null;
      readonly size: { readonly cols: number; readonly rows: number } | null;
    }
  /** Help or a complaint: print it and leave. */
  | { readonly kind: 'printed'; readonly text: string; readonly code: number };

/** Providers that login knows by name (`modes/login-places.ts` has a row for each). */
export const loginProviders = ['openai', 'openrouter', 'anthropic', 'google', 'moonshot', 'deepseek', 'zai', 'mistral', 'groq'] as const;

/** What --with can say. */
export const loginMethods = ['browser', 'device', 'key'] as const;

/** What the subcommand trace can print. */
export const traceViews = ['summary', 'replay', 'context-evolution'] as const;

/** The options of a plain start. */
export const defaultOptions: Options = { direct: false, plain: false, color: true, verbose: 0 };

/** One flag: the grammar, the help and the manual are made from these rows. */
export interface FlagRow {
  readonly name: string;
  readonly alias?: string;
  readonly type: 'string' | 'boolean' | 'count';
  /** Name of its value in the manual. */
  readonly value?: string;
  readonly says: string;
  /** What a shell offers for its value; nothing when left out. */
  readonly completes?: 'file' | 'profile' | 'host' | 'container' | 'session';
  /** It is written as `--no-NAME`: what it says then. */
  readonly negative?: string;
  /** Only for these subcommands. */
  readonly only?: readonly SubcommandName[];
}

/** Every flag. */
export const flagRows: readonly FlagRow[] = [
  { name: 'config', alias: 'c', type: 'string', value: 'FILE', completes: 'file', says: 'Read this configuration file.' },
  {
    name: 'model',
    alias: 'm',
    type: 'string',
    value: 'NAME',
    completes: 'profile',
    says: 'Start with this model profile, or this model on the chosen server.',
  },
  { name: 'base-url', type: 'string', value: 'URL', says: 'Talk to this OpenAI-compatible server.' },
  {
    name: 'tmux',
    type: 'string',
    value: 'NAME',
    completes: 'session',
    says: 'Work on your own tmux server, in a session called buddy-NAME.',
  },
  {
    name: 'ssh',
    type: 'string',
    value: '[USER@]HOST[:PORT]',
    completes: 'host',
    says: 'Run everything on this host, over your own ssh configuration.',
  },
  {
    name: 'container',
    type: 'string',
    value: 'NAME',
    completes: 'container',
    says: 'Run everything in this running docker or podman container.',
  },
  { name: 'direct', type: 'boolean', says: 'Run commands without tmux.' },
  { name: 'plain', type: 'boolean', says: 'Lines instead of a screen: for screen readers, simple terminals and pipes.' },
  { name: 'color', type: 'boolean', says: 'Use colours; --no-color turns them off.', negative: 'Do not use colours.' },
  { name: 'verbose', alias: 'v', type: 'count', says: 'Write more to the log; twice for everything.' },
  { name: 'trace', type: 'string', value: 'FILE', completes: 'file', says: 'Write everything that happens to this file as JSON lines.' },
  {
    name: 'system-prompt',
    type: 'string',
    value: 'TEXT',
    says: 'Say this instead of the general part of the system prompt; what safety and the tools require stays.',
  },
  { name: 'append-system-prompt', type: 'string', value: 'TEXT', says: 'Add this to the system prompt.' },
  {
    name: 'context-files',
    type: 'boolean',
    says: 'Tell the model what AGENTS.md and the like say; --no-context-files turns that off.',
    negative: 'Tell the model nothing of AGENTS.md and the like, wherever they lie.',
  },
  {
    name: 'skill',
    type: 'string',
    value: 'PATH',
    completes: 'file',
    says: 'Offer this skill, or the skills of this folder, too; can be given again.',
  },
  {
    name: 'extension',
    alias: 'e',
    type: 'string',
    value: 'PATH',
    completes: 'file',
    says: 'Load this extension as well, a module or a folder with an index; can be given again.',
  },
  { name: 'extensions', type: 'boolean', says: 'Load extensions of yours; --no-extensions loads none.', negative: 'Load no extensions.' },
  {
    name: 'builtin-tools',
    type: 'boolean',
    says: 'Let the model use the tools of the program; --no-builtin-tools leaves those of extensions and servers.',
    negative: 'Let the model use no tools but those of extensions and servers.',
  },
  { name: 'tools', type: 'string', value: 'NAMES', says: 'Let the model use these tools only, separated by commas.' },
  { name: 'exclude-tools', type: 'string', value: 'NAMES', says: 'Never let the model use these tools.' },
  {
    name: 'dangerously-auto-approve',
    type: 'boolean',
    says: 'Run what the model asks for without asking, until words of strangers were read.',
    only: ['exec'],
  },
  {
    name: 'session',
    type: 'string',
    value: 'ID',
    says: 'Keep this as a session, to go on in it: a new one with "new", the one with this id, or "last". rpc keeps one anyway.',
    only: ['exec', 'rpc'],
  },
  {
    name: 'json',
    type: 'boolean',
    says: 'exec: print every event as a JSON line instead of the answer, and at last what it took (exec.usage), see buddy-tui-rpc(7); doctor and trace: print what they found as one.',
    only: ['exec', 'doctor', 'trace'],
  },
  {
    name: 'usage',
    type: 'boolean',
    says: 'Print on standard error what it took, in tokens and money.',
    only: ['exec'],
  },
  {
    name: 'wait',
    type: 'boolean',
    says: 'When standard input ends, finish what was asked for; questions are answered with no. Without it the end is at once.',
    only: ['rpc'],
  },
  { name: 'clean', type: 'boolean', says: 'End sessions whose program is gone, remove files that nobody owns any more.', only: ['doctor'] },
  { name: 'check', type: 'boolean', says: 'Only tell which logins and keys there are; exit code 1 when there is none.', only: ['login'] },
  { name: 'reset', type: 'boolean', says: 'Forget what there is first.', only: ['login'] },
  { name: 'with', type: 'string', value: 'METHOD', says: 'How: browser, device (a code for any browser) or key.', only: ['login'] },
  { name: 'force', type: 'boolean', says: 'Also when there is a file already: it is kept under another name.', only: ['init'] },
  { name: 'kept', type: 'boolean', says: 'With --clean: end the sessions that were kept, too.', only: ['doctor'] },
  { name: 'last', type: 'boolean', says: 'The newest session of this folder.', only: ['resume'] },
  { name: 'show', type: 'boolean', says: 'Only show it; exit code 1 when files of the folder are ignored.', only: ['trust'] },
  { name: 'revoke', type: 'boolean', says: 'Forget what was said of the folder.', only: ['trust'] },
  {
    name: 'import',
    type: 'string',
    value: 'FILE',
    completes: 'file',
    says: 'Make a session of this file and go on in it: one of buddy (JSON), of pi (JSON lines), or of this program, whoever wrote it.',
    only: ['resume'],
  },
  { name: 'list', type: 'boolean', says: 'Print every action that a key can have, with its keys.', only: ['keys'] },
  { name: 'turn', type: 'string', value: 'N', says: 'The n-th prompt of the trace, from 1.', only: ['trace'] },
  { name: 'stream', type: 'boolean', says: 'Follow the file while it is written.', only: ['traceui'] },
  { name: 'speed', type: 'string', value: 'N', says: 'Play it so many times as fast.', only: ['replay'] },
  {
    name: 'cast',
    type: 'string',
    value: 'OUT',
    completes: 'file',
    says: 'Write the recorded screen into this file instead, for asciinema (asciicast v2); "-" for standard output.',
    only: ['replay'],
  },
  { name: 'size', type: 'string', value: 'COLSxROWS', says: 'With --cast: draw it at this size.', only: ['replay'] },
];

/** One subcommand, for the help and the manual. */
export interface SubcommandRow {
  readonly usage: string;
  readonly says: string;
  /** The words that may follow it. */
  readonly words?: readonly string[];
  /** A file may follow it, behind the words when there are any. */
  readonly file?: true;
}

/** Shells that there is a completion for. */
export const completionShells = ['bash', 'zsh', 'fish'] as const;

const rows = [
  { usage: '$0', says: 'Open the dashboard.' },
  { usage: 'exec [prompt..]', says: 'Answer one prompt on standard output and leave; piped input is added to the prompt.' },
  {
    usage: 'rpc',
    says: 'Be driven by another program: commands as JSON lines on standard input, events and replies on standard output, see buddy-tui-rpc(7).',
  },
  {
    usage: 'resume [session]',
    says: 'Go on in an earlier session of this folder: one that is named, the newest with --last, or one from a list.',
  },
  {
    usage: 'doctor',
    says: 'Check what the program needs, list its sessions and what was left behind; exit code 1 when something is wrong.',
  },
  {
    usage: 'init',
    says: 'Write a first configuration: finds servers on this machine, keys and logins, and asks which to start with.',
  },
  {
    usage: 'login [provider]',
    says: 'Log in with a ChatGPT account, or store an API key for a provider or a profile; a key can be piped in.',
    words: loginProviders,
  },
  { usage: 'logout [provider]', says: 'Forget the login and the key for a provider, or all of them.', words: loginProviders },
  {
    usage: 'trust [folder]',
    says: 'Show what the files of a folder would change here, and ask whether they may; the working folder when none is named.',
  },
  {
    usage: 'completion [shell]',
    says: `Print what lets a shell complete the command line: ${completionShells.join(', ')}.`,
    words: completionShells,
  },
  {
    usage: 'keys',
    says: 'Show for each key that you press what the terminal sends, what the key is called and what it does; Ctrl+C twice or q twice leaves.',
  },
  {
    usage: 'trace [view] [file]',
    says: 'Read what --trace wrote: a summary; a turn of it, as lines (replay --turn N); or how the context window filled (context-evolution).',
    words: traceViews,
    file: true,
  },
  {
    usage: 'traceui [file]',
    says: 'Look through what --trace wrote, on the whole screen; with --stream while it is being written.',
    file: true,
  },
  {
    usage: 'replay [file]',
    says: 'Play the screen that --trace recorded: Space pauses, the arrows seek and step, + and - change the speed, q leaves.',
    file: true,
  },
  { usage: 'help', says: 'Show this help.' },
] as const satisfies readonly SubcommandRow[];

/** Every subcommand. */
export const subcommandRows: readonly SubcommandRow[] = rows;

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;

/** What one of them is called. */
type SubcommandName = FirstWord<(typeof rows)[number]['usage']>;
