/** A line of a trace in a list, and all that is in it in a detail: untrusted JSON as lines that a person reads. Pure. */

import { isTooDeep } from '../base/json-depth.js';
import { visible } from '../base/visible.js';

/** How a line stands in the list. */
export interface TraceEntry {
  /** `12.3 s`; '' when the line does not tell. */
  readonly time: string;
  /** Of the line, for its colour. */
  readonly kind: 'header' | 'command' | 'event' | 'view' | 'input' | 'trouble' | 'bad';
  /** `tool.ended`. */
  readonly name: string;
  /** The rest, as far as there is room. */
  readonly words: string;
}

type Fields = Readonly<Record<string, unknown>>;

const kinds = ['header', 'command', 'event', 'view', 'input'] as const;
/** Where each kind keeps what it is about. */
const bodies: Readonly<Record<string, string>> = { command: 'command', event: 'event', view: 'action', input: 'input' };
/** What says most of a line, the first that is there. */
const telling = [
  'preview',
  'summary',
  'text',
  'message',
  'reason',
  'title',
  'key',
  'lastLine',
  'outcome',
  'decision',
  'path',
  'name',
  'pane',
  'task',
];
/** Characters of a text that stand in the list. */
const MOST_WORDS = 200;
/** Lines of a detail. */
const MOST_DETAIL = 5000;

/** The entry of a line; `whole`: this is all of it, otherwise its beginning. */
export function entryOf(text: string, whole: boolean): TraceEntry {
  const line = whole ? parsed(text) : null;
  if (line === null) return whole ? bad(text) : cutEntry(text);
  const kind = kinds.find((known) => known === line['kind']);
  if (kind === undefined) return bad(text);
  const time = timeOf(line['atMs']);
  if (kind === 'header') return { time, kind, name: 'header', words: `buddy-tui ${String(line['program'] ?? '')}` };
  const body = line[bodies[kind] ?? ''];
  if (!isObject(body) || typeof body['type'] !== 'string') return bad(text);
  const name = body['type'];
  return { time, kind: isTrouble(name, body) ? 'trouble' : kind, name, words: wordsOf(body) };
}

/** Of a line that is too long for a list, what stands at its beginning. */
function cutEntry(text: string): TraceEntry {
  const kind = kinds.find((known) => known === /^\{"kind":"(\w+)"/.exec(text)?.[1]);
  const name = /"type":"([\w.]+)"/.exec(text)?.[1];
  if (kind === undefined) return bad(text);
  return { time: '', kind, name: name ?? kind, words: '(a long line)' };
}

function bad(text: string): TraceEntry {
  return { time: '', kind: 'bad', name: 'no line of a trace', words: text.slice(0, MOST_WORDS) };
}

function isTrouble(name: string, body: Fields): boolean {
  if (name === 'error' || name === 'warning' || name === 'command.refused' || name === 'model.retrying') return true;
  return body['isError'] === true || body['outcome'] === 'failed' || body['outcome'] === 'timed-out';
}

function wordsOf(body: Fields): string {
  if (body['type'] === 'approval.requested' && isObject(body['request']))
    return `${short(body['request']['title'])}: ${short(body['request']['body'])}`;
  if (body['type'] === 'model.answered' && isObject(body['message'])) return short(body['message']['text']);
  for (const field of telling) if (typeof body[field] === 'string' && body[field] !== '') return short(body[field]);
  return '';
}

function short(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, MOST_WORDS).trimStart() : '';
}

function timeOf(atMs: unknown): string {
  if (typeof atMs !== 'number' || !Number.isFinite(atMs)) return '';
  return atMs < 60_000
    ? `${(atMs / 1000).toFixed(1)} s`
    : `${Math.floor(atMs / 60_000)}:${String(Math.floor((atMs % 60_000) / 1000)).padStart(2, '0')}`;
}

/** All that is in a line, as lines of text without anything hidden; what is no JSON as it is. */
export function detailOf(text: string): readonly string[] {
  const line = parsed(text);
  const lines: string[] = [];
  if (line === null) lines.push('This is no line of a trace:', '', ...visible(text).split('\n'));
  else tell(line, '', lines);
  return lines.length > MOST_DETAIL ? [...lines.slice(0, MOST_DETAIL), `… and ${lines.length - MOST_DETAIL} more`] : lines;
}

/** A field a line, what is in it further in; texts of several lines as they are. */
function tell(value: Fields, indent: string, lines: string[]): void {
  for (const [name, field] of Object.entries(value)) {
    if (lines.length > MOST_DETAIL) return;
    const head = `${indent}${visible(name, 'exact')}:`;
    if (name === 'rows' && Array.isArray(field) && field.every(isCells)) {
      lines.push(head, ...field.map((row) => `${indent}  │${visible(row.segments.map((segment) => segment.text).join(''))}`));
    } else if (Array.isArray(field)) {
      if (field.length === 0) lines.push(`${head} []`);
      else lines.push(head);
      for (const entry of field) tellEntry(entry, `${indent}  `, lines);
    } else if (isObject(field)) {
      if (Object.keys(field).length === 0) lines.push(`${head} {}`);
      else lines.push(head);
      tell(field, `${indent}  `, lines);
    } else lines.push(...scalar(head, field, indent));
  }
}

function tellEntry(entry: unknown, indent: string, lines: string[]): void {
  if (lines.length > MOST_DETAIL) return;
  if (!isObject(entry)) {
    lines.push(...scalar(`${indent}-`, Array.isArray(entry) ? JSON.stringify(entry) : entry, indent));
    return;
  }
  const inner: string[] = [];
  tell(entry, `${indent}  `, inner);
  const [first = '', ...rest] = inner;
  lines.push(`${indent}- ${first.slice(indent.length + 2)}`, ...rest);
}

function scalar(head: string, value: unknown, indent: string): readonly string[] {
  if (typeof value !== 'string') return [`${head} ${String(value)}`];
  const shown = visible(value).split('\n');
  if (shown.length === 1) return [value === '' ? `${head} ""` : `${head} ${shown[0]}`];
  return [head, ...shown.map((line) => `${indent}  ${line}`)];
}

/** Is it a row of cells, as pictures of a pane have them? */
function isCells(value: unknown): value is { readonly segments: readonly { readonly text: string }[] } {
  if (!isObject(value) || !Array.isArray(value['segments'])) return false;
  return value['segments'].every((segment) => isObject(segment) && typeof segment['text'] === 'string');
}

/** Null for what is no line, or nested deeper than anything that is told. */
function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isTooDeep(text) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
