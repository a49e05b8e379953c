/**
 * Every setting of buddy.toml outside `[models]` and `[themes]`: one row each. Parsing, error text, environment overrides
 * and the manual are made from this table. To add a setting, add a row.
 */

import { defaultFooter, defaultHeader, type SegmentName, segmentNames, segmentSays } from '../protocol/segments.js';
import { anyValue, onlyMore, onlyOff, onlyOn, onlySmaller, type ProjectRule } from './project-rule.js';
import { flag, integer, limit, namesOf, oneOf, optionalNumber, type SettingKind, text, texts } from './setting-kinds.js';

/** One row. */
export interface SettingRow<T> {
  readonly kind: SettingKind<T>;
  readonly initial: T;
  /** One sentence for the manual. */
  readonly doc: string;
  /** Environment variable that overrides the file; its `AGENT_` spelling is read too when `legacyEnv` is set. */
  readonly env?: string;
  readonly legacyEnv?: string;
  /** What the file of a trusted project may do with it; left out: nothing. */
  readonly project?: ProjectRule<T>;
}

function row<T>(kind: SettingKind<T>, initial: T, doc: string, more?: Pick<SettingRow<T>, 'env' | 'legacyEnv' | 'project'>): SettingRow<T> {
  return { kind, initial, doc, ...more };
}

/** Commands that never run, whatever the approval policy says (parsed, not matched as text). */
const denylist: readonly string[] = ['rm -rf /', 'mkfs', 'shutdown', 'reboot', 'dd if=', ':(){ :|:& };:'];

/** The parts of a line, for the manual. */
const segmentsMeaning = Object.entries(segmentSays)
  .map(([name, says]) => `${name} (${says})`)
  .join(', ');

/** The rows, by `table.key`. */
export const settingRows = {
  'agent.name': row(text, 'agent-mo', 'Name of this agent; the managed tmux session is called buddy-<name>.'),
  'agent.model': row(text, '', 'Key of the profile under [models] to start with; the first one when empty.', {
    env: 'BUDDY_MODEL',
    legacyEnv: 'AGENT_MODEL',
  }),
  'agent.system_prompt': row(text, '', 'Instructions of your own, added to the system prompt; they never replace its safety rules.'),
  'agent.max_iterations': row(limit('requests'), 20, 'How many requests to the model one prompt may take.', { project: onlySmaller }),
  'agent.temperature': row<number | null>(optionalNumber(0, 2), null, 'Sampling temperature; not sent when left out.', {
    project: anyValue(),
  }),
  'agent.top_p': row<number | null>(optionalNumber(0, 1), null, 'Nucleus sampling; not sent when left out.', { project: anyValue() }),
  'queue.steering': row(
    oneOf('all', 'one'),
    'all',
    'How many of the texts that steer the running prompt it is told at a time, after the tool calls under way.',
  ),
  'queue.follow_up': row(
    oneOf('one', 'all'),
    'one',
    'How many of the follow-ups that wait are sent when a prompt has ended; all of them make one prompt.',
  ),
  'sessions.save': row(flag, true, 'Keep conversations in .buddyx/sessions of the working directory, to go on in them later.', {
    project: onlyOff,
  }),
  'context.auto_compact': row(
    flag,
    true,
    'Summarise the older part of the conversation by itself before the window of the model is full. When off, old results are left out then; /compact still summarises.',
    { project: anyValue() },
  ),
  'context.compact_at': row(integer(30, 95), 90, 'When that is done: from so many percent of the window on.', { project: anyValue() }),
  'context.keep_tokens': row(
    integer(500),
    20_000,
    'How many tokens of the newest messages a summary leaves as they are, at most; in a small window three tenths of the room.',
    { project: anyValue() },
  ),
  'context.compact_profile': row(
    text,
    '',
    'Key of the profile under [models] that writes the summaries, such as a cheap one; the one in use when empty, and when that one fails.',
  ),
  'context.files': row(flag, true, 'Tell the model what AGENTS.md and the like say: yours, and those of a trusted folder.', {
    project: onlyOff,
  }),
  'context.remote': row(
    flag,
    false,
    'Over ssh and in containers tell it what those of the target say as well: they are words of strangers.',
  ),
  'context.skills': row(texts, [], 'More places with skills: folders of them, or markdown files; relative ones lie beside this file.'),
  'tools.shell_enabled': row(flag, true, 'Offer run_shell and send-keys to the model.', { project: onlyOff }),
  'tools.fetch_enabled': row(flag, true, 'Offer fetch_url to the model.', { project: onlyOff }),
  'tools.files_enabled': row(flag, true, 'Offer read_file, write_file, edit_file, grep, find and ls to the model.', { project: onlyOff }),
  'tools.search_enabled': row(flag, true, 'Offer web_search to the model.', { project: onlyOff }),
  'tools.shell_confirm': row(flag, true, 'Ask before a command runs.', { project: onlyOn }),
  'tools.fetch_confirm': row(
    flag,
    false,
    'Ask before a page is fetched or the web is searched. An address on an unusual port, with a secret in it, or with much in it that cannot be read is always asked about.',
    { project: onlyOn },
  ),
  'tools.fetch_allowed_domains': row(
    texts,
    [],
    'When not empty, only these domains and what is below them may be fetched; an entry may name a port.',
  ),
  'tools.fetch_blocked_domains': row(texts, [], 'Domains that are never fetched, nor what is below them.', { project: onlyMore }),
  'tools.fetch_private_hosts': row(
    texts,
    [],
    'Hosts of your own network that may be fetched although their address is not public: a name or a number exactly, with or without a port, or a network such as "10.20.0.0/16". Everything else that is not public is refused, whatever name or redirect leads there.',
  ),
  'tools.files_allowed_paths': row(texts, [], 'When not empty, writing is allowed below these folders only.'),
  'tools.shell_denylist': row(
    texts,
    denylist,
    'Commands that are refused in every mode, also inside of others; text that only mentions one is asked about.',
    { project: onlyMore },
  ),
  'tools.exposure_narrows': row(
    flag,
    true,
    'Once a page of the web, or the files of a folder that is not trusted, were read: ask about uploads, secrets, what is started later and all else that is asked about in every mode, even where everything was approved before; exec --dangerously-auto-approve stops there. It lasts as long as the session, whose words they are in. When off, exec goes on.',
    { project: onlyOn },
  ),
  'limits.prompt_minutes': row(
    limit('minutes'),
    240,
    'How many minutes one prompt may take, the time that its questions wait included; 0 for as long as it likes. A question that nobody answers ends with it.',
    { project: onlySmaller },
  ),
  'limits.session_tokens': row(
    limit('tokens'),
    0,
    'How many tokens one session may take, in and out together; 0 for no limit. You are told at 80 %, and no request is sent beyond it.',
    { project: onlySmaller },
  ),
  'limits.session_cost': row(
    limit('cost'),
    0,
    'How many dollars one session may cost, where prices are known; 0 for no limit. You are told at 80 %, and no request is sent beyond it.',
    { project: onlySmaller },
  ),
  'limits.repeats': row(
    limit('repeats'),
    3,
    'How often in a row the model may make the same call with the same result before it is stopped.',
    { project: onlySmaller },
  ),
  'limits.denials': row(
    limit('denials'),
    3,
    'How often in one prompt you may say no to much the same before the model is stopped; 0 for as often as you like.',
    { project: onlySmaller },
  ),
  'limits.result_kib': row(limit('result'), 256, 'How many KiB of one result of a tool the model is given.', { project: onlySmaller }),
  'limits.jobs': row(limit('jobs'), 20, 'How many commands may run in the background at a time.', { project: onlySmaller }),
  'limits.retries': row(limit('retries'), 3, 'How often a request is made again when the model server fails or is busy.', {
    project: onlySmaller,
  }),
  'limits.retry_wait_secs': row(limit('wait'), 60, 'How many seconds a server may have us wait for the next try, whatever it says.', {
    project: onlySmaller,
  }),
  'limits.stream_event_kib': row(
    limit('event'),
    4096,
    'How many KiB one line or one event of an answer may have; an answer that has more is given up.',
    { project: onlySmaller },
  ),
  'limits.stream_total_mib': row(
    limit('answer'),
    64,
    'How many MiB one answer may have as it comes over the line; one that has more is given up.',
    { project: onlySmaller },
  ),
  'network.api_timeout_secs': row(
    integer(1, 86_400),
    120,
    'Longest silence of a model server before the request is given up, in seconds.',
    {
      env: 'BUDDY_API_TIMEOUT_SECS',
      legacyEnv: 'AGENT_API_TIMEOUT_SECS',
      project: onlySmaller,
    },
  ),
  'network.ca_file': row(
    text,
    '',
    'Certificates (PEM) of authorities to trust besides the usual ones when a model server or a page is reached; ~ is your home folder.',
  ),
  'network.fetch_timeout_secs': row(integer(1, 86_400), 20, 'Longest time one page may take to be fetched and read, in seconds.', {
    env: 'BUDDY_FETCH_TIMEOUT_SECS',
    legacyEnv: 'AGENT_FETCH_TIMEOUT_SECS',
    project: onlySmaller,
  }),
  'auth.store': row(
    oneOf('file', 'keyring'),
    'file',
    'Where "buddy-tui login" keeps logins and keys: in auth.json, for you alone, or in the keyring of the system (Secret Service, Keychain), whose package @napi-rs/keyring must be there. What is kept already moves with the next login.',
  ),
  'search.engine': row(
    oneOf('duckduckgo', 'searxng', 'brave', 'tavily'),
    'duckduckgo',
    'Which search engine web_search asks: DuckDuckGo without a key, a SearXNG server of your own, Brave or Tavily with a key.',
  ),
  'search.url': row(
    text,
    '',
    'Address of the search engine; needed for SearXNG, which must give JSON (search.formats in its settings.yml).',
  ),
  'search.api_key_env': row(
    text,
    '',
    'Environment variable that holds the key of the search engine; BRAVE_API_KEY or TAVILY_API_KEY when it is empty.',
  ),
  'search.api_key_file': row(text, '', 'File that holds the key of the search engine; ~ is your home folder.'),
  'search.api_key_command': row(text, '', 'Command that prints the key of the search engine on its first line.'),
  'login.issuer': row(text, 'https://auth.openai.com', 'Who gives logins ("buddy-tui login openai"); an https address.'),
  'login.client_id': row(text, 'app_EMoamEEZ73f0CkXaXp7hrann', 'As which program a login is asked for.'),
  'login.backend': row(
    text,
    'https://chatgpt.com/backend-api/codex',
    'The server that a login is for: profiles with auth = "login" talk to it, and the login is sent to no other.',
  ),
  'display.color': row(flag, true, 'Use colours.'),
  'display.glyphs': row(
    oneOf('auto', 'unicode', 'ascii'),
    'auto',
    'Characters that the screen is drawn with: all of Unicode, ASCII only, or what LC_ALL, LC_CTYPE or LANG and TERM say (auto).',
  ),
  'display.theme': row(
    text,
    'terminal',
    'Theme of the dashboard: auto (dark or light, as the terminal is), terminal (the 16 colours of yours), another name that /theme lists, a file themes/NAME.json beside buddy.toml, or a table under [themes] whose tokens lie over one of these. Left out, the one that was picked last with /theme holds.',
  ),
  'display.show_tokens': row(flag, false, 'Show token counts after each answer.'),
  'display.show_tool_calls': row(flag, true, 'Show tool calls in the conversation.'),
  'display.notify': row(
    oneOf('auto', 'bell', 'off'),
    'auto',
    'How you are called when you look elsewhere and a question waits or a prompt has ended: a notification where the terminal has them, the bell, or not at all.',
  ),
  'display.title': row(flag, true, 'Say in the title of the window what the program is doing.'),
  'display.persist_history': row(flag, true, 'Keep the history of prompts across runs.', { project: onlyOff }),
  'mouse.enabled': row(flag, true, 'Use the mouse from the start. When off, the terminal selects with it, and F7 takes it.'),
  'mouse.wheel_rows': row(integer(1, 50), 3, 'How many rows one notch of the wheel moves.'),
  'mouse.copy_on_release': row(
    flag,
    true,
    'Copy what was selected with the mouse as soon as the button is let go. When off, Alt+W copies it.',
  ),
  'screen.header': row(
    namesOf<SegmentName>(segmentNames),
    defaultHeader,
    `Parts of the line at the top, in this order: ${segmentsMeaning}. Without gap, what is short stands at the right.`,
  ),
  'screen.footer': row(namesOf<SegmentName>(segmentNames), defaultFooter, 'Parts of the line at the bottom; the same names.'),
  'editor.mode': row(oneOf('emacs', 'vi'), 'emacs', 'Keys of the draft: emacs (as readline has them) or vi.'),
  'editor.history_size': row(integer(0, 1_000_000), 2000, 'How many prompts are kept across runs; 0 keeps none.'),
  // No project may switch it off: guards of the person's own are extensions.
  'extensions.enabled': row(flag, true, 'Load extensions: those in extensions/ beside this file, and those of a trusted folder.'),
  'extensions.hook_timeout_ms': row(
    integer(100, 60_000),
    5000,
    'Milliseconds that a hook of an extension has. One that takes longer is disabled with its extension; a guard that does so keeps its call from running.',
  ),
  'tmux.max_sessions': row(integer(1, 64), 1, 'How many tmux sessions the agent may own, the default one included.', {
    project: onlySmaller,
  }),
  'tmux.max_panes': row(integer(1, 64), 5, 'How many panes each session may have, the shared one included.', { project: onlySmaller }),
  'tmux.socket': row(text, 'buddy', 'Name of the tmux server socket (tmux -L); "default" is the server you use yourself.', {
    env: 'BUDDY_TMUX_SOCKET',
  }),
  'tmux.session': row(text, '', 'The managed tmux session is called buddy-<this>; agent.name is taken when it is empty.'),
  'tmux.on_exit': row(
    oneOf('ask', 'keep', 'kill'),
    'ask',
    'What becomes of the managed tmux session when the dashboard is left: keep it (the next start continues in it), kill it, or ask. When nobody can be asked (a signal, a closed terminal), ask keeps it if something runs in it and ends it otherwise. exec keeps it only with keep.',
  ),
  'ssh.connect_timeout_secs': row(integer(1, 600), 10, 'Longest time a connection over ssh may take to be made, in seconds.', {
    project: onlySmaller,
  }),
  'container.engine': row(
    oneOf('auto', 'docker', 'podman'),
    'auto',
    'Program that knows the containers; auto takes the one that knows the name.',
  ),
} as const;

type Rows = typeof settingRows;

/** `agent.name`, `tmux.max_panes`, … */
export type SettingKey = keyof Rows;

/** Every setting with its value. */
export type Settings = { readonly [K in SettingKey]: Rows[K] extends SettingRow<infer T> ? T : never };

/** The settings as they are when nothing is configured. */
export function defaultSettings(): Settings {
  return Object.fromEntries(Object.entries(settingRows).map(([key, of]) => [key, of.initial])) as unknown as Settings;
}
