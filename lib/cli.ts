/** The grammar of the command line, in yargs. Loaded only when there are arguments. */

import yargs from 'yargs';
import { exitCodes } from './base/errors.js';
import { nearest } from './base/nearest.js';
import { completionShells, defaultOptions, flagRows, type Invocation, loginMethods, type Options, subcommandRows } from './cli-options.js';
import { ofReplay, ofTrace, ofTraceui, tracePositionals } from './cli-traces.js';

type Parsed = Readonly<Record<string, unknown>> & { readonly _: readonly (string | number)[] };

/** What `argv` asks for. Complaints come back as `printed` with exit code 2; nothing is thrown and nothing printed. */
export async function parseCommandLine(argv: readonly string[], version: string, columns: number): Promise<Invocation> {
  const grammar = grammarOf(version, columns);
  let complaint: string | null = null;
  let help = '';
  const parsed = (await grammar
    .fail((message, error) => {
      complaint ??= message ?? error?.message ?? 'the command line is not understood';
    })
    .parse(argv as string[], {}, (_error, _args, output) => {
      help = output;
    })) as Parsed;
  const wrong: string | null = complaint ?? valueMissing(parsed);
  if (wrong !== null) return refused(wrong, argv);
  if (help !== '') return { kind: 'printed', text: `${help}\n`, code: exitCodes.ok };
  const [command, ...rest] = parsed._.map(String);
  if (command === 'help') return { kind: 'printed', text: `${await grammar.getHelp()}\n`, code: exitCodes.ok };
  if (command === 'exec') {
    const words = [...((parsed['prompt'] as readonly unknown[] | undefined) ?? []), ...rest].map(String);
    return {
      kind: 'exec',
      options: optionsOf(parsed),
      prompt: words.join(' '),
      autoApprove: parsed['dangerously-auto-approve'] === true,
      session: typeof parsed['session'] === 'string' ? parsed['session'] : null,
      usage: parsed['usage'] === true,
      json: parsed['json'] === true,
    };
  }
  if (command === 'rpc') {
    const session = typeof parsed['session'] === 'string' ? parsed['session'] : null;
    return { kind: 'rpc', options: optionsOf(parsed), session, wait: parsed['wait'] === true };
  }
  if (command === 'doctor') {
    const is = (name: string) => parsed[name] === true;
    if (is('kept') && !is('clean')) return refused('--kept needs --clean');
    return { kind: 'doctor', options: optionsOf(parsed), clean: is('clean'), kept: is('kept'), json: is('json') };
  }
  if (command === 'resume') {
    const named = String(parsed['session'] ?? '');
    if (rest.length > 0) return refused('resume takes one session');
    if (named !== '' && parsed['last'] === true) return refused('resume takes a session or --last, not both');
    const file = typeof parsed['import'] === 'string' ? parsed['import'] : null;
    if (file !== null && (named !== '' || parsed['last'] === true)) return refused('resume takes a session or --import, not both');
    return { kind: 'resume', options: optionsOf(parsed), session: parsed['last'] === true ? 'last' : named, file };
  }
  if (command === 'init') return { kind: 'init', options: optionsOf(parsed), force: parsed['force'] === true };
  if (command === 'login' || command === 'logout') {
    const provider = String(parsed['provider'] ?? '');
    if (rest.length > 0) return refused(`${command} takes one provider`);
    if (command === 'logout') return { kind: 'logout', options: optionsOf(parsed), provider };
    const given = parsed['with'];
    const method = loginMethods.find((of) => of === given) ?? null;
    if (given !== undefined && method === null) return refused(`--with must be one of ${loginMethods.join(', ')}`);
    if (parsed['check'] === true && parsed['reset'] === true) return refused('--check and --reset exclude each other');
    const is = (name: string) => parsed[name] === true;
    return { kind: 'login', options: optionsOf(parsed), provider, check: is('check'), reset: is('reset'), method };
  }
  if (command === 'trust') {
    const is = (name: string) => parsed[name] === true;
    if (rest.length > 0) return refused('trust takes one folder');
    if (is('show') && is('revoke')) return refused('--show and --revoke exclude each other');
    return { kind: 'trust', options: optionsOf(parsed), folder: String(parsed['folder'] ?? ''), show: is('show'), revoke: is('revoke') };
  }
  if (command === 'completion') {
    const shell = completionShells.find((known) => known === (parsed['shell'] ?? rest[0]));
    if (shell === undefined) return refused(`completion needs the name of a shell: ${completionShells.join(', ')}`);
    const { completionScript } = await import('./modes/completion.js');
    return { kind: 'printed', text: completionScript(shell), code: exitCodes.ok };
  }
  if (command === 'trace') return ofTrace(parsed, refused);
  if (command === 'traceui') return ofTraceui(parsed, optionsOf(parsed), refused);
  if (command === 'replay') return ofReplay(parsed, optionsOf(parsed), refused);
  if (command === 'keys') return { kind: 'keys', options: optionsOf(parsed), list: parsed['list'] === true };
  if (command !== undefined) return refused(`Unknown command: ${command}`);
  return { kind: 'dashboard', options: optionsOf(parsed) };
}

function refused(complaint: string, argv: readonly string[] = []): Invocation {
  const sentence = inOurWords(complaint, argv);
  return { kind: 'printed', text: `buddy-tui: ${sentence}\nSee "buddy-tui help".\n`, code: exitCodes.usage };
}

/** Names the first thing that is not known and what was probably meant; other complaints of yargs are clear enough. */
function inOurWords(complaint: string, argv: readonly string[]): string {
  const unknown = /^Unknown (?:argument|command)s?: ([^,]+)/.exec(complaint.trim())?.[1];
  if (unknown === undefined) return complaint.trim().split('\n').join(' ');
  const flags = flagRows.flatMap((flag) => (flag.negative === undefined ? [flag.name] : [flag.name, `no-${flag.name}`]));
  const subcommands = subcommandRows.map((row) => row.usage.split(' ')[0] ?? '').filter((name) => name !== '$0');
  const flag = nearest(unknown, [...flags, 'help', 'version']);
  // yargs leaves the dashes out: what was written with them is meant for a flag.
  const isFlag = argv.some((word) => word.replace(/^--?/, '').split('=')[0] === unknown && word.startsWith('-'));
  const subcommand = isFlag ? null : nearest(unknown, subcommands);
  const meant = subcommand ?? (flag === null ? null : `--${flag}`);
  return `"${unknown}" is no flag or subcommand${meant === null ? '' : `; did you mean ${meant}?`}`;
}

function grammarOf(version: string, columns: number) {
  let grammar = yargs([])
    .scriptName('buddy-tui')
    .usage('A terminal AI agent that works in a tmux pane you watch.\n\n$0 [options]\n$0 COMMAND [options]')
    .version(version)
    .alias('version', 'V')
    .help()
    .alias('help', 'h')
    .wrap(Math.min(100, columns))
    .exitProcess(false)
    .strict()
    .parserConfiguration({ 'strip-aliased': true, 'camel-case-expansion': false });
  for (const flag of flagRows) {
    if (flag.only !== undefined) continue;
    grammar = grammar.option(flag.name, describe(flag));
  }
  for (const { usage, says } of subcommandRows) {
    const name = usage.split(' ')[0];
    grammar = grammar.command(
      usage,
      says,
      (sub) => {
        const own = flagRows.filter((flag) => flag.only?.some((only) => only === name) === true);
        const withOwn = own.reduce((builder, flag) => builder.option(flag.name, describe(flag)), sub);
        if (usage.includes('[provider]')) return withOwn.positional('provider', { type: 'string', describe: 'A provider or a profile.' });
        if (name === 'resume') return withOwn.positional('session', { type: 'string', describe: 'Its id.' });
        if (name === 'trust') return withOwn.positional('folder', { type: 'string', describe: 'The folder.' });
        if (usage.includes('[file]')) return tracePositionals(withOwn, usage.includes('[view]'));
        if (name === 'completion') return withOwn.positional('shell', { type: 'string', describe: completionShells.join(', ') });
        return name === 'exec' ? withOwn.positional('prompt', { type: 'string', array: true, describe: 'What to do.' }) : withOwn;
      },
      () => undefined,
    );
  }
  return grammar;
}

function describe(flag: (typeof flagRows)[number]) {
  return {
    describe: flag.says,
    ...(flag.type === 'count' ? { count: true } : { type: flag.type }),
    ...(flag.alias === undefined ? {} : { alias: flag.alias }),
    ...(flag.type === 'string' ? { requiresArg: true } : {}),
  } as const;
}

/** yargs takes `--config=` for an empty string. */
function valueMissing(parsed: Parsed): string | null {
  const empty = flagRows.find((flag) => flag.type === 'string' && parsed[flag.name] === '');
  return empty === undefined ? null : `--${empty.name} needs a ${empty.value ?? 'value'}`;
}

function optionsOf(parsed: Parsed): Options {
  const text = (name: string) => {
    const given = parsed[name];
    const value: unknown = Array.isArray(given) ? given.at(-1) : given;
    return typeof value === 'string' ? value : undefined;
  };
  const all = (name: string) => {
    const of = parsed[name];
    return of === undefined ? undefined : (Array.isArray(of) ? of : [of]).map(String);
  };
  const names = (name: string) => all(name)?.flatMap((of) => of.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])));
  const given = {
    config: text('config'),
    model: text('model'),
    baseUrl: text('base-url'),
    tmux: text('tmux'),
    ssh: text('ssh'),
    container: text('container'),
    trace: text('trace'),
    systemPrompt: text('system-prompt'),
    appendSystemPrompt: text('append-system-prompt'),
    skills: all('skill'),
    contextFiles: parsed['context-files'] === false ? false : undefined,
    extensionPaths: all('extension'),
    extensions: parsed['extensions'] === false ? false : undefined,
    builtinTools: parsed['builtin-tools'] === false ? false : undefined,
    tools: names('tools'),
    excludeTools: names('exclude-tools'),
  };
  return {
    ...defaultOptions,
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Options>),
    direct: parsed['direct'] === true,
    plain: parsed['plain'] === true,
    color: parsed['color'] !== false,
    verbose: typeof parsed['verbose'] === 'number' ? parsed['verbose'] : 0,
  };
}
