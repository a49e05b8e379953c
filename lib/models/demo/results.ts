/** What the tools really answered, read with tolerance. */

import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../../protocol/messages.js';
import { asNumber, asObject, asText, parseJson } from '../json.js';

/** How a call ended, as far as its result tells. */
export type ToolEnd = 'done' | 'running' | 'denied' | 'not run' | 'failed' | 'cancelled';

/** One call with its result. */
export interface CallResult {
  readonly tool: string;
  /** The command of a run_shell call, the path of a file call, else ''. */
  readonly subject: string;
  readonly end: ToolEnd;
  readonly exitCode: number | null;
  /** Output, content or error text. */
  readonly text: string;
}

/** How the harness says that a person said no, that it was kept from running, that it was interrupted. */
const DENIAL = /\buser (?:has )?(?:denied|declined|rejected|refused|said no)\b|\b(?:denied|declined|rejected) by the user\b/i;
const NOT_RUN = /\bnothing (?:was )?r[au]n\b|\bnot approved\b/i;
const INTERRUPTED = /\buser interrupted\b/i;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const object = asObject(value);
  if (object === null) return value === undefined || value === null ? '' : JSON.stringify(value);
  for (const field of ['text', 'output', 'content', 'screen', 'stdout', 'iso_8601_utc', 'note']) {
    const inner = object[field];
    if (typeof inner === 'string') return inner;
    if (asObject(inner) !== null) return textOf(inner);
  }
  return '';
}

function endOf(status: string, error: string, isError: boolean, exitCode: number | null): ToolEnd {
  if (status === 'denied' || (error !== '' && DENIAL.test(error))) return 'denied';
  if (status === 'running') return 'running';
  if (status === 'cancelled' || INTERRUPTED.test(error)) return 'cancelled';
  if (NOT_RUN.test(error)) return 'not run';
  if (status === 'lost' || status === 'refused' || error !== '' || (isError && exitCode === null)) return 'failed';
  return 'done';
}

function resultOf(call: ToolCall | undefined, message: ToolMessage): CallResult {
  const args = asObject(parseJson(call?.argsText ?? '')) ?? {};
  const envelope = asObject(parseJson(message.text));
  const result = envelope === null ? message.text : (envelope['result'] ?? envelope);
  const object = asObject(result) ?? {};
  const error =
    asText(object['error']) ||
    asText(asObject(object['error'])?.['message']) ||
    (message.isError && typeof result === 'string' ? result : '');
  const exitCode = asNumber(object['exit_code']);
  return {
    tool: message.name,
    subject: asText(args['command']) || asText(args['path']),
    end: endOf(asText(object['status']), error, message.isError, exitCode),
    exitCode,
    text: error || textOf(result) || asText(object['reason']),
  };
}

/** What the program itself tells a model in the person's name (`<terminal-now …>`, `[harness] …`): nothing to answer. */
const BY_PROGRAM = /^(?:<[a-z]+(?:-[a-z]+)+[\s>]|\[harness\])/;

/** The conversation without what the program told. */
export function spoken(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role !== 'user' || !BY_PROGRAM.test(message.text));
}

/** The results that came since the model last spoke, in the order of its calls; empty when it is not its turn to report. */
export function freshResults(messages: readonly Message[]): readonly CallResult[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  const asked = messages[last] as AssistantMessage | undefined;
  const answers = messages.slice(last + 1).filter((message) => message.role === 'tool');
  return answers.map((answer) =>
    resultOf(
      asked?.calls.find((call) => call.id === answer.callId),
      answer,
    ),
  );
}
