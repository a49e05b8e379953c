/**
 * The sessions of pi: JSON lines, the first `{type: "session", version: 3, id, timestamp, cwd}`, each other an entry of a tree with `id` and
 * `parentId`; the last entry is where the conversation stands (pi-mono, packages/coding-agent/docs/session.md). Version 1 has no tree.
 */

import { recapMessage, recapOf } from '../../recap.js';
import type { SessionRecord } from '../records.js';
import { type Fields, isObject, objectOf, refused, textOf } from './import-file.js';
import { type ImportedAnswer, ImportedTurns } from './imported-turns.js';
import type { LeftOut } from './left-out.js';

/** Of the person's own words in a recap (characters). */
const SAID = 8000;
/** Entries that say nothing about the conversation, or nothing that holds here. */
const UNSAID: ReadonlySet<string> = new Set(['model_change', 'thinking_level_change', 'custom', 'context_transform', 'ephemeral']);

/** An entry and the line that it is on. */
interface Entry {
  readonly fields: Fields;
  readonly line: number;
}

/** True for a first line that says it is one of such a session. */
export function isPiHeader(header: Fields): boolean {
  return header['type'] === 'session' && header['format'] === undefined && typeof header['id'] === 'string';
}

/** Its records, of the branch that it stands on. Throws `session.import`. */
export function piRecords(path: string, header: Fields, lines: readonly string[], left: LeftOut): readonly SessionRecord[] {
  const version = header['version'] ?? 1;
  if (version !== 1 && version !== 2 && version !== 3) {
    throw refused(path, 1, `it is a session of version ${String(version).slice(0, 20)}, which is not known`);
  }
  const entries = entriesOf(path, lines, left);
  const branch = version === 1 ? entries : branchOf(path, entries);
  left.add('branch', entries.length - branch.length);
  const turns = new ImportedTurns();
  /** Where the records of an entry begin, by its id: a recap says from which one on the model still is shown them. */
  const begins = new Map<string, number>();
  for (const { fields } of branch) {
    begins.set(textOf(fields, 'id'), turns.length);
    take(turns, fields, begins, left);
  }
  left.add('orphan', turns.orphans);
  return turns.records();
}

function entriesOf(path: string, lines: readonly string[], left: LeftOut): readonly Entry[] {
  return lines.flatMap((text, at) => {
    if (at === 0 || text.trim() === '') return [];
    const fields = objectOf(text);
    if (typeof fields !== 'string') return { fields, line: at + 1 };
    // The program that wrote it may have been killed while it did.
    if (at === lines.length - 1 && fields === 'no JSON') left.add('torn');
    else
      throw refused(path, at + 1, fields === 'no JSON' ? 'it is no JSON' : fields === 'no object' ? 'it is no entry' : `it is ${fields}`);
    return [];
  });
}

/** From the first entry to the last one. */
function branchOf(path: string, entries: readonly Entry[]): readonly Entry[] {
  const byId = new Map<string, Entry>();
  for (const entry of entries) {
    const id = textOf(entry.fields, 'id');
    if (id === '') throw refused(path, entry.line, 'it is an entry without an id');
    if (byId.has(id)) throw refused(path, entry.line, 'there is an entry with that id already');
    byId.set(id, entry);
  }
  const branch: Entry[] = [];
  for (let at = entries.at(-1); at !== undefined; ) {
    branch.push(at);
    const parent = at.fields['parentId'];
    if (parent === null || parent === undefined) break;
    const before: Entry | undefined = typeof parent === 'string' ? byId.get(parent) : undefined;
    if (before === undefined) throw refused(path, at.line, 'it follows an entry that there is not');
    if (before.line >= at.line) throw refused(path, at.line, 'it follows an entry that comes after it');
    at = before;
  }
  return branch.reverse();
}

function take(turns: ImportedTurns, entry: Fields, begins: ReadonlyMap<string, number>, left: LeftOut): void {
  const tsMs = timeOf(entry);
  const type = textOf(entry, 'type');
  switch (type) {
    case 'message':
      if (isObject(entry['message'])) takeMessage(turns, entry['message'], tsMs, left);
      else left.add('entry');
      return;
    case 'custom_message':
      turns.user(`[harness] ${contentText(entry['content'], left)}`, tsMs, 'note');
      return;
    case 'branch_summary':
      turns.user(`[harness] Of a branch of the conversation that was left: ${textOf(entry, 'summary')}`, tsMs, 'note');
      return;
    case 'compaction': {
      const from = begins.get(textOf(entry, 'firstKeptEntryId')) ?? turns.length;
      const before = entry['tokensBefore'];
      const recap = recapOf(turns.messages, textOf(entry, 'summary'), SAID);
      turns.recap(recapMessage(recap), from, typeof before === 'number' ? before : 0, tsMs);
      left.add('tail', Array.isArray(entry['retainedTail']) ? 1 : 0);
      return;
    }
    case 'session_info':
      if (textOf(entry, 'name').trim() !== '') turns.name(textOf(entry, 'name').replace(/\s+/g, ' ').trim().slice(0, 80));
      return;
    case 'label':
      left.add('label');
      return;
    default:
      if (!UNSAID.has(type)) left.add('entry');
  }
}

function takeMessage(turns: ImportedTurns, message: Fields, tsMs: number, left: LeftOut): void {
  switch (message['role']) {
    case 'user':
      turns.user(contentText(message['content'], left), tsMs);
      return;
    case 'assistant':
      turns.answer(answerOf(message, left), tsMs);
      return;
    case 'toolResult':
      turns.result(textOf(message, 'toolCallId'), contentText(message['content'], left), message['isError'] === true, tsMs);
      return;
    case 'bashExecution': {
      if (message['excludeFromContext'] === true) return;
      const ran = `[harness] The person ran a command themselves: ${textOf(message, 'command')}`;
      turns.user(
        `${ran}\nIt ended with exit code ${String(message['exitCode'] ?? 'unknown')} and printed:\n${textOf(message, 'output')}`,
        tsMs,
        'note',
      );
      return;
    }
    case 'custom':
    case 'hookMessage':
      turns.user(`[harness] ${contentText(message['content'], left)}`, tsMs, 'note');
      return;
    case 'branchSummary':
    case 'compactionSummary':
      turns.user(`[harness] A summary of what was before: ${textOf(message, 'summary')}`, tsMs, 'note');
      return;
    default:
      left.add('role');
  }
}

/** Thoughts come as text: what seals them holds for the request they came with. */
function answerOf(message: Fields, left: LeftOut): ImportedAnswer {
  const { content } = message;
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: { id: string; name: string; argsText: string }[] = [];
  if (typeof content === 'string') texts.push(content);
  for (const block of Array.isArray(content) ? (content as readonly unknown[]) : []) {
    const type = isObject(block) ? textOf(block, 'type') : '';
    if (!isObject(block)) left.add('part');
    else if (type === 'text') texts.push(textOf(block, 'text'));
    else if (type === 'thinking') thoughts.push(textOf(block, 'thinking'));
    else if (type === 'toolCall' && textOf(block, 'name') !== '')
      calls.push({ id: textOf(block, 'id'), name: textOf(block, 'name'), argsText: JSON.stringify(block['arguments'] ?? {}) });
    else left.add(type === 'image' ? 'image' : 'part');
  }
  const stop = textOf(message, 'stopReason');
  return { text: texts.join('\n\n'), reasoning: thoughts.join('\n\n'), calls, incomplete: stop === 'error' || stop === 'aborted' };
}

function contentText(content: unknown, left: LeftOut): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: unknown) => {
      if (isObject(block) && block['type'] === 'text') return textOf(block, 'text');
      left.add(isObject(block) && block['type'] === 'image' ? 'image' : 'part');
      return [];
    })
    .join('\n');
}

/** When an entry was made (wall clock, milliseconds); 0 when it does not say. */
function timeOf(entry: Fields): number {
  const ms = Date.parse(textOf(entry, 'timestamp'));
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
