import { limitLines } from './limit-words.js';
/** What each event of the runtime changes on the screen. */

import type { RuntimeEvent } from '../protocol/events.js';
import { type ListedRule, ruleText } from '../protocol/rules.js';
import { withoutRequest, withRequest } from './approval.js';
import { askedAnew, withBrought } from './brought.js';
import { contextText } from './context-bars.js';
import { conversationEvent } from './conversation-events.js';
import { extensionsText, withWidget } from './extensions.js';
import { mcpLogText } from './mcp-words.js';
import { offeredKeys } from './offered-keys.js';
import { backToLive, withScrollback } from './pane-view.js';
import { withPaneEvent } from './panes.js';
import { withPolicy } from './policy.js';
import { withQueue, withReturned } from './queue.js';
import { conversationRect } from './screen.js';
import { sessionEvent } from './session-events.js';
import { withSessionLimits } from './settings.js';
import type { State, Task } from './state.js';
import { commandLine, handBackText, takeoverAfter } from './takeover.js';
import { withTaskOutput } from './task-list.js';
import { withToast } from './toasts.js';
import { appendBlock, type NoticeLevel } from './transcript.js';
import { treeEvent } from './tree-events.js';
import { usageAfter } from './usage.js';

/** Ended tasks that stay in the list. */
const ENDED_KEPT = 50;

/** The state after `event`, which happened at `tsMs`. */
export function applyEvent(state: State, event: RuntimeEvent, tsMs: number): State {
  const later = tsMs > state.nowMs ? { ...state, nowMs: tsMs } : state;
  const usage = usageAfter(later.usage, later.model, later.profiles, event, tsMs);
  const timed = usage === later.usage ? later : { ...later, usage };
  const now = takeoverAfter(conversationEvent(timed, event, tsMs), event);
  switch (event.type) {
    case 'lifecycle.started':
      return withBanner({
        ...now,
        agent: event.agent,
        session: event.session,
        model: event.model,
        profiles: event.profiles,
        target: event.target,
        policy: event.policy,
        version: event.version,
      });
    case 'lifecycle.stopping':
    case 'lifecycle.stopped':
      return { ...now, stopping: true };
    case 'session.started':
    case 'session.resumed':
    case 'session.renamed':
    case 'session.deleted':
    case 'session.previewed':
    case 'session.exported':
    case 'session.listed':
    case 'session.storage':
      return sessionEvent(now, event, tsMs);
    case 'tree.told':
    case 'session.branched':
    case 'session.labelled':
      return treeEvent(now, event, tsMs);
    case 'command.refused':
      return withToast(event.command === 'pane.scrollback' ? backToLive(now) : now, event.reason, 'warning', tsMs);
    case 'queue.changed':
      return withQueue(now, event.waiting);
    case 'queue.returned':
      return event.texts.length === 0 ? now : withReturned(now, event.texts);
    case 'task.started':
      return { ...now, tasks: withTask(now.tasks, started(event, tsMs)) };
    case 'mentions.told':
      return withBrought(now, event);
    case 'task.progress':
      return { ...now, tasks: changed(now.tasks, event.task, { lastLine: event.lastLine }) };
    case 'task.output':
      return withTaskOutput(now, event.task, event.output);
    case 'task.deadline':
      return { ...now, tasks: changed(now.tasks, event.task, { deadlineMs: event.atMs }) };
    case 'task.ended':
      return {
        ...now,
        tasks: changed(now.tasks, event.task, {
          outcome: event.outcome,
          exitCode: event.exitCode,
          endedMs: tsMs,
          deadlineMs: null,
          cancelling: false,
        }),
      };
    case 'model.switched':
      return askedAnew({ ...now, model: event.model });
    case 'approval.requested':
      return withRequest(now, event.request);
    case 'approval.resolved':
      return withoutRequest(now, event.approval);
    case 'approval.policy':
      return withPolicy(now, event.policy, tsMs);
    case 'approval.rules':
      return withRules(now, event.rules, tsMs);
    case 'pane.opened':
    case 'pane.screen':
    case 'pane.state':
    case 'pane.closed':
      return withPaneEvent(now, event);
    case 'pane.scrollback':
      return withScrollback(now, event.pane, event.scrollback);
    case 'pane.returned':
      return notice(now, 'info', handBackText(event.commands));
    case 'pane.command':
      return notice(now, 'info', `Run in the pane by hand: ${commandLine(event)}`);
    case 'target.changed':
      return { ...now, target: event.target };
    case 'context.told':
      return notice(now, 'info', contextText(event, now.model, conversationRect(now)?.cols ?? now.size.cols));
    case 'limits.told':
      return notice(withSessionLimits(now, event.limits), 'info', limitLines(event).join('\n'));
    case 'metrics.context':
      return { ...now, context: { usedTokens: event.usedTokens, windowTokens: event.windowTokens } };
    case 'mcp.told':
      return { ...now, mcp: event.servers };
    case 'mcp.logged':
      return notice(now, 'info', mcpLogText(event.server, event.lines));
    case 'commands.offered':
      return { ...now, offered: event.commands };
    case 'extensions.told':
      return notice(now, 'info', extensionsText(event));
    case 'widget.shown':
      return { ...now, extensionWidgets: withWidget(now.extensionWidgets, event.id, event.widget) };
    case 'profiles.offered':
      return { ...now, profiles: [...now.profiles.filter(({ extension }) => extension === undefined), ...event.profiles] };
    case 'keys.offered':
      return { ...now, offeredKeys: offeredKeys(event.keys) };
    case 'notice':
      return notice(now, 'info', event.message);
    case 'warning':
      return notice(now, 'warning', event.message);
    case 'error':
      return notice(now, 'error', event.hint === null ? event.message : `${event.message}\n${event.hint}`);
    default:
      return now;
  }
}

/** A rule that came or went is told; those that were there from the start are shown in the header. */
function withRules(state: State, rules: readonly ListedRule[], tsMs: number): State {
  const next: State = { ...state, rules };
  const come = rules.find((rule) => !state.rules.some((known) => known.id === rule.id));
  const gone = state.rules.filter((rule) => !rules.some((known) => known.id === rule.id));
  if (gone[0] !== undefined) {
    const text = gone.length === 1 ? `Rule ${gone[0].id} is gone: ${ruleText(gone[0])}` : `${gone.length} rules are gone.`;
    return withToast(next, text, 'info', tsMs);
  }
  if (come === undefined) return next;
  const text =
    state.rules.length === 0 && rules.length > 1 ? `${rules.length} rules of yours hold here.` : `Rule ${come.id}: ${ruleText(come)}`;
  return withToast(next, `${text} /rules lists them.`, 'info', tsMs);
}

function notice(state: State, level: NoticeLevel, text: string): State {
  return { ...state, transcript: appendBlock(state.transcript, { kind: 'notice', level, text }) };
}

/** The demo says that it is one, and how to get a real model. */
function withBanner(state: State): State {
  if (state.model?.api !== 'demo') return state;
  const text = [
    'This is the demo profile: a scripted model, no network and no key. Its commands are real: they run here, after you approve them.',
    'Try "how full is the disk?" or "run uname -a".',
    'For a real model set BUDDY_API_KEY and BUDDY_MODEL, or add a profile to ~/.config/buddy/buddy.toml and choose it with /model.',
  ].join('\n');
  return { ...state, transcript: appendBlock(state.transcript, { kind: 'banner', text }) };
}

function started(event: Extract<RuntimeEvent, { type: 'task.started' }>, tsMs: number): Task {
  return {
    id: event.task,
    kind: event.kind,
    text: event.text,
    pane: event.pane,
    startedMs: tsMs,
    endedMs: null,
    deadlineMs: null,
    outcome: null,
    exitCode: null,
    lastLine: '',
    cancelling: false,
  };
}

function withTask(tasks: readonly Task[], task: Task): readonly Task[] {
  const ended = tasks.filter((other) => other.outcome !== null);
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)));
  return [...tasks.filter((other) => !forgotten.has(other)), task];
}

function changed(tasks: readonly Task[], id: string, change: Partial<Task>): readonly Task[] {
  return tasks.map((task) => (task.id === id ? { ...task, ...change } : task));
}
