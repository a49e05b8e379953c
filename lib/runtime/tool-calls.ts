/** Runs the tool calls of one answer: checked, asked about, run, each with a result whatever happens. */

import type { Clock } from '../base/clock.js';
import { asBuddyError, isAbort } from '../base/errors.js';
import { isTooDeep } from '../base/json-depth.js';
import { offerFor } from '../policy/approval-rules.js';
import type { Judgement } from '../policy/shell/judgement.js';
import type { Caution, FileDiff } from '../protocol/approvals.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { ToolCall, ToolMessage } from '../protocol/messages.js';
import type { PaneId } from '../protocol/panes.js';
import type { BackgroundCommand, ExecutionTarget } from '../targets/target.js';
import type { Review, ReviewContext, Tool, ToolResult } from '../tools/tool.js';
import type { Budget } from './budget.js';
import { cutEnvelope, toolEnvelope } from './envelope.js';
import type { Gate } from './gate.js';
import type { HookRunner } from './hook-runner.js';
import { guarded, heardAfter } from './hooked-call.js';
import type { Keyboard } from './keyboard.js';
import { LiveOutput } from './live-output.js';
import { type PictureFitter, picturesOf, withFitPictures } from './pictures.js';
import { type Company, leadersOf, together } from './together.js';

export interface ToolCallContext {
  readonly task: string;
  readonly clock: Clock;
  readonly tools: readonly Tool[];
  readonly target: ExecutionTarget;
  readonly gate: Gate;
  readonly keyboard: Keyboard;
  readonly review: Omit<ReviewContext, 'target' | 'judge'>;
  /** Makes pictures of results fit to be sent; left out: they go as they are, or not. */
  readonly pictures?: PictureFitter;
  emit(event: RuntimeEvent): void;
  /** Of what results may hold, and of commands at a time. */
  readonly budget: Pick<Budget, 'limits' | 'jobRefusal'>;
  background(command: BackgroundCommand): string;
  /** Who has a say in calls and results; left out: nobody. */
  readonly hooks?: Pick<HookRunner, 'beforeCall' | 'afterCall'>;
}

/** A call that was found sound, or the sentence that says why not. */
type Prepared = Sound | { readonly call: ToolCall; readonly problem: string };

interface Sound {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: unknown;
  /** The arguments as the model wrote them. */
  readonly given: unknown;
}

/**
 * Results in the order of the calls. Neighbours that are safe together run together. Never rejects: a fault, a no and a
 * cancel are results too.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<readonly ToolMessage[]> {
  const prepared = calls.map((call) => prepare(call, context));
  for (const entry of prepared) announce(entry, context);
  const results: ToolMessage[] = [];
  while (results.length < prepared.length) {
    const rest = prepared.slice(results.length);
    // Asked anew after each group: a pane may have been made by the call before.
    const group = rest.slice(
      0,
      leadersOf(rest, (entry) => companyOf(entry, context)),
    );
    results.push(...(await together(group, (entry) => runOne(entry, context, signal))));
  }
  return withFitPictures(results, picturesOf(context), signal);
}

/** A call that is not sound runs nothing: it can stand anywhere. */
function companyOf(entry: Prepared, { target }: ToolCallContext): Company {
  if (!('tool' in entry)) return { parallel: true, pane: null };
  const { tool, args } = entry;
  try {
    return { parallel: tool.parallel, pane: tool.pane?.(args, target) ?? null };
  } catch {
    // There is no such pane, which the call itself will say.
    return { parallel: tool.parallel, pane: null };
  }
}

function prepare(call: ToolCall, context: ToolCallContext): Prepared {
  const usable = context.tools.filter((tool) => !tool.needsTmux || context.target.tmux !== null);
  const tool = usable.find((candidate) => candidate.name === call.name || candidate.aliases.includes(call.name));
  if (tool === undefined) {
    return { call, problem: `There is no tool "${call.name}". Tools: ${usable.map((candidate) => candidate.name).join(', ')}.` };
  }
  if (isTooDeep(call.argsText))
    return { call, problem: 'The arguments are nested too deep; nothing ran. Make the call again with a plain JSON object.' };
  let args: unknown;
  try {
    args = call.argsText.trim() === '' ? {} : JSON.parse(call.argsText);
  } catch {
    return { call, problem: 'The arguments are not valid JSON; nothing ran. Make the call again with one JSON object.' };
  }
  try {
    return { call, tool, args: tool.parse(args), given: args };
  } catch (thrown) {
    return { call, problem: `${asBuddyError(thrown, 'tool.arguments').message}; nothing ran.` };
  }
}

function announce(entry: Prepared, context: ToolCallContext): void {
  const preview = 'tool' in entry ? entry.tool.preview(entry.args) : entry.call.argsText;
  const name = 'tool' in entry ? entry.tool.name : entry.call.name;
  context.emit({ type: 'tool.requested', task: context.task, call: entry.call.id, name, preview });
}

/** Whatever goes wrong with one call is its result: the others beside it keep theirs. */
async function runOne(entry: Prepared, context: ToolCallContext, signal: AbortSignal): Promise<ToolMessage> {
  const startedMs = context.clock.monotonic();
  const result = await outcomeOf(entry, context, signal).catch((thrown: unknown) => failure(sentence(thrown), 'failed'));
  try {
    return finish(entry.call, result, startedMs, context);
  } catch (thrown) {
    // Nested too deep to be written down, by a server or whoever else made it.
    const problem = `It ran, and its result cannot be written down: ${sentence(thrown)}`;
    return finish(entry.call, failure(problem, 'no result'), startedMs, context);
  }
}

async function outcomeOf(entry: Prepared, context: ToolCallContext, signal: AbortSignal): Promise<ToolResult> {
  if (signal.aborted) return failure('The user interrupted before it ran; nothing ran.', 'cancelled');
  if ('problem' in entry) return failure(entry.problem, 'not run');
  const { tool, call } = entry;
  const full = tool.startsCommand === true ? context.budget.jobRefusal() : null;
  if (full !== null) return failure(full, 'not run');
  const taken = await keyboardRefusal(tool, context, signal);
  if (taken !== null) return taken;
  const judge = await judgeFor(context).catch(asFailure);
  if ('result' in judge) return judge;
  const judging = { ...context, judge };
  const guard = await guarded(entry, judging, signal);
  if ('problem' in guard) return failure(guard.problem, guard.summary);
  if (guard.by !== null) context.emit({ type: 'tool.changed', task: context.task, call: call.id, preview: tool.preview(guard.args) });
  const permit = await permitFor({ ...entry, ...guard }, judging, signal);
  if ('refused' in permit) return permit.refused;
  const { args } = permit;
  // What the person made of it has to pass the guards as well.
  const ran = { ...entry, ...guard, args };
  const again = permit.byUser === true ? await guarded({ ...ran, given: withBody(ran.given, permit.body ?? '') }, judging, signal) : null;
  if (again !== null && 'problem' in again) return failure(again.problem, again.summary);
  context.emit({ type: 'tool.started', task: context.task, call: call.id, ...(permit.diff === undefined ? {} : { diff: permit.diff }) });
  const live = new LiveOutput(context.clock, (text) => context.emit({ type: 'tool.output', task: context.task, call: call.id, text }));
  try {
    const result = await tool.run(args, {
      signal,
      clock: context.clock,
      target: context.target,
      denylist: context.review.denylist,
      web: context.review.web,
      judge,
      caution: permit.caution ?? 'policy',
      report: (chunk) => live.add(chunk),
      background: (command) => context.background(command),
    });
    live.end();
    const heard = await heardAfter(ran, result, judging, signal);
    if (permit.byUser === true) return told(heard, 'user', tool.preview(args));
    return guard.by === null ? heard : told(heard, `extension ${guard.by}`, tool.preview(args));
  } catch (thrown) {
    live.end();
    if (isAbort(thrown)) return failure('The user interrupted it.', 'cancelled');
    return failure(sentence(thrown), 'failed');
  }
}

/** Waits until the person has handed the keyboard back; when they ran something meanwhile, the call is for the model to think over. */
async function keyboardRefusal(tool: Tool, { keyboard, emit }: ToolCallContext, signal: AbortSignal): Promise<ToolResult | null> {
  if (tool.usesTerminal !== true || !keyboard.isTaken) return null;
  emit({ type: 'warning', message: `${tool.name} waits: you have the keyboard of the pane` });
  const before = keyboard.commandsRun;
  try {
    await keyboard.free(signal);
  } catch (thrown) {
    if (isAbort(thrown)) return failure('The user interrupted before it ran; nothing ran.', 'cancelled');
    throw thrown;
  }
  if (keyboard.commandsRun === before) return null;
  return failure(
    'The user had the keyboard and ran commands meanwhile; nothing of this call ran. Make it again if it is still right.',
    'not run',
  );
}

/** May it run, and with which arguments: what was looked up for the question, and what the person changed. */
type Permit =
  | {
      readonly args: unknown;
      readonly diff?: FileDiff | undefined;
      readonly caution?: Caution;
      readonly byUser?: true;
      readonly body?: string;
    }
  | { readonly refused: ToolResult };

type Judging = ToolCallContext & Pick<ReviewContext, 'judge'>;

/** The judge for the shell of the target. It comes with a parser that is not loaded before the first call. */
async function judgeFor({ review, target, gate }: ToolCallContext): Promise<(command: string) => Judgement> {
  const { judgeShell } = await import('../policy/shell/judge.js');
  gate.exposure.readsBy((command) => judgeShell(command, { denylist: [], mode: 'all' }).commands);
  return (command) => judgeShell(command, { denylist: review.denylist, mode: 'all', shell: target.summary.shell });
}

async function permitFor({ tool, args: given, call }: Sound, context: Judging, signal: AbortSignal): Promise<Permit> {
  const first = reviewOf(tool, given, context);
  if ('refused' in first) return first;
  if (first.kind === 'allow') return { args: given };
  const looked = await prepared(tool, given, context, signal);
  if ('refused' in looked) return looked;
  const { args } = looked;
  const review = args === given ? first : reviewOf(tool, args, context);
  if ('refused' in review) return review;
  if (review.kind === 'allow') return { args };
  const { summary } = context.target;
  const { pane } = review;
  const cwd = folderOf(context.target, pane);
  const place = { target: summary.label, host: summary.host, user: summary.user, shell: summary.shell, cwd };
  const caution = review.caution ?? 'policy';
  // A rule would not be heard.
  const offer = review.act === undefined || caution === 'user' ? null : offerFor(review.act, place, review.claim, context.target.homeDir);
  const { allowed, reason, body } = await context.gate.ask(
    {
      task: context.task,
      call: call.id,
      tool: tool.name,
      title: review.title,
      body: review.body,
      target: summary.label,
      cwd,
      where: { kind: summary.kind, host: summary.host, user: summary.user },
      claim: review.claim,
      ...(review.diff === undefined ? {} : { diff: review.diff }),
      like: review.like,
      ...(review.ofAnyBody === undefined ? {} : { ofAnyBody: review.ofAnyBody }),
      ...(review.computed === undefined ? {} : { computed: review.computed }),
      needsYes: review.needsYes ?? true,
      caution,
      narrows: review.narrows ?? [],
      alike: review.alike ?? [`${tool.name}: ${review.title}`],
      act: review.act,
      place,
      ...(offer === null ? {} : { rule: offer }),
      editable: tool.withBody !== undefined,
    },
    signal,
  );
  if (!allowed) return { refused: failure(reason, signal.aborted ? 'cancelled' : 'denied') };
  // Relative paths would mean something else by now.
  const now = folderOf(context.target, pane);
  const there = context.target.summary;
  if ([there.label, there.host, there.user].some((part, at) => part !== [place.target, place.host, place.user][at]))
    return { refused: failure(elsewhere(place, there), 'not run: target changed') };
  if (now !== cwd) return { refused: failure(movedAway(cwd, now), 'not run: folder changed') };
  if (body === undefined || tool.withBody === undefined) return { args, diff: review.diff, caution };
  // What a person wrote needs no yes, but what is refused to everybody stays refused.
  const changed = tool.withBody(args, body);
  const again = reviewOf(tool, changed, context);
  if ('refused' in again) return again;
  context.emit({ type: 'tool.changed', task: context.task, call: call.id, preview: tool.preview(changed) });
  return { args: changed, diff: again.kind === 'ask' ? again.diff : undefined, caution: 'user', byUser: true, body };
}

function reviewing({ review, target, judge }: Judging): ReviewContext {
  return { ...review, target, judge };
}

/** The arguments with what a person should see of the target before they answer. */
async function prepared(
  tool: Tool,
  args: unknown,
  context: Judging,
  signal: AbortSignal,
): Promise<{ readonly args: unknown } | { readonly refused: ToolResult }> {
  try {
    return { args: tool.prepare === undefined ? args : await tool.prepare(args, reviewing(context), signal) };
  } catch (thrown) {
    if (isAbort(thrown)) return { refused: failure('The user interrupted before it ran; nothing ran.', 'cancelled') };
    return { refused: asFailure(thrown) };
  }
}

function reviewOf(tool: Tool, args: unknown, context: Judging): Exclude<Review, { kind: 'deny' }> | { readonly refused: ToolResult } {
  try {
    const review = tool.review(args, reviewing(context));
    return review.kind === 'deny' ? { refused: failure(`${review.reason}. Nothing ran.`, 'refused') } : review;
  } catch (thrown) {
    return { refused: asFailure(thrown) };
  }
}

/** The arguments in which tools take the text that a person can change. */
const BODIES = ['command', 'content', 'url', 'query'] as const;

/** The arguments as a model would have written what the person made of them. */
function withBody(given: unknown, body: string): unknown {
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const name = BODIES.find((of) => of in fields);
  return name === undefined ? given : { ...fields, [name]: body };
}

/** The model is told what really ran. */
function told(result: ToolResult, by: string, ran: string): ToolResult {
  const key = by === 'user' ? 'changed_by_user' : 'changed_by_extension';
  return { ...result, result: { [key]: `The ${by} changed the call before it ran, to: ${ran}`, result: result.result } };
}

/** The folder of the shell of that pane, '' when it is gone; of the shared one when none is named. */
function folderOf({ summary, tmux }: ExecutionTarget, pane: PaneId | undefined): string {
  if (pane === undefined) return summary.cwd;
  return tmux?.panes().find((known) => known.pane === pane)?.cwd ?? '';
}

/** It was not run because of that. */
function asFailure(thrown: unknown): ToolResult {
  return failure(`${sentence(thrown)} Nothing ran.`, 'not run');
}

function sentence(thrown: unknown): string {
  const { message, hint } = asBuddyError(thrown, 'tool.failed');
  return [message, hint]
    .filter((part) => part !== undefined)
    .join('. ')
    .replace(/[^.]$/, '$&.');
}

function movedAway(asked: string, now: string): string {
  return `It was meant for ${asked}, but the working directory is ${now} by now. Nothing ran; make the call again if it is still right.`;
}

function elsewhere(asked: { readonly host: string; readonly user: string }, now: { readonly host: string; readonly user: string }): string {
  return `It was meant for ${asked.user}@${asked.host}, but commands run as ${now.user}@${now.host} by now. Nothing ran; make the call again if it is still right.`;
}

function failure(reason: string, summary: string): ToolResult {
  return { result: { error: reason }, isError: true, text: reason, summary, exitCode: null };
}

function finish(call: ToolCall, result: ToolResult, startedMs: number, context: ToolCallContext): ToolMessage {
  const mostKib = context.budget.limits.value('result');
  const whole = toolEnvelope(result.result, context.clock.now());
  const isCut = Buffer.byteLength(whole) > mostKib * 1024;
  context.emit({
    type: 'tool.ended',
    task: context.task,
    call: call.id,
    isError: result.isError,
    text: result.text,
    summary: isCut ? `${result.summary} · cut at ${mostKib} KiB for the model (limits.result_kib)` : result.summary,
    exitCode: result.exitCode,
    elapsedMs: context.clock.monotonic() - startedMs,
  });
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    text: isCut ? cutEnvelope(result.result, mostKib * 1024, context.clock.now()) : whole,
    isError: result.isError,
    ...(result.images === undefined || result.images.length === 0 ? {} : { images: result.images }),
  };
}
