/** A conversation made smaller without a model: old results go first, then old messages, then the middle of long results. */

import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../protocol/messages.js';
import { cutFor } from './cut-points.js';
import { toolEnvelope } from './envelope.js';
import { estimateTokens } from './history.js';
import { cut, earlierSummary, recapMessage, recapOf } from './recap.js';

const GONE = '(left out to save room; name it again if it is needed)';
const LEFT_OUT = 'This result was left out to save room; make the call again if it is needed.';
/** A result of fewer characters is not worth leaving out. */
const SHORT_RESULT = 400;
/** Calls that are still named when their messages are gone: so many of the newest, and the newest that failed. */
const NAMED = { calls: 24, failed: 3 } as const;
/** Characters of one call in that list (seed: 180), and of an earlier summary that is taken along. */
const CHARACTERS = { call: 180, earlier: 4000 } as const;
/** Characters that long results are shortened to, tried in this order. */
const RESULT_CHARACTERS = [8000, 4000, 2000, 1000, 500] as const;

/** How far to go. */
export interface TrimmingGoal {
  /** Estimated tokens that the messages may take. */
  readonly targetTokens: number;
  /** Estimated tokens of the newest messages that are touched last. */
  readonly tailTokens: number;
  /** Characters that the person's own words may take where old messages go. */
  readonly saidCharacters: number;
}

/** Sound messages of at most `targetTokens`, each of which is changed as little as that allows; as small as it gets when it does not. */
export function trimmed(messages: readonly Message[], goal: TrimmingGoal, nowMs: number): readonly Message[] {
  const end = cutFor(messages, goal.tailTokens);
  const withoutResults = leftOut(messages, end, goal.targetTokens, nowMs);
  if (estimateTokens(withoutResults, 0) <= goal.targetTokens) return withoutResults;
  const withoutHead =
    end === 0
      ? messages
      : [recapMessage(recapOf(messages.slice(0, end), namedCalls(messages.slice(0, end)), goal.saidCharacters)), ...messages.slice(end)];
  return shortened(withoutHead, goal.targetTokens, nowMs);
}

/** The oldest results before `end` left out, as few as possible. */
function leftOut(messages: readonly Message[], end: number, targetTokens: number, nowMs: number): readonly Message[] {
  const out = [...messages];
  let tokens = estimateTokens(out, 0);
  for (let index = 0; index < end && tokens > targetTokens; index++) {
    const message = out[index];
    const short = message === undefined ? null : withoutContent(message, nowMs);
    if (message === undefined || short === null) continue;
    tokens -= estimateTokens([message], 0) - estimateTokens([short], 0);
    out[index] = short;
  }
  return out;
}

/** The message without what it brought along, or the result without what it told; null when that saves nothing. */
function withoutContent(message: Message, nowMs: number): Message | null {
  if (message.role === 'tool') {
    if (message.text.length < SHORT_RESULT && message.images === undefined) return null;
    const { images: _, ...rest } = message;
    return { ...rest, text: toolEnvelope({ note: LEFT_OUT }, nowMs) };
  }
  return message.role === 'user' ? withoutAttached(message) : null;
}

/** What was brought along is named still. */
function withoutAttached(message: UserMessage): UserMessage | null {
  const { images, ...rest } = message;
  const attached = (message.attached ?? []).map((part) => ({ ...part, text: `[${part.kind} ${part.name} ${GONE}]` }));
  const before = (message.attached ?? []).reduce((sum, { text }) => sum + text.length, 0);
  const after = attached.reduce((sum, { text }) => sum + text.length, 0);
  return images === undefined && before <= after ? null : { ...rest, ...(attached.length === 0 ? {} : { attached }) };
}

/** Every result in at most so many characters, as many as fit. */
function shortened(messages: readonly Message[], targetTokens: number, nowMs: number): readonly Message[] {
  let out = messages;
  for (const most of RESULT_CHARACTERS) {
    if (estimateTokens(out, 0) <= targetTokens) return out;
    out = messages.map((message) => shortMessage(message, most, nowMs));
  }
  return out;
}

function shortMessage(message: Message, most: number, nowMs: number): Message {
  if (message.role === 'tool') return message.text.length > most ? shortResult(message, most, nowMs) : message;
  if (message.role !== 'user' || message.attached?.every(({ text }) => text.length <= most) !== false) return message;
  return { ...message, attached: message.attached.map((part) => ({ ...part, text: cut(part.text, most) })) };
}

function shortResult(message: ToolMessage, most: number, nowMs: number): ToolMessage {
  const note = 'This result was shortened to save room; read the rest with another call if it is needed.';
  return { ...message, text: toolEnvelope({ note, text: cut(message.text, Math.max(100, most - 250)) }, nowMs) };
}

/** What an earlier summary said, and the newest calls with how they ended. */
function namedCalls(head: readonly Message[]): string {
  const results = new Map(head.flatMap((message) => (message.role === 'tool' ? [[message.callId, message] as const] : [])));
  const calls = head
    .filter((message): message is AssistantMessage => message.role === 'assistant')
    .flatMap((message) => message.calls)
    .map((call) => {
      const end = endOf(results.get(call.id));
      return { line: `- ${cut(`${call.name} ${call.argsText}`, CHARACTERS.call)} → ${end}`, isFailed: !/^(done|exit code 0)$/.test(end) };
    });
  const newest = calls.slice(-NAMED.calls);
  const failed = calls.slice(0, -NAMED.calls).filter(({ isFailed }) => isFailed);
  const before = cut(earlierSummary(head), CHARACTERS.earlier);
  if (calls.length === 0) return before === '' ? 'No tool was called.' : before;
  return [
    ...(before === '' ? [] : [before]),
    `Calls that were made, the newest last (${calls.length} in all); their results are left out:`,
    ...[...failed.slice(-NAMED.failed), ...newest].map(({ line }) => line),
  ].join('\n');
}

/** `exit code 0`, `failed`, `done`: as the envelope of the result tells it. */
function endOf(result: ToolMessage | undefined): string {
  if (result === undefined) return 'no result';
  const exitCode = /"exit_code":(-?\d+)/.exec(result.text)?.[1];
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  return result.isError ? 'failed' : 'done';
}
