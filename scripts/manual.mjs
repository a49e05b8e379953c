/**
 * npm run manual: writes the man pages and the tables of README.md from the program's own tables of flags, settings, keys and
 * commands. With --check nothing is written, and the exit code tells whether everything was up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { fail, root } from './setup.mjs';

if (!build()) fail('the build failed; see above', 1);
const load = (path) => import(pathToFileURL(join(root, 'dist', 'lib', path)).href);
const { flagRows, subcommandRows } = await load('cli-options.js');
const { settingRows } = await load('config/settings.js');
const { isLive } = await load('modes/live-settings.js');
const { profileRows } = await load('config/profiles.js');
const { catalogueRows } = await load('config/catalogue-rules.js');
const { mcpRows } = await load('config/mcp-servers.js');
const { contextTitles: contexts, keymap, keyLabel } = await load('view/keymap.js');
const { slashCommands } = await load('commands/index.js');
const { playerRows } = await load('view/player.js');
const { viewerRows } = await load('view/trace-viewer.js');
const { commandRows } = await load('protocol/command-rows.js');
const { eventRows } = await load('protocol/event-rows.js');
const { objectRows, variantRows } = await load('protocol/object-rows.js');
const { MOST_LINE_BYTES, PROTOCOL_VERSION } = await load('protocol/wire.js');
const { tmuxLines } = await load('modes/extended-keys.js');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
const entry = (head, text) => `.TP\n.B ${roff(head)}\n${roff(text)}\n`;
const page = (name, section, title, sections) =>
  `.\\" Written by "npm run manual" from the program's own tables.\n.TH ${name} ${section} "" "buddy-tui ${version}" "${title}"\n` +
  sections.map(([head, body]) => `.SH ${head}\n${body}`).join('');

const flagHead = (flag) =>
  [flag.alias ? `-${flag.alias}` : null, `--${flag.negative ? `no-${flag.name}` : flag.name}${flag.value ? ` ${flag.value}` : ''}`]
    .filter(Boolean)
    .join(', ');
const flagSays = (flag) => flag.negative ?? flag.says;
const usageOf = (row) => `buddy-tui ${row.usage.replace('$0', '')}`.trim();
const shown = (value) => (value === null || value === '' ? 'none' : JSON.stringify(value));
const environment = Object.entries(settingRows)
  .filter(([, row]) => row.env)
  .map(([key, row]) => [row.env, `Overrides ${key}.`]);
const extraEnvironment = [
  ['BUDDY_API_KEY', 'Key for the chosen model; it stands above every other source.'],
  ['BUDDY_BASE_URL', 'Address of an OpenAI-compatible server.'],
  ['BUDDY_TIMING', 'With 1, the times of the start are on standard error when the program ends.'],
  ['NO_COLOR', 'When set, no colours are used.'],
  ['XDG_CONFIG_HOME, XDG_STATE_HOME', 'Where configuration and state are kept; ~/.config and ~/.local/state by default.'],
  ['VISUAL, EDITOR', 'The editor for long prompts (Ctrl+G).'],
];
const exits = [
  ['0', 'The work was done.'],
  [
    '1',
    'The task failed, exec was not allowed to act, nobody reads what rpc writes, login failed or found nothing, or doctor found something wrong.',
  ],
  ['2', 'The command line or the configuration is wrong, or there is no usable terminal.'],
  ['70', 'A bug; the stack is on standard error, and the name of the trace when there is one.'],
  ['129, 130, 143', 'Ended by a hang-up, an interrupt, SIGTERM.'],
];
const files = [
  ['~/.config/buddy/buddy.toml', 'Configuration, see buddy.toml(5).'],
  ['~/.config/buddy/auth.json', 'Logins and stored keys, for their owner only.'],
  [
    '~/.config/buddy/AGENTS.md',
    'Instructions of yours for every folder; SYSTEM.md and APPEND_SYSTEM.md beside it change the system prompt.',
  ],
  ['~/.config/buddy/skills, ~/.agents/skills', 'Skills of yours: a folder with a SKILL.md each, or markdown files.'],
  ['~/.config/buddy/prompts/NAME.md', 'Prompt templates of yours: each is a command /NAME.'],
  [
    './AGENTS.md',
    'Instructions of a project, in any folder from the root down to the working one; told to the model once the folder is trusted.',
  ],
  [
    './.buddy, ./.agents/skills',
    'SYSTEM.md, APPEND_SYSTEM.md, skills and prompts of a project; used once the folder is trusted. Skills also in the folders above, in a repository.',
  ],
  ['~/.local/state/buddy/prompts.jsonl', 'Prompts of earlier runs.'],
  ['~/.local/state/buddy/rules.json', 'Rules that were saved in a question, one a line. A file that is not sound is told of and ignored.'],
  ['~/.config/buddy/extensions/', 'Extensions of yours: modules and folders, see EXTENSIONS.'],
  ['./.buddy/extensions/', 'Extensions of a project: none is loaded until the folder is trusted, then a copy of those that were listed.'],
  [
    '~/.local/state/buddy/trust.json',
    'Folders that you trust, or are not asked about. A file that is not sound is told of, and then none is trusted.',
  ],
  ['~/.config/buddy/mcp.json', 'MCP servers, besides those of buddy.toml.'],
  ['~/.local/state/buddy/mcp.json', 'What the tools of MCP servers said of themselves when they were first seen.'],
  ['./buddy.toml', 'Settings of a project: ignored until the folder is trusted, and then only stricter ones hold, see buddy.toml(5).'],
  ['./.buddyx/sessions/ID.jsonl', 'Conversations that began in that folder, a record a line, for their owner only.'],
  ['~/.local/state/buddy/session-key', 'Tells your sessions from those that came with a folder. Without it earlier ones cannot be opened.'],
  ['~/.local/state/buddy/buddy.log', 'Log, written with -v.'],
];
const keysOf = (context) => keymap.filter((row) => row.context === context).map((row) => [row.keys.map(keyLabel).join(', '), row.says]);
const rowsOf = (rows) => rows.map((row) => entry(row.keys.map(keyLabel).join(', '), row.says)).join('');
const commandHead = (command) => `/${[command.name, ...command.aliases].join(', /')}${command.args ? ` ${command.args}` : ''}`;

const paragraph = (text) => `.PP\n${roff(text)}\n`;
const example = (lines) => `.sp\n.nf\n${lines.map((line) => `${roff(line)}\n`).join('')}.fi\n`;
const withFields = (head, says, fields) =>
  fields.length === 0 ? entry(head, says) : `${entry(head, says)}.RS\n${fields.map(([name, text]) => entry(name, text)).join('')}.RE\n`;
const fieldOf = ([name, { kind, isOptional, says }]) => [
  name,
  `${kind.expects[0].toUpperCase()}${kind.expects.slice(1)}${isOptional ? '; may be left out' : ''}${says === '' ? '.' : `: ${says}`}`,
];

const pages = {
  'man/buddy-tui.1': page('BUDDY\\-TUI', 1, 'User Commands', [
    ['NAME', 'buddy\\-tui \\- terminal AI agent that works in a tmux pane you watch\n'],
    ['SYNOPSIS', subcommandRows.map((row) => `.B ${roff(usageOf(row))}\n.br\n`).join('')],
    [
      'DESCRIPTION',
      `${roff(
        'Opens a full-screen dashboard: a conversation with a model, the live terminal pane that the agent works in, a list of tasks and an editor. Every command is shown in full and runs only after you have said yes. Without a configuration it starts on the demo, a scripted model without network.',
      )}\n`,
    ],
    ['COMMANDS', subcommandRows.map((row) => entry(usageOf(row), row.says)).join('')],
    [
      'OPTIONS',
      flagRows.map((flag) => entry(flagHead(flag), flagSays(flag) + (flag.only ? ` Only for ${flag.only.join(' and ')}.` : ''))).join(''),
    ],
    ['ENVIRONMENT', [...environment, ...extraEnvironment].map(([head, text]) => entry(head, text)).join('')],
    [
      'EXTENSIONS',
      `${roff(
        'A module (.ts, .mts, .js, .mjs, or a folder with an index) whose default export is an object made with defineExtension of buddy-tui/extension: name, tools, commands, hooks, themes, keys, widgets. It runs with your rights, in a thread of its own, without the variables that hold keys. Hooks are asked within extensions.hook_timeout_ms; a guard (before_tool_call) that fails keeps its call from running. What fails, hangs or ends itself is disabled with one notice. /extensions lists them, /reload loads them anew. Three examples are in templates/extensions of the package.',
      )}\n`,
    ],
    ['FILES', files.map(([head, text]) => entry(head, text)).join('')],
    ['EXIT STATUS', exits.map(([head, text]) => entry(head, text)).join('')],
    ['SEE ALSO', `${roff('buddy.toml(5), buddy-tui(7), buddy-tui-rpc(7), tmux(1)')}\n`],
  ]),
  'man/buddy.toml.5': page('BUDDY.TOML', 5, 'File Formats', [
    ['NAME', 'buddy.toml \\- configuration of buddy\\-tui\n'],
    [
      'DESCRIPTION',
      `${roff(
        'A TOML file, read from ~/.config/buddy/buddy.toml or from the file given with -c. The command line stands above the environment, the environment above the file. Unknown keys are warned about; a wrong value ends the start with a sentence that names file and line. A buddy.toml in the working folder is a project\'s: it is ignored until you trust it (/trust, or "buddy-tui trust"), and may then do what is said of each setting here, and nothing else.',
      )}\n`,
    ],
    [
      'SETTINGS',
      Object.entries(settingRows)
        .map(([key, row]) =>
          entry(
            key,
            `${row.doc} Expects ${row.kind.expected}; default ${shown(row.initial)}.${row.env ? ` Environment: ${row.env}.` : ''}${row.project ? ` A trusted project may ${row.project.says}.` : ''}${isLive(key) ? ' Changed in /settings it counts at once.' : ''}`,
          ),
        )
        .join(''),
    ],
    [
      'MODEL PROFILES',
      roff('Each table [models.NAME] is a model that /model offers. Keys:') +
        '\n' +
        Object.entries(profileRows)
          .map(([key, row]) => entry(key, `${row.doc} Expects ${row.kind.expected}.`))
          .join(''),
    ],
    [
      'WHAT IS KNOWN OF MODELS',
      roff(
        'Windows, prices and levels of effort are known of the usual models. Each table [[models_catalog]] says more of one, or says it otherwise. Keys:',
      ) +
        '\n' +
        Object.entries(catalogueRows)
          .map(([key, row]) => entry(key, `${row.doc} Expects ${row.kind.expected}.`))
          .join(''),
    ],
    [
      'MCP SERVERS',
      roff(
        'Each table [mcp.servers.NAME] is a server of the Model Context Protocol, whose tools are offered as NAME__TOOL, its prompts as /NAME:PROMPT. The file mcp.json beside buddy.toml is read as well, in the form {"mcpServers": {...}}, and so is .mcp.json or mcp.json of a folder that you trust. Nothing is started before the first prompt. Keys:',
      ) +
        '\n' +
        Object.entries(mcpRows)
          .map(([key, row]) => entry(key, `${row.doc} Expects ${row.kind.expected}.`))
          .join(''),
    ],
    [
      'KEYS',
      `${roff(
        'The table [keys] gives actions other keys: "zoom" = "f5", a list of keys, or "" for none; keys pressed one after the other have a blank between them ("ctrl+x ctrl+e"). Written before an action, a context and a slash mean its keys there only ("pane/zoom"). The file keybindings.json beside buddy.toml is read as well; it knows the names of pi. What cannot be used, and a key with two meanings, is told at the start with its line. Actions and their keys:',
      )}\n${keymap.map((row) => entry(`${row.context}/${row.id}`, `${row.keys.map(keyLabel).join(', ')}: ${row.says}.`)).join('')}`,
    ],
    ['SEE ALSO', `${roff('buddy-tui(1), buddy-tui(7)')}\n`],
  ]),
  'man/buddy-tui.7': page('BUDDY\\-TUI', 7, 'Miscellaneous', [
    ['NAME', 'buddy\\-tui \\- keys and commands of the dashboard\n'],
    ...Object.keys(contexts).map((context) => [
      `KEYS: ${contexts[context].toUpperCase()}`,
      keysOf(context)
        .map(([head, text]) => entry(head, text))
        .join(''),
    ]),
    ['KEYS: TRACEUI', rowsOf(viewerRows)],
    ['KEYS: REPLAY', rowsOf(playerRows)],
    [
      'KEYS INSIDE OF TMUX',
      `${roff(
        'A new line by Alt+Enter or Ctrl+J always works. Shift+Enter and other keys that have no bytes of old arrive when the terminal sends them and ~/.tmux.conf has these lines; "buddy-tui keys" shows what arrives and which lines are missing:',
      )}\n.sp\n.nf\n${tmuxLines.map((line) => `${roff(line)}\n`).join('')}.fi\n`,
    ],
    ['SLASH COMMANDS', slashCommands.map((command) => entry(commandHead(command), command.says)).join('')],
    [
      'THE SHARED TERMINAL',
      `${roff(
        'Commands run in a tmux pane on a server of its own. Join it from another terminal with "tmux -L buddy attach" and leave it with "C-b d"; what you type there is yours, the agent waits while the pane is not at a prompt.',
      )}\n`,
    ],
    [
      'LEAVING',
      `${roff(
        'When the dashboard is left and its tmux session is there, it asks: Enter or k keeps the session with all that runs in it, e ends it, Esc stays; Ctrl+C keeps, too. "/quit keep" and "/quit end" say it at once, and on_exit under [tmux] in buddy.toml saves the question. On a signal or when the terminal is closed nobody can be asked: with on_exit = "ask" the session is kept when something runs in it, and ended otherwise. The next start with the same agent name, target and shell continues in a kept session that nobody is attached to. A session that was kept is ended with "tmux -L buddy kill-session", by leaving its shell, or by "buddy-tui doctor --clean --kept".',
      )}\n`,
    ],
    ['SEE ALSO', `${roff('buddy-tui(1), buddy.toml(5)')}\n`],
  ]),
};

pages['man/buddy-tui-rpc.7'] = page('BUDDY\\-TUI\\-RPC', 7, 'Miscellaneous', [
  ['NAME', 'buddy\\-tui\\-rpc \\- the lines of "buddy\\-tui exec \\-\\-json" and "buddy\\-tui rpc"\n'],
  [
    'DESCRIPTION',
    `${roff(
      `Standard output is one JSON object a line, in UTF-8, each ended by LF and by nothing else. exec --json prints what happens in one run; rpc is driven by another program, an editor or a script, which writes commands as such lines on standard input. What is meant for people goes to standard error. This is version ${PROTOCOL_VERSION} of the protocol. It stays the same when types, fields and commands are added: pass over what you do not know. Node programs need not read further: buddy-tui/client of this package speaks it.`,
    )}\n`,
  ],
  [
    'LINES OF THE PROGRAM',
    example(['{"seq": 12, "tsMs": 1700000000000, "event": {"type": "task.started", …}}']) +
      paragraph(
        'Something happened. seq counts without gaps from 0, the header; tsMs is the wall clock in milliseconds. Events are never left out, and never told twice.',
      ) +
      example(['{"type": "response", "id": 7, "command": "prompt.submit", "ok": true, "data": {"task": "1"}}']) +
      paragraph(
        'Only rpc: a command was taken; data is left out where there is nothing to say. What it leads to is told by events, of which those that it made at once come before.',
      ) +
      example([
        '{"type": "response", "id": 7, "command": "prompt.submit", "ok": false,',
        '  "error": {"code": "rpc.field", "field": "text", "message": …}}',
      ]) +
      paragraph(
        'Only rpc: it was not, and nothing of it was done. Codes: rpc.line (no JSON object, no UTF-8, too long, too deep), rpc.command (there is none of that name), rpc.field (field says which), rpc.protocol (another version), rpc.refused (not possible now; the event command.refused tells it to others).',
      ) +
      paragraph(
        'Characters that a terminal would obey or hide are written as \\uXXXX. The keys and passwords that the program knows are masked. Questions and calls are told as they are, since somebody decides on them: in rpc as in the dashboard; exec, where nobody decides, masks them there as well.',
      ),
  ],
  [
    'LINES OF THE CLIENT',
    example(['{"id": 7, "type": "prompt.submit", "text": "how full is the disk?"}']) +
      paragraph(
        `"id" is a text or a whole number, comes back with the reply, and may be left out. There is one reply for each line that is not blank, in the order of the lines; id and command are null in it where they could not be read. A line may have ${MOST_LINE_BYTES / 1024 / 1024} MiB. Every field is checked: one that is missing, wrong or not known is named, and nothing is done. Only what is typed into a pane may hold NUL.`,
      ) +
      paragraph(
        'Nothing runs without a yes: approval.requested waits until approval.answer comes, or approval.policy has allowed it beforehand. Show all of its body before you say yes.',
      ) +
      paragraph(
        'When standard input ends the program ends in order: questions are denied, what runs is interrupted, the session is kept. With --wait what was asked for is finished first. SIGTERM, SIGINT and SIGHUP end it as well, a second one at once. A client that does not read is waited for until 64 MiB wait; then the program says so on standard error and ends with exit code 1, as it does when standard output is closed.',
      ),
  ],
  [
    'COMMANDS',
    Object.entries(commandRows)
      .map(([name, { says, fields }]) => withFields(name, says, Object.entries(fields).map(fieldOf)))
      .join(''),
  ],
  [
    'EVENTS',
    Object.entries(eventRows)
      .map(([name, { says, fields }]) => withFields(name, says, Object.entries(fields)))
      .join(''),
  ],
  [
    'OBJECTS',
    Object.entries(objectRows)
      .map(([name, fields]) => withFields(name, '', Object.entries(fields)))
      .join('') +
      Object.entries(variantRows)
        .map(([name, says]) => entry(name, says))
        .join(''),
  ],
  ['SEE ALSO', `${roff('buddy-tui(1), buddy-tui(7)')}\n`],
]);

const cell = (text) => text.replaceAll('|', '\\|');
const table = (heads, rows) =>
  [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`)].join(
    '\n',
  );
const tables = {
  tmux: ['```', ...tmuxLines, '```'].join('\n'),
  flags: table(
    ['flag', 'what it does'],
    flagRows.map((flag) => [`\`${flagHead(flag)}\``, flagSays(flag) + (flag.only ? ` (${flag.only.join(', ')})` : '')]),
  ),
  commands: table(
    ['command', 'what it does'],
    slashCommands.map((command) => [`\`${commandHead(command)}\``, command.says]),
  ),
  keys: table(
    ['where', 'key', 'what it does'],
    ['editor', 'approval', 'ruling', 'conversation', 'pane', 'global'].flatMap((context) =>
      keysOf(context).map(([head, text]) => [contexts[context], head, text]),
    ),
  ),
};
const readme = readFileSync(join(root, 'README.md'), 'utf8').replace(
  /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
  (_, head, name, end) => `${head}\n${tables[name]}\n\n${end}`,
);

let stale = 0;
for (const [path, content] of Object.entries({ ...pages, 'README.md': readme })) {
  const whole = join(root, path);
  let before = '';
  try {
    before = readFileSync(whole, 'utf8');
  } catch {
    before = '';
  }
  if (before === content) continue;
  stale++;
  if (process.argv.includes('--check')) process.stderr.write(`buddy-tui: ${path} is out of date; run "npm run manual"\n`);
  else writeFileSync(whole, content);
}
process.exitCode = process.argv.includes('--check') && stale > 0 ? 1 : 0;
