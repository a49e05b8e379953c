/** A tool call between what the model wrote and its review, and its result on the way back: what hooks make of them. */

import { asBuddyError, isAbort } from '../base/errors.js';
import type { ToolCall } from '../protocol/messages.js';
import type { ExecutionTarget } from '../targets/target.js';
import type { ReviewContext, Tool, ToolResult } from '../tools/tool.js';
import type { HookRunner } from './hook-runner.js';
import type { HookedCall } from './hooks.js';

/** A call that was found sound. */
interface Entry {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: unknown;
  /** The arguments as the model wrote them. */
  readonly given: unknown;
}

interface Context {
  readonly hooks?: Pick<HookRunner, 'beforeCall' | 'afterCall'>;
  readonly target: ExecutionTarget;
  readonly review: Omit<ReviewContext, 'target' | 'judge'>;
  readonly judge: ReviewContext['judge'];
}

/** The arguments to go on with (`by`: who changed them), or why nothing runs. */
type Guarded =
  | { readonly args: unknown; readonly given: unknown; readonly by: string | null }
  | { readonly problem: string; readonly summary: 'blocked' | 'cancelled' };

/** Asks the guards, all of them again after each change: none is passed by what another one made of the call. Never rejects. */
export async function guarded(entry: Entry, context: Context, signal: AbortSignal): Promise<Guarded> {
  let { args, given } = entry;
  const settled = new Set<string>();
  let last: string | null = null;
  try {
    while (context.hooks !== undefined) {
      const call = told({ ...entry, args, given }, context);
      const verdict = await context.hooks.beforeCall(call, signal, settled);
      if (verdict.kind === 'blocked')
        return { problem: `Blocked by extension ${verdict.by}: ${verdict.reason} Nothing ran.`, summary: 'blocked' };
      if (verdict.kind === 'same') break;
      settled.add(verdict.by);
      if (JSON.stringify(verdict.args) === JSON.stringify(call.args)) continue;
      last = verdict.by;
      given = verdict.args;
      args = entry.tool.parse(verdict.args);
    }
    return { args, given, by: last };
  } catch (thrown) {
    if (isAbort(thrown)) return { problem: 'The user interrupted before it ran; nothing ran.', summary: 'cancelled' };
    const { message } = asBuddyError(thrown, 'extension.arguments');
    return { problem: `An extension changed the arguments to what the tool refuses: ${message}. Nothing ran.`, summary: 'blocked' };
  }
}

/** The result as the model gets it. Never rejects: it has happened. */
export async function heardAfter(entry: Entry, result: ToolResult, context: Context, signal: AbortSignal): Promise<ToolResult> {
  if (context.hooks === undefined) return result;
  const about = { ...told(entry, context), result: result.result, isError: result.isError };
  const replaced = await context.hooks.afterCall(about, signal).catch(() => null);
  if (replaced === null) return result;
  const { by, isError } = replaced;
  const text = typeof replaced.result === 'string' ? replaced.result : (JSON.stringify(replaced.result, null, 2) ?? '');
  return { ...result, result: replaced.result, text, isError, summary: `${result.summary} · replaced by extension ${by}` };
}

function told({ tool, args, given }: Entry, { target, review, judge }: Context): HookedCall {
  const none = { commands: [], reasons: [] };
  let found: ReturnType<NonNullable<Tool['commands']>> = none;
  try {
    found = tool.commands?.(args, { ...review, target, judge }) ?? none;
  } catch (thrown) {
    found = { commands: [], reasons: [asBuddyError(thrown, 'tool.commands').message] };
  }
  return { tool: tool.name, args: tool.inItsWords?.(args) ?? given, commands: found.commands, doubts: found.reasons };
}
