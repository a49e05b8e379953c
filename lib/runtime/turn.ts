/** The turn: the loop between the model and the tools, from a prompt until nothing is left to do. */

import { abortError, BuddyError } from '../base/errors.js';
import type { ModelRequest, ToolSpec } from '../models/provider.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { Message, ToolCall, ToolMessage } from '../protocol/messages.js';
import { type ContextMeter, TRIM_AT, TRIM_TO } from './context-meter.js';
import { estimateTokens, repaired, trimmed } from './history.js';
import { type Answer, BrokenAnswer } from './model-call.js';
import { RepeatGuard } from './repeat-guard.js';

/** What a turn needs of the world; the runtime gives it. */
export interface TurnContext {
  readonly task: string;
  readonly session: string;
  /** The conversation; the turn appends to it and nobody else does meanwhile. */
  readonly messages: Message[];
  readonly meter: ContextMeter;
  readonly windowTokens: number;
  readonly maxIterations: number;
  readonly instructions: string;
  readonly toolSpecs: readonly ToolSpec[];
  now(): number;
  emit(event: RuntimeEvent): void;
  /** Texts that wait to be told to the model between two requests. */
  takeSteering(): readonly string[];
  /** What happened beside the conversation since the last request (background tasks that ended). */
  takeNotes(): readonly string[];
  /** The terminal as it is now, for this request only; null when there is nothing to show. */
  terminal(signal: AbortSignal): Promise<string | null>;
  call(request: ModelRequest, signal: AbortSignal): Promise<Answer>;
  runCalls(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly ToolMessage[]>;
}

/** Runs until the model is quiet. Throws BuddyError when it failed, an AbortError when cancelled; the messages are whole in any case. */
export async function runTurn(context: TurnContext, signal: AbortSignal): Promise<void> {
  let guard = new RepeatGuard();
  let isSteered = false;
  for (let iteration = 1; ; iteration++) {
    if (iteration > context.maxIterations) throw tooManyIterations(context.maxIterations);
    if (!isSteered) isSteered = tell(context);
    // Who is told something new may do the old things again.
    if (isSteered) guard = new RepeatGuard();
    const answer = await ask(context, iteration, signal);
    const { calls } = answer.message;
    isSteered = calls.length === 0 && tell(context);
    if (isSteered) continue;
    if (calls.length === 0) return;
    const results = await context.runCalls(calls, signal);
    context.messages.push(...results);
    if (signal.aborted) throw abortError();
    const repeats = guard.heard(calls, results);
    if (repeats !== null) throw stuck(repeats);
  }
}

/** Adds what waits for the model; true when there was anything. */
function tell(context: TurnContext): boolean {
  const notes = context.takeNotes();
  const steering = context.takeSteering();
  for (const text of notes) context.messages.push({ role: 'user', text });
  for (const text of steering) {
    context.messages.push({ role: 'user', text });
    context.emit({ type: 'task.steered', task: context.task, text });
  }
  return steering.length > 0;
}

/** One request, answered and appended. A broken answer is appended as far as it came before its error goes on. */
async function ask(context: TurnContext, iteration: number, signal: AbortSignal): Promise<Answer> {
  const terminal = await context.terminal(signal);
  const { messages, estimate } = fitted(context, terminal === null ? [] : [{ role: 'user', text: terminal }]);
  const request: ModelRequest = { instructions: context.instructions, messages, tools: context.toolSpecs, session: context.session };
  context.emit({ type: 'model.requested', task: context.task, iteration, estimatedTokens: context.meter.corrected(estimate) });
  try {
    const answer = await context.call(request, signal);
    context.messages.push(answer.message);
    if (answer.usage !== null) context.meter.learn(estimate, answer.usage.inputTokens);
    context.emit({ type: 'model.answered', task: context.task, message: answer.message, usage: answer.usage });
    if (answer.finish === 'length') {
      context.emit({ type: 'warning', message: 'the answer was cut short: the model reached its output limit. Say "go on" for the rest' });
    }
    if (answer.finish === 'refusal') throw new BuddyError('model.refusal', 'the model refused to answer');
    return answer;
  } catch (thrown) {
    if (!(thrown instanceof BrokenAnswer)) throw thrown;
    context.messages.push(thrown.partial);
    context.emit({ type: 'model.answered', task: context.task, message: thrown.partial, usage: null });
    throw thrown.cause;
  } finally {
    meter(context);
  }
}

/** The messages of the next request: repaired, and trimmed when they would not fit. Throws `context.full` when even that fails. */
function fitted(context: TurnContext, extra: readonly Message[]): { readonly messages: readonly Message[]; readonly estimate: number } {
  const fixed = fixedCharacters(context);
  const whole = [...repaired(context.messages, context.now()), ...extra];
  const estimate = estimateTokens(whole, fixed);
  if (context.meter.corrected(estimate) <= context.windowTokens * TRIM_AT) return { messages: whole, estimate };
  const short = trimmed(whole, context.meter.uncorrected(context.windowTokens * TRIM_TO), fixed, context.now());
  const shortEstimate = estimateTokens(short, fixed);
  if (context.meter.corrected(shortEstimate) > context.windowTokens) {
    throw new BuddyError('context.full', `the conversation no longer fits the model's window of ${context.windowTokens} tokens`, {
      hint: 'Begin a new session, or choose a model with a larger window with /model.',
    });
  }
  context.emit({ type: 'warning', message: 'old tool results were left out of the request to save room' });
  return { messages: short, estimate: shortEstimate };
}

/** Tells how full the window is, and warns once when it gets tight. */
function meter(context: TurnContext): void {
  const used = context.meter.corrected(estimateTokens(context.messages, fixedCharacters(context)));
  context.emit({ type: 'metrics.context', usedTokens: used, windowTokens: context.windowTokens });
  if (!context.meter.crossesWarning(used, context.windowTokens)) return;
  const percent = Math.round((100 * used) / context.windowTokens);
  context.emit({ type: 'warning', message: `${percent} % of the model's window is used` });
}

function fixedCharacters(context: TurnContext): number {
  return context.instructions.length + JSON.stringify(context.toolSpecs).length;
}

function tooManyIterations(limit: number): BuddyError {
  return new BuddyError('turn.iterations', `the model was stopped after ${limit} requests for one prompt`, {
    hint: 'Say "go on" to let it continue, or raise agent.max_iterations.',
  });
}

function stuck(repeats: string): BuddyError {
  return new BuddyError('turn.repeats', `the model was stopped: it ${repeats}`, {
    hint: 'Tell it what to do differently, or say "go on" to let it continue.',
  });
}
