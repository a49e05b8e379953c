/** Every command with its fields: what comes from outside is checked by these rows, and the manual is made from them. */

import type { ApprovalPolicy } from './approvals.js';
import type { RuntimeCommand } from './commands.js';
import {
  type AnyRows,
  base64,
  byKind,
  type FieldRows,
  flag,
  keys,
  listOf,
  may,
  must,
  number,
  object,
  orNull,
  paneId,
  text,
  wholeNumber,
  word,
} from './field-kinds.js';
import { limitNames } from './limits.js';
import { mcpActs } from './mcp.js';
import type { ImagePart } from './messages.js';
import { exportFormats } from './sessions.js';
import type { ControlRequest, WireRequest } from './wire.js';

/** What a command does, and its fields. */
interface CommandRow<C> {
  readonly says: string;
  readonly fields: FieldRows<C>;
}

/** Cells; no terminal has more in a row or a column. */
const cells = wholeNumber(1, 5000);
/** A century (milliseconds). */
const duration = number(0, 3_155_760_000_000);
/** What a Date can hold (milliseconds since 1970). */
const time = number(0, 8_640_000_000_000_000);
const pane = must(paneId, 'which pane.');

const policy = byKind<ApprovalPolicy>({ ask: {}, all: {}, none: {}, until: { untilMs: must(time) } });

/** What comes with a text. */
const brings = {
  mentions: may(text, 'the part of it in which @ means something; left out: all of it; empty: nothing is brought along.'),
  images: may(
    listOf(
      object<ImagePart>({
        mediaType: must(word(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])),
        data: must(base64),
        name: must(text, 'where it is from.'),
        width: may(wholeNumber(1, 1_000_000), 'in pixels.'),
        height: may(wholeNumber(1, 1_000_000), 'in pixels.'),
      }),
      100,
    ),
    'pictures for the model.',
  ),
};

const rows: {
  readonly [T in RuntimeCommand['type']]: CommandRow<Extract<RuntimeCommand, { readonly type: T }>>;
} = {
  'prompt.submit': {
    says: 'A prompt; when one is running already it waits in the queue as a follow-up.',
    fields: { text: must(text, 'what is asked.'), ...brings },
  },
  'prompt.steer': {
    says: 'To the running prompt, delivered after the tool calls under way; starts one when none runs.',
    fields: { text: must(text, 'what is said.'), ...brings },
  },
  'mentions.tell': {
    says: 'Asks for mentions.told; of several only the last is answered.',
    fields: { text: must(text, 'a text that is not sent yet; empty: nobody wants to know any more.') },
  },
  'queue.recall': { says: 'Takes every waiting text out of the queue; queue.returned hands them back.', fields: {} },
  'queue.edit': {
    says: 'Changes one waiting text.',
    fields: {
      queued: must(text, 'its id, as in queue.changed.'),
      change: must(
        word(['take', 'delete', 'earlier', 'later']),
        'take hands it back, earlier and later move it past the next one of its kind.',
      ),
    },
  },
  'task.cancel': { says: 'Interrupts a task.', fields: { task: must(text, 'which one.') } },
  'task.deadline': {
    says: 'Cancels a task after some time.',
    fields: { task: must(text, 'which one.'), afterMs: must(orNull(duration), 'from now, in milliseconds; null takes the limit away.') },
  },
  'task.watch': {
    says: 'The output of this background job is told by task.output, and of no other.',
    fields: { task: must(orNull(text), 'which one; null: none.') },
  },
  'approval.answer': {
    says: 'Answers a question. It is answered once: a second answer is refused.',
    fields: {
      approval: must(text, 'its id, as in approval.requested.'),
      decision: must(word(['once', 'session', 'rule', 'deny']), 'yes once, yes to the very same in this session, yes by a rule, or no.'),
      feedback: may(text, 'with deny: told to the model.'),
      body: may(text, 'with once, where the question is editable: run this instead.'),
      rule: may(
        object({
          subject: must(wholeNumber(0, 1000), 'which of rule.subjects.'),
          place: must(wholeNumber(0, 1000), 'which of rule.places.'),
          saved: must(flag, 'keep it for later runs.'),
          forMs: may(duration, 'let it end after that.'),
        }),
        'with rule: which one of those that the question offers.',
      ),
    },
  },
  'approval.forget': { says: 'A rule is in force no longer, and not kept either.', fields: { rule: must(text, 'its id.') } },
  'approval.policy': { says: 'How much is allowed without asking from now on.', fields: { policy: must(policy, 'the policy.') } },
  'command.run': {
    says: "A command of the person's own, run in the shared pane; nobody is asked. A pane that refuses it later is told by command.refused with the task.",
    fields: { text: must(text, 'the command.'), tell: must(flag, 'the model hears of it with its next request.') },
  },
  'command.invoke': {
    says: 'Runs a command that commands.offered told of. It gives a prompt, or does something and says so.',
    fields: { name: must(text, 'without the slash.'), args: must(text, 'what stands behind it; may be empty.'), mentions: brings.mentions },
  },
  'extensions.tell': { says: 'Asks for extensions.told.', fields: {} },
  'extensions.reload': {
    says: 'Looks anew for extensions and what else is loaded from files, and starts them anew; refused while a prompt runs.',
    fields: {},
  },
  'model.switch': {
    says: 'Another model from the next prompt on.',
    fields: {
      profile: must(text, 'one of the profiles.'),
      effort: may(text, 'one of the levels that it has; left out: as the profile says.'),
    },
  },
  'session.new': { says: 'Begins a new conversation.', fields: {} },
  'session.resume': {
    says: 'Goes on in a kept session; session.resumed tells what happened in it.',
    fields: { session: must(text, 'its id, or last.'), keepModel: may(flag, 'not with its model, but with the one in use.') },
  },
  'session.fork': { says: 'Goes on in a copy of the session.', fields: {} },
  'session.list': { says: 'Asks for session.listed.', fields: {} },
  'session.rename': {
    says: 'Gives a session a name.',
    fields: { name: must(text, 'the name.'), session: may(text, 'of another one than that in use.') },
  },
  'session.delete': {
    says: 'Moves a session out of the way; never the one in use, nor one that is open elsewhere.',
    fields: { session: must(text, 'its id.') },
  },
  'session.preview': { says: 'Asks for session.previewed.', fields: { session: must(text, 'its id.') } },
  'tree.tell': { says: 'Asks for tree.told.', fields: {} },
  'tree.go': {
    says: 'Goes on from that entry: of a prompt before it, of all others behind it. What came after it stays in the session.',
    fields: { entry: must(text, 'its id.') },
  },
  'tree.label': {
    says: 'Gives an entry a label.',
    fields: { entry: must(orNull(text), 'its id; null: the last one.'), label: must(text, 'empty takes it away.') },
  },
  'session.export': {
    says: 'Writes the session into a file that there is not yet.',
    fields: {
      format: must(word(exportFormats), 'what it is written as.'),
      path: must(text, 'empty for one in the working folder.'),
      size: may(object({ cols: must(cells), rows: must(cells) }), 'of the screen, for cast.'),
    },
  },
  'session.import': {
    says: 'Makes a new session of a file, whoever wrote it, and goes on in it. The file stays as it is.',
    fields: { path: must(text, 'the file.') },
  },
  'limits.tell': { says: 'Asks for limits.told.', fields: {} },
  'limits.set': {
    says: 'Another limit until the session ends.',
    fields: {
      limit: must(word(limitNames), 'which one.'),
      value: must(orNull(number(0, 1_000_000_000_000)), 'null: as the settings say; 0: none, where that is possible.'),
    },
  },
  'limits.configure': {
    says: 'The settings say otherwise of a limit from now on; nothing is told.',
    fields: { limit: must(word(limitNames), 'which one.'), value: must(number(0, 1_000_000_000_000), '0: none, where that is possible.') },
  },
  'context.tell': { says: 'Asks for context.told.', fields: {} },
  'mcp.tell': { says: 'Asks for mcp.told.', fields: {} },
  'mcp.act': {
    says: 'Does something to an MCP server; mcp.logged answers "log", and of the others mcp.told tells what has changed.',
    fields: { server: must(text, 'its name.'), act: must(word(mcpActs), 'what.') },
  },
  'session.compact': {
    says: 'Puts a summary in the place of the older part of the conversation.',
    fields: { wishes: must(text, "what is to be kept in it, in the person's words; empty for nothing special.") },
  },
  'pane.takeover': {
    says: 'The person takes the keyboard of the pane: until it is handed back the agent neither types nor looks.',
    fields: { pane },
  },
  'pane.input': {
    says: 'What the person typed into a pane that was taken over. It is never written down.',
    fields: { pane, bytes: must(keys, 'as a terminal sends it.') },
  },
  'pane.paste': {
    says: 'What the person pasted there, whole. Never written down.',
    fields: { pane, text: must(text, 'what was pasted.') },
  },
  'pane.handback': { says: 'Gives the keyboard back.', fields: { pane } },
  'pane.watch': { says: 'Pictures of this pane are told by pane.screen, and of no other.', fields: { pane } },
  'pane.scrollback': { says: 'Asks for pane.scrollback.', fields: { pane } },
  'pane.integrate': { says: 'A shell with our marks takes the place of the unknown one in that pane.', fields: { pane } },
  'pane.resize': { says: 'Another size for the pane.', fields: { pane, cols: must(cells, 'columns.'), rows: must(cells, 'rows.') } },
  'runtime.shutdown': {
    says: 'The end, in order; lifecycle.stopped is the last event.',
    fields: { keep: may(flag, 'leaves the tmux session and what runs in it behind.') },
  },
};

const control: { readonly [T in ControlRequest['type']]: CommandRow<Extract<ControlRequest, { readonly type: T }>> } = {
  hello: {
    says: 'Is refused when the program speaks another version; the reply names version, commands and events.',
    fields: { protocol: must(wholeNumber(0, 1_000_000), 'the version that the client speaks.') },
  },
  'state.tell': { says: 'The reply holds how everything stands: session, model, tasks, queue, open questions, panes.', fields: {} },
};

/** What is asked of the line itself, then what is asked of the runtime. */
export const commandRows: Readonly<Record<WireRequest['type'], { readonly says: string; readonly fields: AnyRows }>> = {
  ...control,
  ...rows,
};
