/** The turn: the loop between the model and the tools, from a prompt until nothing is left to do. */

import { abortError, BuddyError } from '../base/errors.js';
import { withUnseenNamed } from '../base/visible.js';
import type { ModelRequest } from '../models/provider.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { Message, ToolCall, ToolMessage } from '../protocol/messages.js';
import type { Budget } from './budget.js';
import { type ContextWindow, type Fitted, tellUse } from './context-window.js';
import type { Said } from './lane.js';
import { type Answer, BrokenAnswer } from './model-call.js';
import { RepeatGuard } from './repeat-guard.js';

/** What a model is told whose answer grew beyond the window. */
const GO_ON =
  '[harness] Your answer above broke off because the conversation had become too long. Go on where it stopped, without saying it again.';

/** What a turn needs of the world; the runtime gives it. */
export interface TurnContext {
  readonly task: string;
  readonly session: string;
  /** The conversation; the turn appends to it and nobody else does meanwhile. */
  readonly messages: Message[];
  readonly window: ContextWindow;
  /** What the prompt and the session may take. */
  readonly budget: Pick<Budget, 'limits' | 'check'>;
  emit(event: RuntimeEvent): void;
  /** Texts that wait to be told to the model between two requests. */
  takeSteering(): readonly Said[];
  /** Adds what the person said, with what they brought along. `told` is called once it is there. Never rejects. */
  say(said: Said, told: () => void, signal: AbortSignal): Promise<void>;
  /** What happened beside the conversation since the last request (background tasks that ended). */
  takeNotes(): readonly string[];
  /** The terminal as it is now, for this request only; null when there is nothing to show. */
  terminal(signal: AbortSignal): Promise<string | null>;
  /** The conversation and `extra` as a request that the window holds. Rejects with `context.full` when nothing makes it small enough. */
  fit(extra: readonly Message[], signal: AbortSignal): Promise<Fitted>;
  /** The same, made smaller once because the server found `refused` too long. Rejects with `error` when it cannot be. */
  refit(extra: readonly Message[], refused: Fitted, error: unknown, signal: AbortSignal): Promise<Fitted>;
  call(request: ModelRequest, signal: AbortSignal): Promise<Answer>;
  /** What the person refused so often that the turn ends; null: nothing. */
  refused(): { readonly what: string; readonly times: number } | null;
  runCalls(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly ToolMessage[]>;
}

/** Runs until the model is quiet. Throws BuddyError when it failed, an AbortError when cancelled; the messages are whole in any case. */
export async function runTurn(context: TurnContext, signal: AbortSignal): Promise<void> {
  const newGuard = () => new RepeatGuard(context.budget.limits.value('repeats'));
  let guard = newGuard();
  let isSteered = false;
  for (let iteration = 1; ; iteration++) {
    const most = context.budget.limits.value('requests');
    if (iteration > most) throw tooManyIterations(most);
    context.budget.check();
    if (!isSteered) isSteered = await tell(context, signal);
    // Who is told something new may do the old things again.
    if (isSteered) guard = newGuard();
    const answer = await ask(context, iteration, signal);
    const { calls } = answer.message;
    isSteered = calls.length === 0 && (await tell(context, signal));
    if (isSteered) continue;
    if (calls.length === 0) return;
    const results = await context.runCalls(calls, signal);
    context.messages.push(...results);
    if (signal.aborted) throw abortError();
    const refused = context.refused();
    if (refused !== null) throw refusedTooOften(refused);
    const repeats = guard.heard(calls, results);
    if (repeats !== null) throw stuck(repeats);
  }
}

/** Adds what waits for the model; true when there was anything. */
async function tell(context: TurnContext, signal: AbortSignal): Promise<boolean> {
  const notes = context.takeNotes();
  const steering = context.takeSteering();
  for (const text of notes) context.messages.push({ role: 'user', text: withUnseenNamed(text) });
  for (const said of steering) {
    await context.say(said, () => context.emit({ type: 'task.steered', task: context.task, text: said.text }), signal);
  }
  return steering.length > 0;
}

/** One request, answered and appended. A broken answer is appended as far as it came before its error goes on. */
async function ask(context: TurnContext, iteration: number, signal: AbortSignal): Promise<Answer> {
  const terminal = await context.terminal(signal);
  const extra: readonly Message[] = terminal === null ? [] : [{ role: 'user', text: withUnseenNamed(terminal) }];
  try {
    const answer = await answered(context, iteration, extra, signal);
    context.messages.push(answer.message);
    context.emit({ type: 'model.answered', task: context.task, message: answer.message, usage: answer.usage });
    if (answer.finish === 'length') {
      context.emit({ type: 'warning', message: 'the answer was cut short: the model reached its output limit. Say "go on" for the rest' });
    }
    if (answer.finish === 'refusal') throw new BuddyError('model.refusal', 'the model refused to answer');
    return answer;
  } catch (thrown) {
    if (!(thrown instanceof BrokenAnswer)) throw thrown;
    keep(context, thrown);
    throw thrown.cause;
  } finally {
    tellUse(context.window, context.emit);
  }
}

/** What came of an answer that broke off stays in the conversation. */
function keep(context: TurnContext, { partial }: BrokenAnswer): void {
  context.messages.push(partial);
  context.emit({ type: 'model.answered', task: context.task, message: partial, usage: null });
}

/**
 * The answer to the conversation; one that the server finds too long is made smaller and sent once more. When it finds that out in the
 * middle of the answer, what came of it is kept, and the model goes on from there.
 */
async function answered(context: TurnContext, iteration: number, extra: readonly Message[], signal: AbortSignal): Promise<Answer> {
  const fitted = await context.fit(extra, signal);
  try {
    return await sent(context, iteration, fitted, signal);
  } catch (thrown) {
    const error = thrown instanceof BrokenAnswer ? thrown.cause : thrown;
    if (!(error instanceof BuddyError) || error.code !== 'model.context') throw thrown;
    if (thrown instanceof BrokenAnswer) {
      keep(context, thrown);
      context.messages.push({ role: 'user', text: GO_ON });
    }
    return await sent(context, iteration, await context.refit(extra, fitted, error, signal), signal);
  }
}

async function sent(context: TurnContext, iteration: number, { messages, estimate }: Fitted, signal: AbortSignal): Promise<Answer> {
  const { meter, instructions, toolSpecs: tools } = context.window;
  const estimatedTokens = meter.corrected(estimate);
  context.emit({ type: 'model.requested', task: context.task, iteration, estimatedTokens, messages: messages.length });
  const answer = await context.call({ instructions, messages, tools, session: context.session }, signal);
  meter.accepted(estimate);
  if (answer.usage !== null) meter.learn(estimate, answer.usage.inputTokens);
  return answer;
}

function tooManyIterations(limit: number): BuddyError {
  return new BuddyError('turn.iterations', `the model was stopped after ${limit} requests for one prompt`, {
    hint: `Say "go on" to let it continue, or allow more with /limits requests ${2 * limit} or agent.max_iterations.`,
  });
}

function stuck(repeats: string): BuddyError {
  return new BuddyError('turn.repeats', `the model was stopped: it ${repeats}`, {
    hint: 'Tell it what to do differently, or say "go on" to let it continue. The limit is limits.repeats (/limits repeats).',
  });
}

function refusedTooOften({ what, times }: { readonly what: string; readonly times: number }): BuddyError {
  return new BuddyError('turn.refused', `the model was stopped: you said no ${times} times to much the same: ${what}`, {
    hint: 'Tell it what to do instead, or say "go on" to let it continue. The limit is limits.denials (/limits denials).',
  });
}
