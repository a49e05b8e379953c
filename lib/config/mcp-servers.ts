/** Servers of the Model Context Protocol: the tables `[mcp.servers.<name>]`, and what files called mcp.json say in the shapes of other programs. */

import type { ProfileRow } from './profiles.js';
import { flag, integer, oneOf, type SettingKind, text, texts } from './setting-kinds.js';
import { isTable, type TomlTable } from './toml.js';

/** How a server is reached. */
export type McpLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Null: the working folder. */
      readonly cwd: string | null;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Environment variable with a token for it; null: none. */
      readonly tokenEnv: string | null;
      /** As its login server knows us; null: we introduce ourselves. */
      readonly clientId: string | null;
    };

/** One server. */
export interface McpServerConfig {
  readonly name: string;
  /** The file that says so. */
  readonly from: string;
  /** It is the person's own; false: a project's that they trust. */
  readonly isOwn: boolean;
  readonly launch: McpLaunch;
  /** So long it may take to answer a call, from its last word of progress on. */
  readonly timeoutMs: number;
  /** So long it may take to start. */
  readonly startMs: number;
  readonly isEnabled: boolean;
  /** Only these tools, by the server's own names; null: all. */
  readonly only: readonly string[] | null;
  readonly without: readonly string[];
}

/** A table of texts. */
const textTable: SettingKind<Readonly<Record<string, string>>> = {
  expected: 'a table of strings, such as { "NAME" = "value" }',
  fromToml(raw) {
    if (!isTable(raw)) return undefined;
    const entries = Object.entries(raw);
    return entries.every(([, value]) => typeof value === 'string') ? (Object.fromEntries(entries) as Record<string, string>) : undefined;
  },
  fromText: () => undefined,
};

const START_SECS = 10;
const TIMEOUT_SECS = 60;

/** The keys of `[mcp.servers.<name>]`. */
export const mcpRows = {
  command: {
    kind: text,
    doc: 'The program of a server that is started here; without a shell. Its environment has no key of yours but what env says.',
  },
  args: { kind: texts, doc: 'Its arguments.' },
  env: { kind: textTable, doc: 'Variables for it. $' + '{NAME} is the value of a variable of yours (in your own files only).' },
  cwd: { kind: text, doc: 'The folder it is started in; the working folder when left out.' },
  url: { kind: text, doc: 'Address of a server that is reached over HTTP; instead of command.' },
  type: {
    kind: oneOf('stdio', 'http', 'streamable-http', 'sse'),
    doc: 'How it is spoken to; left out, a command is "stdio" and a url "http". "sse" is the older way over HTTP.',
  },
  headers: { kind: textTable, doc: 'Headers for each request to url; with the values of variables as in env.' },
  bearer_token_env: { kind: text, doc: 'Environment variable that holds a token for url.' },
  client_id: { kind: text, doc: 'Name of this program at the login of url, where it cannot introduce itself.' },
  enabled: { kind: flag, doc: 'False: it is not started until /mcp enable NAME.' },
  start_secs: {
    kind: integer(1, 600),
    doc: `Longest time for its start in seconds; ${START_SECS} when left out. A prompt waits no longer than that for it.`,
  },
  timeout_secs: {
    kind: integer(1, 86_400),
    doc: `Longest time for a call in seconds, counted from its last word of progress; ${TIMEOUT_SECS} when left out.`,
  },
  tools: { kind: texts, doc: 'Only these of its tools; all when left out.' },
  exclude_tools: { kind: texts, doc: 'Without these of its tools.' },
} as const satisfies Readonly<Record<string, ProfileRow>>;

type Values = { readonly [K in keyof typeof mcpRows]?: (typeof mcpRows)[K] extends ProfileRow<infer T> ? T : never };

const rows: Readonly<Record<string, ProfileRow>> = mcpRows;

/** Whose words they are. */
export interface McpOrigin {
  readonly from: string;
  readonly isOwn: boolean;
  /** What `${NAME}` stands for; left out: it stands for nothing, and a server that uses it is refused. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What a file says of servers: those that are sound, and a sentence for each that is not. */
export interface McpContent {
  readonly servers: readonly McpServerConfig[];
  readonly faults: readonly { readonly server: string; readonly says: string }[];
}

/** No file names more. */
const MOST_SERVERS = 50;
const NAME = /^[\w.-]{1,48}$/;

/** The servers of a table of tables. */
export function readMcpServers(table: TomlTable, origin: McpOrigin): McpContent {
  const servers: McpServerConfig[] = [];
  const faults: { readonly server: string; readonly says: string }[] = [];
  for (const [name, raw] of Object.entries(table)) {
    const found = servers.length >= MOST_SERVERS ? `there are more than ${MOST_SERVERS} servers` : serverOf(name, raw, origin);
    if (typeof found === 'string') faults.push({ server: name, says: found });
    else servers.push(found);
  }
  return { servers, faults };
}

/** A file called mcp.json: `mcpServers` (Claude and others) or `servers` (VS Code). */
export function readMcpJson(source: string, origin: McpOrigin): McpContent {
  let content: unknown;
  try {
    content = JSON.parse(source);
  } catch {
    return { servers: [], faults: [{ server: '', says: 'it is not JSON' }] };
  }
  const table = isTable(content) ? (content['mcpServers'] ?? content['servers']) : undefined;
  if (!isTable(table)) return { servers: [], faults: [{ server: '', says: 'it has no table "mcpServers"' }] };
  return readMcpServers(table, origin);
}

/** The server, or why there is none. */
function serverOf(name: string, raw: unknown, origin: McpOrigin): McpServerConfig | string {
  if (!NAME.test(name)) return 'a name has letters, digits and -_. only, at most 48';
  if (!isTable(raw)) return 'it must be a table';
  const values = checked(raw);
  if (typeof values === 'string') return values;
  const { command, url } = values;
  if ((command === undefined) === (url === undefined)) return 'it needs either "command" or "url"';
  const isStdio = command !== undefined;
  if (values.type !== undefined && (values.type === 'stdio') !== isStdio)
    return `"type" is ${JSON.stringify(values.type)}, which does not go with its ${isStdio ? 'command' : 'url'}`;
  if (values.bearer_token_env !== undefined && origin.env === undefined) return 'a project names no variable with a token of yours';
  const launch = isStdio ? stdioOf(values, command) : httpOf(values, url ?? '');
  if (typeof launch === 'string') return launch;
  const expanded = expandedIn(launch, origin.env);
  if (typeof expanded === 'string') return expanded;
  return {
    name,
    from: origin.from,
    isOwn: origin.isOwn,
    launch: expanded,
    timeoutMs: (values.timeout_secs ?? TIMEOUT_SECS) * 1000,
    startMs: (values.start_secs ?? START_SECS) * 1000,
    isEnabled: values.enabled ?? raw['disabled'] !== true,
    only: values.tools ?? null,
    without: values.exclude_tools ?? [],
  };
}

/** Keys that only other programs know are left alone. */
function checked(raw: TomlTable): Values | string {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
    if (row === undefined) continue;
    const found = row.kind.fromToml(value);
    if (found === undefined) return `"${key}" must be ${row.kind.expected}`;
    values[key] = found;
  }
  return values as Values;
}

function stdioOf({ args = [], env = {}, cwd }: Values, command: string): McpLaunch | string {
  if (command.trim() === '') return '"command" is empty';
  const bad = Object.keys(env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (bad !== undefined) return `${JSON.stringify(bad)} is no name of a variable`;
  return { kind: 'stdio', command, args, env, cwd: cwd ?? null };
}

function httpOf({ headers = {}, type, bearer_token_env, client_id }: Values, url: string): McpLaunch | string {
  const bad = Object.entries(headers).find(([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value));
  if (bad !== undefined) return `${JSON.stringify(bad[0])} is no header that can be sent`;
  return { kind: type === 'sse' ? 'sse' : 'http', url, headers, tokenEnv: bearer_token_env ?? null, clientId: client_id ?? null };
}

/** `${NAME}`, and `${NAME:-what else}`. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** With the values in the place of their names, or why not. Its program and its address are never made of a variable that is not there. */
function expandedIn(launch: McpLaunch, env: McpOrigin['env']): McpLaunch | string {
  let problem: string | null = null;
  const expand = (written: string): string =>
    written.replace(VARIABLE, (_, name: string, otherwise?: string) => {
      if (env === undefined)
        problem ??= `it asks for \${${name}}, and a project is told no variable of yours; write the server into your own buddy.toml`;
      const value = env?.[name] ?? otherwise;
      if (value === undefined) problem ??= `there is no variable ${name}`;
      return value ?? '';
    });
  const table = (of: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, expand(value)]));
  const done: McpLaunch =
    launch.kind === 'stdio'
      ? {
          ...launch,
          command: expand(launch.command),
          args: launch.args.map(expand),
          env: table(launch.env),
          cwd: launch.cwd === null ? null : expand(launch.cwd),
        }
      : { ...launch, url: expand(launch.url), headers: table(launch.headers) };
  if (problem !== null) return problem;
  if (done.kind === 'stdio') return done;
  const { protocol = '', username = '', password = '' } = URL.canParse(done.url) ? new URL(done.url) : {};
  if (!/^https?:$/.test(protocol)) return `"url" is no address: ${JSON.stringify(launch.kind === 'stdio' ? '' : launch.url)}`;
  // No fetch takes such an address.
  return username === '' && password === '' ? done : '"url" has a name or a password in it; they are sent as a header';
}

/** All of it that acts, for a person to see: the values of variables and headers only where they are shown nowhere else (`whole`). */
export function launchWords(launch: McpLaunch, whole = false): string {
  const table = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([name, value]) => (whole ? `${name}=${JSON.stringify(value)}` : name));
  if (launch.kind === 'stdio') {
    const { command, args, env, cwd } = launch;
    const names = table(env);
    return [
      [command, ...args].map(word).join(' '),
      ...(names.length === 0 ? [] : [`with ${names.join(', ')}`]),
      ...(cwd === null ? [] : [`in ${word(cwd)}`]),
    ].join(' ');
  }
  const names = table(launch.headers);
  return [
    /^[\x21-\x7e]+$/.test(launch.url) ? launch.url : JSON.stringify(launch.url),
    ...(names.length === 0 ? [] : [`with the headers ${names.join(', ')}`]),
    ...(launch.tokenEnv === null ? [] : [`and the token in ${launch.tokenEnv}`]),
  ].join(' ');
}

/** In quotes when more than one word could be read in it. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
