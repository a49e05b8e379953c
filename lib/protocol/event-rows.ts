/** Every event with its fields, for the manual; the compiler asks for a row for each, and for each field. */

import type { RuntimeEvent } from './events.js';
import type { ExecUsageEvent, StreamHeader } from './wire.js';

/** What is said of each field of an object. */
export type FieldWords<T> = T extends unknown ? { readonly [F in Exclude<keyof T, 'type'>]-?: string } : never;

/** What has happened, and its fields. */
interface EventRow<E> {
  readonly says: string;
  readonly fields: FieldWords<E>;
}

const task = 'text: the task.';
const call = 'text: the id of the call.';
const pane = 'text: the pane.';
const session = 'text: its id.';

const runtimeRows: { readonly [T in RuntimeEvent['type']]: EventRow<Extract<RuntimeEvent, { readonly type: T }>> } = {
  'lifecycle.started': {
    says: 'The program is there; the target is still being made ready.',
    fields: {
      agent: 'text: the name of the agent.',
      session: 'text: the id of the conversation.',
      model: 'model: the one in use.',
      profiles: 'list of models: all that can be switched to.',
      target: 'target: where commands run.',
      policy: 'policy: the one in force.',
      version: 'text: of the program.',
    },
  },
  'lifecycle.stopping': { says: 'The end has begun: no command is taken any more.', fields: {} },
  'lifecycle.stopped': { says: 'The end.', fields: { kept: 'true or false: the tmux session was left behind.' } },
  'session.started': { says: 'A new conversation.', fields: { session } },
  'session.resumed': {
    says: 'A kept session goes on.',
    fields: {
      session,
      name: 'text or null: its name.',
      copyOf: 'text or null: it goes on as a copy of that one.',
      past: 'list of objects with tsMs and event: what happened in it, the oldest first.',
      spent: 'object with requests, tokens of each kind and cost: what it has used before; may be missing.',
    },
  },
  'session.listed': { says: 'The kept sessions of this folder.', fields: { sessions: 'list of sessions: the newest first.' } },
  'session.renamed': {
    says: 'A session has another name.',
    fields: { name: 'text: the name.', session: 'text: another one than that in use; may be missing.' },
  },
  'session.deleted': { says: 'A session was moved out of the way.', fields: { session, movedTo: 'text: where its file is.' } },
  'session.previewed': { says: 'How a session ends.', fields: { preview: 'preview: its end.' } },
  'tree.told': {
    says: 'All of the session in use.',
    fields: {
      entries: 'list of entries: in the order of its file.',
      leaf: 'text or null: the entry that it goes on behind; null: before all of them.',
    },
  },
  'session.branched': {
    says: 'The session goes on from an earlier place.',
    fields: { past: 'as in session.resumed: what leads there.', text: 'text or null: the prompt that can be asked anew.' },
  },
  'session.labelled': { says: 'An entry has another label.', fields: { entry: 'text: its id.', label: 'text: the label; empty: none.' } },
  'session.exported': { says: 'The session was written.', fields: { path: 'text: the file.' } },
  'session.storage': {
    says: 'Is the session written down?',
    fields: { session, trouble: 'text or null: why not; it stays in memory then, and is written once that is over.' },
  },
  'command.refused': {
    says: 'A command was not done. A client of rpc has its reply besides.',
    fields: { command: 'text: its type.', reason: 'text: why.', task: 'text: the task that it had begun; most often missing.' },
  },
  'queue.changed': { says: 'Other texts wait for their turn.', fields: { waiting: 'list of waiting texts: in their order.' } },
  'queue.returned': { says: 'Waiting texts are handed back.', fields: { texts: 'list of texts.' } },
  'task.started': {
    says: "A prompt, a command in the background, a command of the person's own or a compaction has begun.",
    fields: { task, kind: 'prompt, job, command or compaction.', text: 'text: what was asked for.', pane: 'text or null: where it runs.' },
  },
  'task.steered': { says: 'A steering text was handed to the model.', fields: { task, text: 'text: what was said.' } },
  'task.progress': { says: 'A job goes on.', fields: { task, lastLine: 'text: what it printed last.' } },
  'task.output': { says: 'What the watched job has printed so far.', fields: { task, output: 'output: its end.' } },
  'task.deadline': { says: 'The task has another limit.', fields: { task, atMs: 'number or null: when it is cancelled.' } },
  'task.ended': {
    says: 'The task is over.',
    fields: {
      task,
      outcome: 'completed, failed, cancelled or timed-out.',
      exitCode: 'number or null: of a job, when it was learned.',
      error: 'null, or an object with code, message and hint (text or null): why it failed.',
    },
  },
  'model.requested': {
    says: 'The model is asked.',
    fields: {
      task,
      iteration: 'number: which request of the prompt, from 1.',
      estimatedTokens: 'number: its size.',
      messages: 'number: messages in it; may be missing.',
    },
  },
  'model.text': { says: 'A piece of the answer.', fields: { task, text: 'text: what follows what was told before.' } },
  'model.reasoning': { says: 'A piece of what the model thinks.', fields: { task, text: 'text: what follows what was told before.' } },
  'model.retrying': {
    says: 'The server failed; it is asked again.',
    fields: {
      task,
      attempt: 'number: which try comes.',
      attempts: 'number: at most so many; may be missing.',
      atMs: 'number: when.',
      reason: 'text: what went wrong.',
    },
  },
  'model.answered': {
    says: 'The whole answer.',
    fields: { task, message: 'answer: what the pieces came to.', usage: 'usage, or null: not counted.' },
  },
  'model.switched': { says: 'Another model is in use.', fields: { model: 'model: that one.' } },
  'tool.requested': {
    says: 'The model wants to call a tool, or the person runs a command.',
    fields: {
      task,
      call,
      name: 'text: the tool.',
      preview: 'text: the call in one line for people.',
      untold: "true: a command of the person's own that the model does not hear of; else missing.",
    },
  },
  'tool.changed': { says: 'The person changed the call before it ran.', fields: { task, call, preview: 'text: as it is now.' } },
  'tool.started': {
    says: 'The call is being carried out.',
    fields: { task, call, diff: 'diff: what it changes in a file; may be missing.' },
  },
  'tool.output': { says: 'A piece of what it prints.', fields: { task, call, text: 'text: what follows what was told before.' } },
  'tool.ended': {
    says: 'The call is over.',
    fields: {
      task,
      call,
      isError: 'true or false.',
      text: 'text: what people see of the result.',
      summary: 'text: in a few words.',
      exitCode: 'number or null.',
      elapsedMs: 'number: how long it took.',
    },
  },
  'approval.requested': { says: 'A question: nothing runs before it is answered.', fields: { request: 'question: what is asked.' } },
  'approval.resolved': {
    says: 'The question is answered.',
    fields: {
      approval: 'text: its id.',
      decision: 'once, session, rule or deny.',
      by: 'user, policy (nobody is there to ask), cancel or shutdown.',
    },
  },
  'approval.policy': { says: 'Another policy is in force.', fields: { policy: 'policy: that one.' } },
  'approval.rules': { says: 'The rules that are in force now.', fields: { rules: 'list of rules.' } },
  'approval.ruled': { says: 'A call was let through by a rule: nobody was asked.', fields: { task, call, rule: 'rule: that one.' } },
  'pane.opened': { says: 'A pane is there.', fields: { pane, title: 'text: its title.' } },
  'pane.screen': {
    says: 'How the watched pane looks; a newer picture replaces an older one.',
    fields: { pane, screen: 'screen: all of it.' },
  },
  'pane.scrollback': { says: 'What has scrolled off a pane.', fields: { pane, scrollback: 'scrollback, or null: it could not be had.' } },
  'pane.state': {
    says: 'A pane does something else.',
    fields: { pane, state: 'state: what it does.', lastExit: 'number or null: exit code of the last command.' },
  },
  'pane.closed': { says: 'A pane is gone.', fields: { pane } },
  'pane.command': {
    says: 'A person ran a command in the pane; the model is told with its next request.',
    fields: { pane, text: 'text: the command.', exitCode: 'number or null: not told.', cwd: 'text: the folder after it.' },
  },
  'pane.taken': { says: 'The person has the keyboard of the pane.', fields: { pane } },
  'pane.returned': {
    says: 'It was handed back.',
    fields: { pane, commands: 'list of objects with text, exitCode and cwd: what the person ran meanwhile.' },
  },
  'target.changed': { says: 'More is known of where commands run, or it is elsewhere.', fields: { target: 'target: as it is now.' } },
  'context.compacted': {
    says: 'The older part of the conversation was replaced.',
    fields: { tokensBefore: 'number.', tokensAfter: 'number.', trimmed: 'true: without a summary; else missing.' },
  },
  'context.summarised': {
    says: 'A model wrote a summary.',
    fields: {
      task,
      profile: 'text: of the model.',
      usage: 'usage, or null: not counted.',
      estimatedTokens: 'number: of the request.',
      characters: 'number: of the summary.',
    },
  },
  'metrics.context': { says: "How full the model's window is.", fields: { usedTokens: 'number.', windowTokens: 'number.' } },
  'context.told': {
    says: 'What the next request would hold.',
    fields: {
      parts: 'list of objects with kind, tokens and count (number or null).',
      files: 'list of objects with path and tokens: the instructions that come from files; may be missing.',
      windowTokens: 'number.',
      isMeasured: 'true or false: the estimate was corrected by what a server counted.',
    },
  },
  'limits.told': { says: 'How limits stand: all, or the one that was set.', fields: { limits: 'list of limits.' } },
  'task.attached': {
    says: 'What the person brought along with the words that were told last of that task.',
    fields: { task, attached: 'list of attachments.' },
  },
  'mentions.told': {
    says: 'What the mentions in a text would bring along.',
    fields: {
      text: 'text: the one that was asked about.',
      attached: 'list of attachments.',
      tokens: 'number: an estimate.',
      troubles: 'list of texts: what does not work, and why.',
      missing: 'list of texts: what there is nothing for.',
      choices: 'list of objects with word and says: what could be meant by those that are not written to their end.',
    },
  },
  'commands.offered': {
    says: 'The commands that are not built in, all of them.',
    fields: { commands: 'list of offered commands.' },
  },
  'mcp.told': {
    says: 'How the MCP servers stand, when something of it has changed and when somebody asks.',
    fields: { servers: 'list of MCP servers.', isAsked: 'true or false: somebody asked just now.' },
  },
  'mcp.logged': {
    says: 'The newest lines of the log of an MCP server.',
    fields: { server: 'text: its name.', lines: 'list of texts: the oldest first.' },
  },
  'extensions.told': {
    says: 'How the extensions stand.',
    fields: {
      extensions: 'list of extensions: all of them.',
      conflicts: 'list of objects with kind, name, from and first: what was left out because its name was taken.',
    },
  },
  'widget.shown': {
    says: 'An extension shows lines, or other ones.',
    fields: {
      id: 'text: of two with one id the later one takes the place of the earlier one.',
      widget: 'object with id, extension, title, place (side or above-editor) and lines, or null: none any more.',
    },
  },
  'profiles.offered': {
    says: 'All models that extensions bring; those of the start stay.',
    fields: { profiles: 'list of models.' },
  },
  'keys.offered': {
    says: 'All keys that extensions have given a meaning.',
    fields: { keys: 'list of objects with key, line (a slash command), says and from.' },
  },
  notice: { says: 'A sentence for the person.', fields: { message: 'text.' } },
  warning: { says: 'Something that the person should know.', fields: { message: 'text.' } },
  error: { says: 'Something went wrong.', fields: { code: 'text.', message: 'text.', hint: 'text or null: what to do.' } },
};

const streamRows: {
  readonly 'stream.header': EventRow<StreamHeader>;
  readonly 'exec.usage': EventRow<ExecUsageEvent>;
} = {
  'stream.header': {
    says: 'The first line, with seq 0.',
    fields: {
      protocol: 'number: the version of all this.',
      mode: 'exec or rpc.',
      version: 'text: of the program.',
      session: 'text: the id of the conversation.',
      cwd: 'text: the folder of the program.',
      target: 'target: where commands run.',
      notices: 'list of texts: what a person should know of configuration and target; empty for exec.',
    },
  },
  'exec.usage': {
    says: 'The last line of exec: what the run took.',
    fields: {
      model: 'text or null.',
      requests: 'number: answers.',
      estimated: 'number: for so many of them tokens were guessed.',
      inputTokens: 'number.',
      outputTokens: 'number.',
      cachedTokens: 'number or null: not told.',
      cacheWriteTokens: 'number or null.',
      reasoningTokens: 'number or null.',
      unpriced: 'number: answers whose price is not known.',
      cost: 'number or null: dollars.',
    },
  },
};

/** Those of the stream itself, then those of the runtime. */
export const eventRows: Readonly<
  Record<RuntimeEvent['type'] | keyof typeof streamRows, { readonly says: string; readonly fields: Readonly<Record<string, string>> }>
> = { ...streamRows, ...runtimeRows };
