/** What each event adds to the conversation. Appending a delta touches one block, whatever came before it. */

import { baseOf } from '../protocol/efforts.js';
import type { ModelSummary, RuntimeEvent } from '../protocol/events.js';
import { isPastTask } from './past-tasks.js';
import { freshScan, scanAnswer } from './rows/split.js';
import { costText, tokensText } from './spent.js';
import { runningPrompt, type State } from './state.js';
import {
  type AnswerBlock,
  appendBlock,
  type Block,
  type BlockId,
  blockAt,
  findLast,
  outputKept,
  replaceBlock,
  type ToolBlock,
  type Transcript,
} from './transcript.js';
import { spentIn } from './usage.js';

/** Calls are looked for this far back: a call is answered within its turn. */
const RECENT = 2000;

/** The state with its conversation after `event`. */
export function conversationEvent(state: State, event: RuntimeEvent, tsMs: number): State {
  const transcript = transcriptAfter(state, event, tsMs);
  return transcript === state.transcript ? state : { ...state, transcript };
}

function transcriptAfter(state: State, event: RuntimeEvent, tsMs: number): Transcript {
  const { transcript } = state;
  switch (event.type) {
    case 'task.started':
      if (event.kind === 'compaction')
        return appendBlock(quiet(transcript, tsMs), { kind: 'notice', level: 'info', text: `${event.text} …` });
      if (event.kind !== 'prompt') return transcript;
      return appendBlock(quiet(transcript, tsMs), { kind: 'user', text: event.text, steered: false });
    case 'task.steered':
      return appendBlock(quiet(transcript, tsMs), { kind: 'user', text: event.text, steered: true });
    case 'task.attached': {
      const id = findLast(transcript, ({ kind }) => kind === 'user', RECENT);
      const block = blockAt(transcript, id);
      return block?.kind === 'user' ? replaceBlock(transcript, id, { ...block, attached: event.attached }) : transcript;
    }
    case 'model.text':
      return withText(transcript, event.text, tsMs);
    case 'model.reasoning':
      return withReasoning(transcript, event.text, tsMs);
    case 'model.retrying':
      return appendBlock(quiet(transcript, tsMs), {
        kind: 'retry',
        attempt: event.attempt,
        attempts: event.attempts ?? null,
        atMs: event.atMs,
        reason: event.reason,
        over: false,
      });
    case 'model.answered':
      return withUsage(answered(transcript, event, tsMs), event, state);
    case 'model.switched':
      return appendBlock(transcript, { kind: 'notice', level: 'info', text: modelWords(event.model) });
    case 'tool.requested':
      if (!state.showToolCalls && event.name !== '!') return transcript;
      return appendBlock(quiet(transcript, tsMs), requested(event));
    case 'tool.changed':
      return change(transcript, event.call, (block) => ({ ...block, preview: event.preview }));
    case 'approval.ruled':
      return change(transcript, event.call, (block) => ({ ...block, rule: event.rule }));
    case 'tool.started':
      return change(transcript, event.call, (block) => ({ ...block, status: 'running', startedMs: tsMs, diff: event.diff ?? null }));
    case 'tool.output':
      return change(transcript, event.call, (block) => withOutput(block, event.text));
    case 'tool.ended':
      return change(transcript, event.call, (block) => ended(block, event));
    case 'task.ended':
      return taskEnded(quiet(transcript, tsMs), state, event);
    case 'session.started':
      return appendBlock(quiet(transcript, tsMs), { kind: 'mark', text: `new session ${event.session}` });
    case 'context.compacted':
      return appendBlock(quiet(transcript, tsMs), { kind: 'mark', text: compactedText(event) });
    default:
      return transcript;
  }
}

/** What became of the conversation, for the mark across it. */
export function compactedText(event: Extract<RuntimeEvent, { type: 'context.compacted' }>): string {
  const how = event.trimmed === true ? 'old results were left out' : 'what came before was summarised';
  return `${how}: ${event.tokensBefore} tokens became ${event.tokensAfter}`;
}

/** Ends what was streaming: thinking, text, a wait for another try. */
function quiet(transcript: Transcript, tsMs: number, incomplete = false): Transcript {
  const id = transcript.length - 1;
  const last = blockAt(transcript, id);
  if (last?.kind === 'reasoning' && last.endedMs === null) return replaceBlock(transcript, id, { ...last, endedMs: tsMs });
  if (last?.kind === 'assistant' && (last.open || incomplete)) return replaceBlock(transcript, id, { ...last, open: false, incomplete });
  if (last?.kind === 'retry' && !last.over) return replaceBlock(transcript, id, { ...last, over: true });
  return transcript;
}

function withText(transcript: Transcript, text: string, tsMs: number): Transcript {
  const id = transcript.length - 1;
  const last = blockAt(transcript, id);
  if (last?.kind === 'assistant' && last.open) return withPieces(transcript, id, { ...last, text: last.text + text });
  const begun = appendBlock(quiet(transcript, tsMs), emptyAnswer);
  return withPieces(begun, begun.length - 1, { ...emptyAnswer, text });
}

const emptyAnswer: AnswerBlock = {
  kind: 'assistant',
  text: '',
  continued: false,
  tight: false,
  within: null,
  open: true,
  incomplete: false,
  scan: freshScan,
};

/** The transcript with `block`, its last one, cut into pieces where it has grown long. */
function withPieces(transcript: Transcript, id: BlockId, block: AnswerBlock): Transcript {
  let pieces = transcript;
  let piece = block;
  for (let at = id; ; at++) {
    const found = scanAnswer(piece.text, piece.scan);
    if (!('rest' in found)) return replaceBlock(pieces, at, { ...piece, scan: found });
    const { tight, within, rest } = found;
    const next: AnswerBlock = { ...piece, text: piece.text.slice(found.at), continued: true, tight, within, scan: rest };
    pieces = appendBlock(replaceBlock(pieces, at, { ...piece, text: piece.text.slice(0, found.at), open: false, scan: freshScan }), next);
    piece = next;
  }
}

function withReasoning(transcript: Transcript, text: string, tsMs: number): Transcript {
  const id = transcript.length - 1;
  const last = blockAt(transcript, id);
  if (last?.kind === 'reasoning' && last.endedMs === null) return replaceBlock(transcript, id, { ...last, text: last.text + text });
  return appendBlock(quiet(transcript, tsMs), { kind: 'reasoning', text, startedMs: tsMs, endedMs: null });
}

function answered(transcript: Transcript, event: Extract<RuntimeEvent, { type: 'model.answered' }>, tsMs: number): Transcript {
  const streamed = findLast(transcript, (block) => block.kind === 'assistant' && block.open, 2) >= 0;
  const { text, incomplete } = event.message;
  const quieted = quiet(transcript, tsMs, streamed && incomplete);
  if (streamed || text === '') return quieted;
  return quiet(withText(quieted, text, tsMs), tsMs, incomplete);
}

function withUsage(transcript: Transcript, event: Extract<RuntimeEvent, { type: 'model.answered' }>, state: State): Transcript {
  if (!state.showTokens) return transcript;
  const spent = spentIn(event, state.usage, state.model);
  const cost = costText(spent);
  const text = `tokens: ${tokensText(spent)}${cost === null ? '' : ` · ${cost}`}`;
  return appendBlock(transcript, { kind: 'notice', level: 'info', text });
}

function requested(event: Extract<RuntimeEvent, { type: 'tool.requested' }>): ToolBlock {
  return {
    kind: 'tool',
    task: event.task,
    call: event.call,
    name: event.name,
    preview: event.preview,
    status: 'requested',
    tail: '',
    outputChars: 0,
    outputLines: 0,
    result: '',
    summary: '',
    exitCode: null,
    startedMs: null,
    elapsedMs: 0,
    diff: null,
    rule: null,
  };
}

function change(transcript: Transcript, call: string, to: (block: ToolBlock) => ToolBlock): Transcript {
  const id: BlockId = findLast(transcript, (block) => block.kind === 'tool' && block.call === call, RECENT);
  const block: Block | undefined = blockAt(transcript, id);
  return block?.kind === 'tool' ? replaceBlock(transcript, id, to(block)) : transcript;
}

function withOutput(block: ToolBlock, text: string): ToolBlock {
  const whole = block.tail + text;
  const tail = whole.length > outputKept.most ? whole.slice(-outputKept.least) : whole;
  return { ...block, tail, outputChars: block.outputChars + text.length, outputLines: block.outputLines + lineEnds(text) };
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function ended(block: ToolBlock, event: Extract<RuntimeEvent, { type: 'tool.ended' }>): ToolBlock {
  const denied = /^(denied|refused)/.test(event.summary);
  const failed = event.isError || (event.exitCode !== null && event.exitCode !== 0);
  const status = denied ? 'denied' : /^(cancelled|interrupted)/.test(event.summary) ? 'cancelled' : failed ? 'failed' : 'done';
  return { ...block, status, result: event.text, tail: '', summary: event.summary, exitCode: event.exitCode, elapsedMs: event.elapsedMs };
}

function taskEnded(transcript: Transcript, state: State, event: Extract<RuntimeEvent, { type: 'task.ended' }>): Transcript {
  const task = state.tasks.find((known) => known.id === event.task);
  // Its card tells how it ended.
  if (task?.kind === 'command') return transcript;
  if (task?.kind === 'compaction') return compactionEnded(transcript, state, event);
  if (task?.kind === 'job') {
    const how = event.exitCode === null ? event.outcome : `exit ${event.exitCode}`;
    return appendBlock(transcript, {
      kind: 'notice',
      level: event.exitCode === 0 ? 'info' : 'warning',
      text: `job${isPastTask(task) ? '' : ` ${event.task}`} ended: ${how} · ${task.text}`,
    });
  }
  if (event.error !== null && event.outcome !== 'cancelled') {
    const text = event.error.hint === null ? event.error.message : `${event.error.message}\n${event.error.hint}`;
    return appendBlock(transcript, { kind: 'notice', level: 'error', text });
  }
  if (event.outcome === 'completed') return transcript;
  return appendBlock(transcript, {
    kind: 'notice',
    level: 'warning',
    text: event.outcome === 'cancelled' ? 'interrupted' : 'its time was over',
  });
}

function modelWords(model: ModelSummary): string {
  return `model: ${baseOf(model)} (${model.model})${model.effort === undefined ? '' : `, thinks ${model.effort}`}`;
}

/** One within a prompt is told of by what follows: its mark, a warning, or the end of the prompt. */
function compactionEnded(
  transcript: Transcript,
  state: State,
  { outcome, error }: Extract<RuntimeEvent, { type: 'task.ended' }>,
): Transcript {
  if (runningPrompt(state) !== null || outcome === 'completed') return transcript;
  const why = error === null ? (outcome === 'cancelled' ? 'interrupted' : 'its time was over') : error.message;
  const text = `${why}; the conversation is as it was`;
  return appendBlock(transcript, { kind: 'notice', level: error === null ? 'warning' : 'error', text });
}
