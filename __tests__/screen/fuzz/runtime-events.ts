/** Any event of the runtime, in no sensible order. */

import type { Row, Style } from '../../../lib/base/style.js';
import { rgb } from '../../../lib/base/style.js';
import { visibleLine } from '../../../lib/base/visible.js';
import { truncate } from '../../../lib/base/width.js';
import type { ApprovalPolicy, ApprovalRequest } from '../../../lib/protocol/approvals.js';
import { contextKinds, type ModelSummary, type RuntimeEvent } from '../../../lib/protocol/events.js';
import { limitNames } from '../../../lib/protocol/limits.js';
import type { Attachment } from '../../../lib/protocol/messages.js';
import type { PaneScreen, PaneState, TargetSummary } from '../../../lib/protocol/panes.js';
import type { ListedRule, RuleOffer } from '../../../lib/protocol/rules.js';
import { entryKinds } from '../../../lib/protocol/tree.js';
import { anyText } from './hostile-text.js';
import type { Random } from './random.js';

type Maker<T extends RuntimeEvent['type']> = (random: Random, nowMs: number) => Extract<RuntimeEvent, { readonly type: T }>;

const task = (random: Random): string => random.one(['1', '2', '3']);
const pane = (random: Random): string => random.one(['%1', '%2', '%3']);
const code = (random: Random): number | null => random.one([null, 0, 1, 127, 130]);
const maybe = <T>(random: Random, value: T): T | null => (random.rarely(2) ? value : null);

function model(random: Random): ModelSummary {
  return {
    profile: anyText(random),
    model: anyText(random),
    api: random.one(['chat', 'responses', 'demo']),
    contextTokens: random.number(10),
  };
}

function target(random: Random): TargetSummary {
  const words = () => anyText(random);
  const kind = random.one(['local', 'ssh', 'container'] as const);
  const via = random.one(['tmux', 'direct'] as const);
  return { kind, via, label: words(), host: words(), user: words(), cwd: words(), shell: words(), attach: maybe(random, words()) };
}

function policy(random: Random, nowMs: number): ApprovalPolicy {
  return random.one([{ kind: 'ask' }, { kind: 'all' }, { kind: 'none' }, { kind: 'until', untilMs: nowMs + 90_000 }] as const);
}

function paneState(random: Random, nowMs: number): PaneState {
  const program = anyText(random);
  const sinceMs = nowMs - random.number(100_000);
  return random.one([
    { kind: 'starting' },
    { kind: 'idle' },
    { kind: 'running', program, sinceMs },
    { kind: 'continuation' },
    { kind: 'password', program },
    { kind: 'fullscreen', program, sinceMs },
    { kind: 'copy-mode' },
    { kind: 'dead', status: code(random) },
    { kind: 'unknown-shell' },
  ] as const);
}

const looks: readonly Style[] = [{}, { bold: true }, { fg: 3 }, { bg: rgb(9, 90, 200) }, { inverse: true, dim: true }, { fg: 231, bg: 17 }];

/** A picture as the target makes them: visible text, no wider than the pane. */
function screen(random: Random): PaneScreen {
  const cols = random.one([20, 40, 80, 133, 300]);
  const rows = Array.from({ length: random.one([1, 10, 24, 60]) }, (): Row => {
    const text = truncate(visibleLine(anyText(random)), cols);
    return { segments: text === '' ? [] : [{ text: visibleLine(text), style: random.one(looks) }] };
  });
  const cursor = { x: random.number(cols), y: random.number(rows.length), shown: !random.rarely(4) };
  const mouse = random.one(['none', 'x10', 'vt200', 'drag', 'any'] as const);
  return { cols, rows, cursor, modes: { applicationCursor: random.rarely(2), mouse, mouseSgr: random.rarely(2) } };
}

/** From numbers and texts that are drawn already: one more draw would make other happenings of every seed that was looked into. */
function thought(number: number, text: string): Pick<ApprovalRequest, 'where' | 'computed'> {
  const of = <T>(...values: readonly [T, ...T[]]): T => values[number % values.length] ?? values[0];
  const flags = { mutation: number % 2 === 0, privesc: number % 5 === 0, network: number % 7 === 0 };
  return {
    ...(number % 3 === 0 ? {} : { where: { kind: of('local', 'ssh', 'container'), host: text, user: text } }),
    ...(number % 4 === 0
      ? {}
      : { computed: { ...flags, risk: of('low', 'medium', 'high'), reasons: number % 2 === 0 ? [] : [text, text] } }),
  };
}

function attachments(random: Random): readonly Attachment[] {
  const kinds = ['file', 'folder', 'image', 'screen', 'output', 'resource'] as const;
  return Array.from({ length: random.number(3) }, () => ({
    kind: random.one(kinds),
    name: anyText(random),
    bytes: random.number(1_000_000),
    ...(random.rarely(3) ? { note: anyText(random) } : {}),
  }));
}

function offer(random: Random): RuleOffer {
  const rules = [rule(random), rule(random), rule(random)];
  return { subjects: rules.map(({ subject }) => subject), proposed: random.number(2), places: rules.map(({ place }) => place) };
}

function rule(random: Random): ListedRule {
  const words = [anyText(random), anyText(random)];
  const subject = random.one([
    { kind: 'command', words, exact: random.rarely(2) },
    { kind: 'file', path: anyText(random) },
    { kind: 'folder', path: anyText(random) },
  ] as const);
  const place = { target: anyText(random), host: anyText(random), user: anyText(random), folder: maybe(random, anyText(random)) };
  return { id: `r${random.number(9)}`, subject, place, saved: random.rarely(2) };
}

/** A maker for each event there is: a new event is a fault of types here until it has one. */
const makers: { readonly [T in RuntimeEvent['type']]: Maker<T> } = {
  'lifecycle.started': (r, nowMs) => ({
    type: 'lifecycle.started',
    agent: anyText(r),
    session: anyText(r),
    model: model(r),
    profiles: [model(r), model(r)],
    target: target(r),
    policy: policy(r, nowMs),
    version: anyText(r),
  }),
  'lifecycle.stopping': () => ({ type: 'lifecycle.stopping' }),
  'lifecycle.stopped': (r) => ({ type: 'lifecycle.stopped', kept: r.rarely(2) }),
  'session.started': (r) => ({ type: 'session.started', session: anyText(r) }),
  'session.resumed': (r) => ({
    type: 'session.resumed',
    session: anyText(r),
    name: maybe(r, anyText(r)),
    copyOf: maybe(r, anyText(r)),
    past: Array.from({ length: r.number(4) }, (_, at) => ({
      tsMs: 1_700_000_000_000 + at,
      event: r.one([makers['task.started'], makers['model.answered'], makers['tool.ended'], makers['task.ended'], makers['warning']])(r, 0),
    })),
  }),
  'session.listed': (r) => ({
    type: 'session.listed',
    sessions: Array.from({ length: r.number(4) }, (_, at) => ({
      session: `s${at}`,
      name: maybe(r, anyText(r)),
      title: anyText(r),
      latest: anyText(r),
      labels: [],
      bytes: 2048,
      prompts: maybe(r, r.number(9)),
      target: anyText(r),
      updatedMs: 1_700_000_000_000,
      foreign: maybe(r, anyText(r)),
      open: r.rarely(2),
    })),
  }),
  'session.renamed': (r) => ({ type: 'session.renamed', name: anyText(r), ...(r.rarely(2) ? { session: 's1' } : {}) }),
  'session.deleted': (r) => ({ type: 'session.deleted', session: r.one(['s0', 's1']), movedTo: anyText(r) }),
  'session.previewed': (r) => ({
    type: 'session.previewed',
    preview: {
      session: r.one(['s0', 's1', 's2']),
      cwd: anyText(r),
      model: maybe(r, anyText(r)),
      said: Array.from({ length: r.number(9) }, () => ({ by: r.one(['person', 'model'] as const), text: anyText(r) })),
    },
  }),
  'session.labelled': (r) => ({ type: 'session.labelled', entry: anyText(r), label: anyText(r) }),
  'session.branched': (r) => ({
    type: 'session.branched',
    past: Array.from({ length: r.number(4) }, (_, at) => ({
      tsMs: 1_700_000_000_000 + at,
      event: r.one([makers['task.started'], makers['model.answered'], makers['tool.ended'], makers['task.ended']])(r, 0),
    })),
    text: maybe(r, anyText(r)),
  }),
  'tree.told': (r) => {
    const count = r.number(9);
    const entries = Array.from({ length: count }, (_, at) => ({
      id: `${at}`,
      parent: at === 0 || r.rarely(9) ? null : `${r.number(at)}`,
      kind: r.one(entryKinds),
      text: anyText(r),
      calls: Array.from({ length: r.number(3) }, () => anyText(r)),
      label: maybe(r, anyText(r)),
      tsMs: 1_700_000_000_000 + at,
    }));
    return { type: 'tree.told', entries, leaf: count === 0 ? null : `${r.number(count)}` };
  },
  'session.exported': (r) => ({ type: 'session.exported', path: anyText(r) }),
  'session.storage': (r) => ({ type: 'session.storage', session: anyText(r), trouble: maybe(r, anyText(r)) }),
  'command.refused': (r) => ({
    type: 'command.refused',
    command: r.one(['prompt.submit', 'task.cancel', 'pane.takeover']),
    reason: anyText(r),
  }),
  'queue.changed': (r) => ({
    type: 'queue.changed',
    waiting: Array.from({ length: r.number(4) }, (_, i) => ({ id: `q${i}`, text: anyText(r), mode: r.one(['steer', 'follow-up']) })),
  }),
  'queue.returned': (r) => ({ type: 'queue.returned', texts: Array.from({ length: r.number(3) }, () => anyText(r)) }),
  'task.started': (r) => ({
    type: 'task.started',
    task: task(r),
    kind: r.one(['prompt', 'job', 'command', 'compaction']),
    text: anyText(r),
    pane: maybe(r, pane(r)),
  }),
  'task.attached': (r) => ({ type: 'task.attached', task: task(r), attached: attachments(r) }),
  'mentions.told': (r) => ({
    type: 'mentions.told',
    text: anyText(r),
    attached: attachments(r),
    tokens: r.number(100_000),
    troubles: r.rarely(2) ? [] : [anyText(r)],
    missing: r.rarely(2) ? [] : [anyText(r)],
    choices: r.rarely(2) ? [] : [{ word: anyText(r), says: anyText(r) }],
  }),
  'task.steered': (r) => ({ type: 'task.steered', task: task(r), text: anyText(r) }),
  'task.progress': (r) => ({ type: 'task.progress', task: task(r), lastLine: anyText(r) }),
  'task.output': (r) => {
    const text = anyText(r);
    const offset = r.number(1e6);
    const id = maybe(r, 'o1');
    return { type: 'task.output', task: task(r), output: { text, offset, total: offset + Buffer.byteLength(text) + r.number(9), id } };
  },
  'task.deadline': (r, nowMs) => ({ type: 'task.deadline', task: task(r), atMs: maybe(r, nowMs + 60_000) }),
  'task.ended': (r) => ({
    type: 'task.ended',
    task: task(r),
    outcome: r.one(['completed', 'failed', 'cancelled', 'timed-out']),
    exitCode: code(r),
    error: maybe(r, { code: anyText(r), message: anyText(r), hint: maybe(r, anyText(r)) }),
  }),
  'model.requested': (r) => ({ type: 'model.requested', task: task(r), iteration: r.number(9), estimatedTokens: r.number(1000) }),
  'model.text': (r) => ({ type: 'model.text', task: task(r), text: anyText(r) }),
  'model.reasoning': (r) => ({ type: 'model.reasoning', task: task(r), text: anyText(r) }),
  'model.retrying': (r, nowMs) => ({
    type: 'model.retrying',
    task: task(r),
    attempt: r.number(5),
    ...(r.rarely(2) ? { attempts: 5 } : {}),
    atMs: nowMs + r.number(9000),
    reason: anyText(r),
  }),
  'model.answered': (r) => ({
    type: 'model.answered',
    task: task(r),
    message: { role: 'assistant', text: anyText(r), reasoning: anyText(r), calls: [], extras: {}, incomplete: r.rarely(3) },
    usage: maybe(r, { inputTokens: r.number(1e6), outputTokens: r.number(1e6), cachedTokens: null, reasoningTokens: null }),
  }),
  'model.switched': (r) => ({ type: 'model.switched', model: model(r) }),
  'tool.requested': (r) => ({
    type: 'tool.requested',
    task: task(r),
    call: task(r),
    name: r.one(['run_shell', 'write_file', 'read_file', '!', anyText(r)]),
    preview: anyText(r),
  }),
  'tool.changed': (r) => ({ type: 'tool.changed', task: task(r), call: task(r), preview: anyText(r) }),
  'tool.started': (r) => ({
    type: 'tool.started',
    task: task(r),
    call: task(r),
    ...(r.rarely(3) ? { diff: { path: anyText(r), before: maybe(r, anyText(r)), after: anyText(r) } } : {}),
  }),
  'tool.output': (r) => ({ type: 'tool.output', task: task(r), call: task(r), text: anyText(r) }),
  'tool.ended': (r) => ({
    type: 'tool.ended',
    task: task(r),
    call: task(r),
    isError: r.rarely(3),
    text: anyText(r),
    summary: anyText(r),
    exitCode: code(r),
    elapsedMs: r.number(100_000),
  }),
  'approval.requested': (r) => {
    const number = r.number(1000);
    const request: ApprovalRequest = {
      id: `a${number}`,
      task: task(r),
      call: task(r),
      tool: anyText(r),
      title: anyText(r),
      body: anyText(r),
      target: anyText(r),
      cwd: anyText(r),
      claim: maybe(r, { risk: r.one(['low', 'medium', 'high']), mutation: r.rarely(2), privesc: r.rarely(2), why: anyText(r) }),
      ...(r.rarely(3) ? { diff: { path: anyText(r), before: maybe(r, anyText(r)), after: anyText(r) } } : {}),
      editable: r.rarely(2),
      ...(r.rarely(2) ? { rule: offer(r) } : {}),
    };
    return { type: 'approval.requested', request: { ...request, ...thought(number, request.title) } };
  },
  'approval.resolved': (r) => ({
    type: 'approval.resolved',
    approval: `a${r.number(1000)}`,
    decision: r.one(['once', 'session', 'rule', 'deny']),
    by: r.one(['user', 'policy', 'cancel', 'shutdown']),
  }),
  'approval.rules': (r) => ({ type: 'approval.rules', rules: Array.from({ length: r.number(3) }, () => rule(r)) }),
  'approval.ruled': (r) => ({ type: 'approval.ruled', task: task(r), call: task(r), rule: rule(r) }),
  'approval.policy': (r, nowMs) => ({ type: 'approval.policy', policy: policy(r, nowMs) }),
  'pane.opened': (r) => ({ type: 'pane.opened', pane: pane(r), title: anyText(r) }),
  'pane.screen': (r) => ({ type: 'pane.screen', pane: pane(r), screen: screen(r) }),
  'pane.scrollback': (r) => {
    const { cols, rows } = screen(r);
    return { type: 'pane.scrollback', pane: pane(r), scrollback: maybe(r, { cols, rows, more: r.rarely(2) }) };
  },
  'pane.state': (r, nowMs) => ({ type: 'pane.state', pane: pane(r), state: paneState(r, nowMs), lastExit: code(r) }),
  'pane.closed': (r) => ({ type: 'pane.closed', pane: pane(r) }),
  'pane.command': (r) => ({ type: 'pane.command', pane: pane(r), text: anyText(r), exitCode: code(r), cwd: anyText(r) }),
  'pane.taken': (r) => ({ type: 'pane.taken', pane: pane(r) }),
  'pane.returned': (r) => ({
    type: 'pane.returned',
    pane: pane(r),
    commands: Array.from({ length: r.number(3) }, () => ({ text: anyText(r), exitCode: code(r), cwd: anyText(r) })),
  }),
  'target.changed': (r) => ({ type: 'target.changed', target: target(r) }),
  'context.compacted': (r) => ({
    type: 'context.compacted',
    tokensBefore: r.number(1e6),
    tokensAfter: r.number(1e6),
    ...(r.rarely(2) ? { trimmed: true } : {}),
  }),
  'context.summarised': (r) => ({
    type: 'context.summarised',
    task: task(r),
    profile: anyText(r),
    usage: null,
    estimatedTokens: 7,
    characters: 3,
  }),
  'metrics.context': (r) => ({ type: 'metrics.context', usedTokens: r.number(1e6), windowTokens: r.number(1e6) }),
  'context.told': (r) => ({
    type: 'context.told',
    parts: contextKinds.map((kind) => ({ kind, tokens: r.number(1e6), count: maybe(r, r.number(1e3)) })),
    windowTokens: r.number(1e6),
    isMeasured: r.rarely(2),
  }),
  'limits.told': (r) => ({
    type: 'limits.told',
    limits: limitNames.map((limit) => ({ limit, value: r.number(1e6), configured: r.number(1e6), used: maybe(r, r.number(1e6)) })),
  }),
  'mcp.told': (r) => ({
    type: 'mcp.told',
    servers: Array.from({ length: r.number(4) }, () => ({
      ...{ name: anyText(r), from: anyText(r), how: anyText(r), why: anyText(r) },
      state: r.one(['off', 'idle', 'starting', 'ready', 'waiting', 'failed', 'login']),
      ...{ tools: r.number(99), prompts: r.number(9), resources: r.number(9) },
      held: r.rarely(2) ? [] : [anyText(r)],
    })),
    isAsked: r.rarely(2),
  }),
  'mcp.logged': (r) => ({ type: 'mcp.logged', server: anyText(r), lines: [anyText(r), anyText(r)] }),
  'commands.offered': (r) => ({
    type: 'commands.offered',
    commands: Array.from({ length: r.number(4) }, () => ({
      name: anyText(r),
      kind: r.one(['skill', 'template', 'server', 'extension']),
      args: anyText(r),
      says: anyText(r),
      from: anyText(r),
    })),
  }),
  'extensions.told': (r) => ({
    type: 'extensions.told',
    extensions: Array.from({ length: r.number(4) }, () => ({
      name: anyText(r),
      from: anyText(r),
      state: r.one(['starting', 'running', 'disabled']),
      why: maybe(r, anyText(r)),
      tools: [anyText(r)],
      commands: [],
      hooks: [anyText(r)],
      themes: [],
    })),
    conflicts: [{ kind: 'tool', name: anyText(r), from: anyText(r), first: anyText(r) }],
  }),
  'widget.shown': (r) => {
    const id = r.one(['a/one', 'a/two', 'b/one']);
    const lines = Array.from({ length: r.number(20) }, () => anyText(r));
    const place = r.one(['side', 'above-editor'] as const);
    return { type: 'widget.shown', id, widget: maybe(r, { id, extension: anyText(r), title: anyText(r), place, lines }) };
  },
  'profiles.offered': (r) => ({ type: 'profiles.offered', profiles: [{ ...model(r), extension: anyText(r) }] }),
  'keys.offered': (r) => ({
    type: 'keys.offered',
    keys: [{ key: r.one(['alt+t', anyText(r)]), line: anyText(r), says: anyText(r), from: anyText(r) }],
  }),
  notice: (r) => ({ type: 'notice', message: anyText(r) }),
  warning: (r) => ({ type: 'warning', message: anyText(r) }),
  error: (r) => ({ type: 'error', code: anyText(r), message: anyText(r), hint: maybe(r, anyText(r)) }),
};

const types = Object.keys(makers) as RuntimeEvent['type'][];
/** What there is most of. */
const usual = [
  'model.text',
  'model.text',
  'model.reasoning',
  'tool.requested',
  'tool.started',
  'tool.output',
  'tool.ended',
  'pane.screen',
] as const;

/** One event of any kind. */
export function anyEvent(random: Random, nowMs: number): RuntimeEvent {
  const type = random.rarely(2) ? random.one(usual) : random.one(types);
  // Once stopping, always stopping: seldom, so that the rest of a run is not all the same.
  if (type.startsWith('lifecycle.stop') && !random.rarely(20)) return makers.warning(random, nowMs);
  return makers[type](random, nowMs);
}
