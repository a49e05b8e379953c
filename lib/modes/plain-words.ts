/** Events as lines of text, each whole and final: for screen readers, dumb terminals and pipes. Nothing moves, nothing is drawn again. */

import { formatAgo } from '../base/duration.js';
import { visible, visibleLine } from '../base/visible.js';
import type { ApprovalRequest, ComputedRisk } from '../protocol/approvals.js';
import type { RuntimeEvent } from '../protocol/events.js';
import { ruleText } from '../protocol/rules.js';
import type { SessionSummary } from '../protocol/sessions.js';
import { attachmentText } from '../view/attachment-words.js';
import { computedWords } from '../view/computed-risk.js';
import { contextWords } from '../view/context-bars.js';
import { compactedText } from '../view/conversation-events.js';
import { extensionsText } from '../view/extensions.js';
import { limitLines } from '../view/limit-words.js';
import { mcpLines, mcpLogText } from '../view/mcp-words.js';
import { oneSession, sessionWords } from '../view/pickers/session.js';
import { policyText } from '../view/policy.js';
import { commandLine } from '../view/takeover.js';
import { openedTree, treeLines } from '../view/tree.js';

/** What is said of an event; [] when there is nothing to say. `nowMs` as clock.now(). `wasUnsaved`: that the session is not saved was said last. */
export function wordsOf(event: RuntimeEvent, nowMs: number, wasUnsaved = false): readonly string[] {
  switch (event.type) {
    case 'lifecycle.started':
      return [
        `buddy-tui ${event.version}, model ${visibleLine(event.model.profile)}, on ${visibleLine(event.target.label)}. /help lists the commands.`,
      ];
    case 'model.answered':
      return event.message.text.trim() === '' ? [] : ['Answer:', ...lines(event.message.text)];
    case 'task.attached':
      return event.attached.map((part) => `Attached: ${visibleLine(attachmentText(part), 'exact')}`);
    case 'tool.requested':
      return [`Tool ${visibleLine(event.name, 'exact')}: ${visibleLine(event.preview, 'exact')}`];
    case 'tool.changed':
      return [`Changed to: ${visibleLine(event.preview, 'exact')}`];
    case 'tool.ended':
      return [...lines(event.text), `Ended: ${visibleLine(event.summary)}`];
    case 'model.retrying':
      return [`Trying again in ${Math.max(0, Math.ceil((event.atMs - nowMs) / 1000))} seconds: ${visibleLine(event.reason)}`];
    case 'task.started':
      if (event.kind === 'compaction') return [sentence(visibleLine(event.text))];
      return event.kind === 'job' ? [`Task ${event.task} runs in the background: ${visibleLine(event.text)}`] : [];
    case 'task.ended':
      return endWords(event);
    case 'approval.requested':
      return questionWords(event.request);
    case 'approval.resolved':
      return event.by === 'user' ? [] : [`The question was answered with ${event.decision === 'deny' ? 'no' : 'yes'} (${event.by}).`];
    case 'approval.policy':
      return [`Approval policy: ${policyText(event.policy, nowMs)}`];
    case 'approval.rules':
      return [`Rules that let calls through unasked: ${event.rules.length}. /rules lists them.`];
    case 'approval.ruled':
      return [`Not asked: your rule ${event.rule.id}, ${visibleLine(ruleText(event.rule), 'exact')}`];
    case 'model.switched':
      return [
        `Model: ${visibleLine(event.model.profile)}${event.model.effort === undefined ? '' : `, thinks ${visibleLine(event.model.effort)}`}`,
      ];
    case 'queue.returned':
      return event.texts.flatMap((text) => ['Not sent:', ...lines(text)]);
    case 'context.told':
      return contextWords(event);
    case 'mcp.told':
      return event.isAsked ? mcpLines(event.servers).map((line) => visibleLine(line, 'exact')) : [];
    case 'mcp.logged':
      return lines(mcpLogText(event.server, event.lines));
    case 'extensions.told':
      return lines(extensionsText(event));
    case 'limits.told':
      return limitLines(event);
    case 'command.refused':
      return [`Not done: ${visibleLine(event.reason)}`];
    case 'session.started':
      return ['A new conversation.'];
    case 'session.resumed':
      return resumedWords(event, nowMs);
    case 'session.renamed':
      return [
        `${event.session === undefined ? 'This session' : `Session ${visibleLine(event.session)}`} is called ${visibleLine(event.name)}.`,
      ];
    case 'session.deleted':
      return [`Session ${visibleLine(event.session)} is now ${visibleLine(event.movedTo, 'exact')}`];
    case 'session.branched':
      return ['The conversation goes on from there.', ...(event.text === null ? [] : ['It was said there:', ...lines(event.text)])];
    case 'session.labelled':
      return [event.label === '' ? 'The label is gone.' : `Labelled: ${visibleLine(event.label)}`];
    case 'tree.told':
      return treeWords(event);
    case 'session.exported':
      return [`The session was written to ${visibleLine(event.path)}`];
    case 'session.listed':
      return listedWords(event.sessions, nowMs);
    case 'session.storage':
      if (event.trouble === null) return wasUnsaved ? ['This session is saved again.'] : [];
      return [`This session is not saved: ${visibleLine(event.trouble)}.`];
    case 'pane.command':
      return [`Run in the pane by hand: ${visibleLine(commandLine(event))}`];
    case 'context.compacted':
      return [sentence(compactedText(event))];
    case 'notice':
      return lines(event.message);
    case 'warning':
      return lines(`Warning: ${event.message}`);
    case 'error':
      return lines(`Error: ${event.message}${event.hint === null ? '' : `\n${event.hint}`}`);
    default:
      return [];
  }
}

/** Whole, with what each entry is called by. */
function treeWords({ entries, leaf }: Extract<RuntimeEvent, { type: 'tree.told' }>): readonly string[] {
  const listed = treeLines({ ...openedTree(entries, leaf), filter: 'all' }).map(({ entry, lead }) => {
    const words = entry.calls.length > 1 ? entry.calls.join(' · ') : entry.text;
    return `${lead}${entry.id}. ${entry.kind}: ${words}${entry.label === null ? '' : ` #${entry.label}`}${entry.id === leaf ? ' (here)' : ''}`;
  });
  return [...listed.map((line) => visibleLine(line)), 'Go on from one of them with /tree and its number.'];
}

/** What was said in an earlier run, then that it goes on. */
function resumedWords({ session, copyOf, past }: Extract<RuntimeEvent, { type: 'session.resumed' }>, nowMs: number): readonly string[] {
  const said = past.flatMap(({ event }) =>
    event.type === 'task.started' && event.kind === 'prompt' ? ['You:', ...lines(event.text)] : wordsOf(event, nowMs),
  );
  const copy = copyOf === null ? [] : [`It goes on as a copy of session ${visibleLine(copyOf)}.`];
  return [`Session ${visibleLine(session)}:`, ...said, ...copy, 'It goes on here.'];
}

function listedWords(sessions: readonly SessionSummary[], nowMs: number): readonly string[] {
  if (sessions.length === 0) return ['There are no earlier sessions in this folder.'];
  const listed = sessions.map((of) =>
    visibleLine(`${of.session}  ${oneSession(of)}, ${formatAgo(nowMs - of.updatedMs)}  ${sessionWords(of)}`),
  );
  return [...listed, 'Go on in one of them with /session resume and its id.'];
}

/** The answers to a question, by the number that is typed. */
const choices = [
  { says: 'yes, this once', decision: 'once' },
  { says: 'yes, and all like it in this session', decision: 'session' },
  { says: 'no', decision: 'deny' },
  { says: 'no, and say why', decision: 'feedback' },
  { says: 'yes, by a rule that you choose', decision: 'rule' },
] as const;

/** Those that there are for a question: its numbers begin with 1. */
export function choicesFor(request: ApprovalRequest): readonly (typeof choices)[number][] {
  return choices.filter(({ decision }) => decision !== 'rule' || request.rule !== undefined);
}

function questionWords(request: ApprovalRequest): readonly string[] {
  const { claim, computed, where } = request;
  const judged = computed === undefined ? [] : computedLines(computed);
  const account = where === undefined ? '' : ` as ${visibleLine(`${where.user}@${where.host}`, 'exact')}`;
  const claimed =
    claim === null
      ? []
      : [
          `The model says: ${claim.risk} risk, ${claim.mutation ? 'changes things' : 'changes nothing'}${claim.privesc ? ', as root' : ''}: ${visibleLine(claim.why)}`,
        ];
  return [
    `Question: ${visibleLine(request.tool, 'exact')}, ${visibleLine(request.title, 'exact')}, on ${visibleLine(request.target, 'exact')}${account} in ${visibleLine(request.cwd, 'exact')}:`,
    ...request.body.split('\n').map((line) => `  | ${visibleLine(line, 'exact')}`),
    ...(request.notes ?? []).map((note) => `Note: ${visibleLine(note)}.`),
    ...judged,
    ...claimed,
    ...choicesFor(request).map(({ says }, at) => `${at + 1} ${says}`),
  ];
}

function computedLines(computed: ComputedRisk): readonly string[] {
  const [risk, ...more] = computedWords(computed);
  const reasons = computed.reasons.length === 0 ? [] : [`Asked in every mode: ${computed.reasons.join('; ')}.`];
  return [`Computed: ${risk} risk, ${more.join(', ')}.`, ...reasons].map((line) => visibleLine(line, 'exact'));
}

function endWords({ task, outcome, exitCode, error }: Extract<RuntimeEvent, { type: 'task.ended' }>): readonly string[] {
  const failure = error === null ? [] : lines(`${error.message}${error.hint === null ? '' : `\n${error.hint}`}`);
  if (outcome === 'completed' && exitCode === null) return failure;
  return [`Task ${task}: ${outcome}${exitCode === null ? '' : `, exit code ${exitCode}`}.`, ...failure];
}

function lines(text: string): readonly string[] {
  return visible(text.trimEnd()).split('\n');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
