/** The lines of a trace as they are read back: each one is judged before anything is made of it. Pure. */

import { isTooDeep } from '../base/json-depth.js';
import { isMessage } from './sessions/message-shape.js';
import { TRACE_VERSION, type TraceLine } from './trace.js';

/** A line that was read, with the times that it has. */
export type ReadLine = TraceLine & { readonly atMs: number };

type Fields = Readonly<Record<string, unknown>>;

/** Cells; no terminal has more in a row or a column. */
const LARGEST_SIZE = 5000;

/** The fields that events are read for, and of what type: `?` may be null. Others may have any. */
const eventFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'lifecycle.started': { agent: 'string', session: 'string', model: 'object', profiles: 'array', target: 'object', policy: 'object' },
  'session.resumed': { session: 'string', past: 'array' },
  'session.branched': { past: 'array', text: 'string?' },
  'session.labelled': { entry: 'string', label: 'string' },
  'tree.told': { entries: 'array', leaf: 'string?' },
  'session.listed': { sessions: 'array' },
  'session.renamed': { name: 'string' },
  'session.deleted': { session: 'string', movedTo: 'string' },
  'session.previewed': { preview: 'object' },
  'session.exported': { path: 'string' },
  'command.refused': { command: 'string', reason: 'string' },
  'queue.changed': { waiting: 'array' },
  'queue.returned': { texts: 'array' },
  'task.started': { task: 'string', kind: 'string', text: 'string' },
  'task.steered': { task: 'string', text: 'string' },
  'task.progress': { task: 'string', lastLine: 'string' },
  'task.output': { task: 'string', output: 'object' },
  'task.ended': { task: 'string', outcome: 'string', error: 'object?' },
  'model.requested': { task: 'string', iteration: 'number', estimatedTokens: 'number' },
  'model.text': { task: 'string', text: 'string' },
  'model.reasoning': { task: 'string', text: 'string' },
  'model.retrying': { task: 'string', reason: 'string' },
  'model.answered': { task: 'string', message: 'object', usage: 'object?' },
  'model.switched': { model: 'object' },
  'tool.requested': { task: 'string', call: 'string', name: 'string', preview: 'string' },
  'tool.changed': { task: 'string', call: 'string', preview: 'string' },
  'tool.started': { task: 'string', call: 'string' },
  'tool.output': { task: 'string', call: 'string', text: 'string' },
  'tool.ended': { task: 'string', call: 'string', isError: 'boolean', text: 'string', summary: 'string', elapsedMs: 'number' },
  'approval.requested': { request: 'object' },
  'approval.resolved': { approval: 'string', decision: 'string', by: 'string' },
  'approval.policy': { policy: 'object' },
  'approval.rules': { rules: 'array' },
  'approval.ruled': { task: 'string', call: 'string', rule: 'object' },
  'pane.opened': { pane: 'string', title: 'string' },
  'pane.screen': { pane: 'string', screen: 'object?' },
  'pane.scrollback': { pane: 'string', scrollback: 'object?' },
  'pane.state': { pane: 'string', state: 'object' },
  'pane.closed': { pane: 'string' },
  'pane.command': { pane: 'string', text: 'string', cwd: 'string' },
  'pane.returned': { commands: 'array' },
  'target.changed': { target: 'object' },
  'context.compacted': { tokensBefore: 'number', tokensAfter: 'number' },
  'context.summarised': { task: 'string', profile: 'string', usage: 'object?', estimatedTokens: 'number' },
  'metrics.context': { usedTokens: 'number', windowTokens: 'number' },
  'context.told': { parts: 'array', windowTokens: 'number' },
  'extensions.told': { extensions: 'array', conflicts: 'array' },
  'widget.shown': { id: 'string', widget: 'object?' },
  'profiles.offered': { profiles: 'array' },
  'keys.offered': { keys: 'array' },
  warning: { message: 'string' },
  error: { code: 'string', message: 'string' },
};

/** The line, or what is wrong with it in a few words. */
export function readTraceLine(text: string): ReadLine | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: text.trim() === '' ? 'an empty line' : 'it is no JSON' };
  }
  if (!isObject(value)) return { problem: 'it is no object' };
  if (isTooDeep(text)) return { problem: 'it is nested too deep' };
  const problem = problemOf(value);
  if (problem !== null) return { problem };
  const atMs = typeof value['atMs'] === 'number' ? value['atMs'] : 0;
  return { ...(value as unknown as TraceLine), atMs };
}

function problemOf(line: Fields): string | null {
  if (typeof line['tsMs'] !== 'number') return '"tsMs" is no number';
  switch (line['kind']) {
    case 'header':
      if (line['trace'] !== TRACE_VERSION) return `it is a trace of version ${JSON.stringify(line['trace'])}; known is ${TRACE_VERSION}`;
      if (typeof line['program'] !== 'string') return '"program" is no text';
      return line['screen'] === null || isScreen(line['screen']) ? null : '"screen" has no size and theme';
    case 'command':
      return isTyped(line['command']) ? null : '"command" has no type';
    case 'event':
      if (!Number.isInteger(line['seq'])) return '"seq" is no whole number';
      return isTyped(line['event']) ? eventProblem(line['event']) : '"event" has no type';
    case 'view':
      if (!isTyped(line['action'])) return '"action" has no type';
      return line['action'].type !== 'resized' || isSize(line['action']['size']) ? null : 'resized: "size" is none';
    case 'input':
      return isTyped(line['input']) ? null : '"input" has no type';
    default:
      return `"kind" is ${JSON.stringify(line['kind']) ?? 'missing'}`;
  }
}

function eventProblem(event: Fields & { readonly type: string }): string | null {
  const fields = Object.hasOwn(eventFields, event.type) ? (eventFields[event.type] ?? {}) : {};
  for (const [name, wanted] of Object.entries(fields)) {
    const value = event[name];
    if (value === null && wanted.endsWith('?')) continue;
    const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    if (found !== wanted.replace('?', '')) return `${event.type}: "${name}" is no ${wanted.replace('?', '')}`;
  }
  const part = partProblem(event);
  return part === null ? null : `${event.type}: ${part}`;
}

/** What is read of the parts of an event. */
function partProblem(event: Fields & { readonly type: string }): string | null {
  const isModel = (value: unknown) => isObject(value) && typeof value['profile'] === 'string' && typeof value['model'] === 'string';
  switch (event.type) {
    case 'lifecycle.started':
      if (!(event['profiles'] as readonly unknown[]).every(isModel)) return 'one of "profiles" is no model';
      return isModel(event['model']) ? null : '"model" is none';
    case 'model.switched':
      return isModel(event['model']) ? null : '"model" is none';
    case 'model.answered':
      return isMessage(event['message']) ? null : '"message" is none';
    case 'approval.requested': {
      const request = event['request'] as Fields;
      return ['id', 'tool', 'title', 'body', 'target', 'cwd'].every((name) => typeof request[name] === 'string')
        ? null
        : '"request" is none';
    }
    case 'task.ended':
      return event['error'] === null || typeof (event['error'] as Fields)['message'] === 'string' ? null : '"error" has no message';
    default:
      return null;
  }
}

function isScreen(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['size']) || !isObject(value['theme']) || !isObject(value['theme']['styles'])) return false;
  return isSize(value['size']) && typeof value['draft'] === 'string';
}

/** Is it a size that a terminal can have? */
function isSize(value: unknown): boolean {
  if (!isObject(value)) return false;
  return [value['cols'], value['rows']].every((cells) => Number.isInteger(cells) && Number(cells) >= 1 && Number(cells) <= LARGEST_SIZE);
}

function isTyped(value: unknown): value is Fields & { readonly type: string } {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
