/** What the objects in events are made of, for the manual; the compiler asks for a row for each field. */

import type { Row, Segment, Style } from '../base/style.js';
import type { ApprovalRequest, ComputedRisk, FileDiff, ModelClaim } from './approvals.js';
import type { FieldWords } from './event-rows.js';
import type { ModelSummary, QueuedText, TaskOutput } from './events.js';
import type { ExtensionInfo } from './extensions.js';
import type { LimitStatus } from './limits.js';
import type { AssistantMessage, Attachment, ToolCall, Usage } from './messages.js';
import type { OfferedCommand } from './offered.js';
import type { PaneCursor, PaneModes, PaneScreen, PaneScrollback, TargetSummary } from './panes.js';
import type { ListedRule, RuleOffer, RulePlace } from './rules.js';
import type { SessionPreview, SessionSummary } from './sessions.js';
import type { TreeEntry } from './tree.js';
import type { WireState } from './wire.js';

const model: FieldWords<ModelSummary> = {
  profile: 'text: key of the profile.',
  model: 'text: its name for the server.',
  api: 'chat, responses, anthropic or demo.',
  contextTokens: 'number: its window.',
  prices: 'dollars per million tokens: input, output, cacheRead, cacheWrite, longPrompt; may be missing.',
  effort: 'text: how much it is told to think; may be missing.',
  efforts: 'list of texts: how much it can be told; may be missing.',
  images: 'true or false: it takes pictures; may be missing: not known.',
  extension: 'text: the extension that brings it; left out: none does.',
  variantOf: 'text: the profile that it is but for its effort; may be missing.',
};
const target: FieldWords<TargetSummary> = {
  kind: 'local, ssh or container.',
  via: 'tmux or direct.',
  label: 'text: as people know it.',
  host: 'text.',
  user: 'text.',
  cwd: 'text: the folder.',
  shell: 'text.',
  attach: 'text or null: the command line that joins the same terminal.',
};
const question: FieldWords<ApprovalRequest> = {
  id: 'text: for approval.answer.',
  task: 'text: the task.',
  call: 'text: the id of the call.',
  tool: 'text: its name.',
  title: 'text: names the act.',
  body: 'text: exactly what will run or be written.',
  target: 'text: where.',
  cwd: 'text: in which folder.',
  where: 'object with kind, host and user; may be missing.',
  claim: 'claim, or null.',
  computed: 'computed risk; may be missing.',
  diff: 'diff; may be missing.',
  editable: 'true: another body may be given; may be missing.',
  rule: 'offer: the rules that would cover it; may be missing.',
  notes: 'list of texts: what a person should know before they answer; may be missing.',
};
const claim: FieldWords<ModelClaim> = { risk: 'low, medium or high.', mutation: 'true or false.', privesc: 'true or false.', why: 'text.' };
const computed: FieldWords<ComputedRisk> = {
  risk: 'low, medium or high.',
  mutation: 'true or false: it changes something.',
  privesc: 'true or false: it gains rights.',
  network: 'true or false.',
  reasons: 'list of texts: why it is asked about whatever the policy is.',
};
const diff: FieldWords<FileDiff> = {
  path: 'text.',
  before: 'text or null: there is no such file yet.',
  after: 'text.',
  firstLine: 'number: the line of the file that both begin with, from 1; may be missing: the first.',
};
const offer: FieldWords<RuleOffer> = {
  subjects: 'list of subjects, from the widest to the narrowest.',
  proposed: 'number: which of them is proposed.',
  places: 'list of places, from the narrowest to the widest.',
};
const place: FieldWords<RulePlace> = { target: 'text.', host: 'text.', user: 'text.', folder: 'text or null: any.' };
const rule: FieldWords<ListedRule> = {
  id: 'text: for approval.forget.',
  subject: 'object: kind command with words and exact, or kind file or folder with path.',
  place: 'place.',
  saved: 'true or false: kept for later runs.',
  forMs: 'number: it ends so long after it was made; may be missing.',
  untilMs: 'number: when; may be missing.',
};
const waiting: FieldWords<QueuedText> = { id: 'text: for queue.edit.', text: 'text.', mode: 'steer or follow-up.' };
const answer: FieldWords<AssistantMessage> = {
  role: 'assistant.',
  text: 'text.',
  reasoning: 'text.',
  calls: 'list of calls.',
  extras: "object: the provider's own; to be left alone.",
  incomplete: 'true or false: cut short.',
};
const call: FieldWords<ToolCall> = {
  id: 'text.',
  name: 'text: the tool.',
  argsText: 'text: JSON as the model wrote it; it may be malformed.',
};
const usage: FieldWords<Usage> = {
  inputTokens: 'number.',
  outputTokens: 'number.',
  cachedTokens: 'number or null: not told.',
  cacheWriteTokens: 'number; may be missing.',
  reasoningTokens: 'number or null.',
};
const output: FieldWords<TaskOutput> = {
  text: 'text: raw, escape sequences still in it.',
  offset: 'number: bytes before it.',
  total: 'number: bytes of all of it.',
  id: 'text or null: where all of it can be read.',
};
const screen: FieldWords<PaneScreen> = { cols: 'number.', rows: 'list of rows.', cursor: 'cursor.', modes: 'modes.' };
const scrollback: FieldWords<PaneScrollback> = {
  cols: 'number.',
  rows: 'list of rows, the oldest first.',
  more: 'true or false: older ones are left out.',
};
const row: FieldWords<Row> = { segments: 'list of segments.', fill: 'style: of the rest of the line; may be missing.' };
const segment: FieldWords<Segment> = { text: 'text: nothing in it that a terminal would obey.', style: 'style.' };
const color = 'number: 0 to 255 of the palette, or 0x1000000 and 24 bits of RGB; may be missing.';
const on = 'true; may be missing.';
const style: FieldWords<Style> = { fg: color, bg: color, bold: on, dim: on, italic: on, underline: on, inverse: on, strike: on };
const cursor: FieldWords<PaneCursor> = {
  x: 'number.',
  y: 'number.',
  shown: 'true or false.',
  shape: 'block, underline or bar; may be missing.',
};
const modes: FieldWords<PaneModes> = {
  applicationCursor: 'true or false.',
  mouse: 'none, x10, vt200, drag or any: which events the program wants.',
  mouseSgr: 'true or false.',
};
const session: FieldWords<SessionSummary> = {
  session: 'text: its id.',
  name: 'text or null.',
  title: 'text: the first prompt.',
  latest: 'text: the newest prompt that has ended.',
  labels: 'list of texts.',
  bytes: 'number: of its file.',
  prompts: 'number or null: not known.',
  target: 'text: where its commands ran.',
  updatedMs: 'number: when it was last written to.',
  foreign: "text or null: why it is not taken for one of this person's in this folder.",
  open: 'true or false: another program writes it now.',
};
const preview: FieldWords<SessionPreview> = {
  session: 'text: its id.',
  cwd: 'text: its folder.',
  model: 'text or null: the profile that was used last.',
  said: 'list of objects with by (person or model) and text, the oldest first.',
};
const entry: FieldWords<TreeEntry> = {
  id: 'text: for tree.go.',
  parent: 'text or null: what it follows.',
  kind: 'prompt, steer, answer, calls, recap or note.',
  text: 'text: its beginning.',
  calls: 'list of texts: of calls, each of them.',
  label: 'text or null.',
  tsMs: 'number.',
};
const limit: FieldWords<LimitStatus> = {
  limit: 'text: its name.',
  value: 'number; 0: none.',
  configured: 'number: what the settings say.',
  used: 'number or null: nothing is counted.',
};
const extension: FieldWords<ExtensionInfo> = {
  name: 'text.',
  from: 'text: "built in", or a path.',
  state: 'starting, running or disabled.',
  why: 'text or null: why it is disabled.',
  tools: 'list of texts.',
  commands: 'list of texts: without the slash.',
  hooks: 'list of texts.',
  themes: 'list of texts.',
};
const attachment: FieldWords<Attachment> = {
  kind: 'file, folder, image, screen, output or resource.',
  name: 'text: as the person named it.',
  bytes: 'number: of what is sent.',
  note: 'text: that it was cut, made smaller, or that the model does not take it; may be missing.',
};
const offered: FieldWords<OfferedCommand> = {
  name: 'text: without the slash.',
  kind: 'skill, template, server or extension.',
  args: 'text: as help shows them.',
  says: 'text.',
  from: 'text: who brings it.',
};
const state: FieldWords<WireState> = {
  seq: 'number: of the last event in it.',
  session: 'text: its id.',
  name: 'text or null.',
  model: 'model.',
  profiles: 'list of models.',
  commands: 'list of offered commands.',
  target: 'target.',
  policy: 'policy.',
  rules: 'list of rules.',
  tasks: 'list of objects with task, kind, text and pane: those that have not ended.',
  queue: 'list of waiting texts.',
  approvals: 'list of questions that wait.',
  panes: 'list of objects with pane, title and state (or null).',
  context: 'object with usedTokens and windowTokens, or null.',
};

/** Those that have fields of one kind each, by the name that the rows of events call them. */
export const objectRows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...{ model, target, question, claim, 'computed risk': computed, diff, offer, place, rule, 'waiting text': waiting, answer, call, usage },
  ...{ output, screen, scrollback, row, segment, style, cursor, modes, session, preview, entry, limit },
  'offered command': offered,
  extension,
  attachment,
  'state of everything': state,
};

/** Those of which each kind has other fields. */
export const variantRows: Readonly<Record<string, string>> = {
  policy: 'kind ask, all or none, or kind until with untilMs: all until then.',
  state:
    'kind starting, idle, continuation, copy-mode or unknown-shell; running and fullscreen with program and sinceMs; password with program; dead with status (number or null).',
  subject: 'kind command with words (list of texts) and exact (true: those words and no others), or kind file or folder with path.',
};
