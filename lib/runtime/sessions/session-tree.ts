/** The records of a session as the tree that people see, and what it means to go on from one of its entries. Pure. */

import type { EntryId, EntryKind, TreeEntry } from '../../protocol/tree.js';
import { callPreview } from './call-preview.js';
import type { SessionRecord } from './records.js';
import { predecessors } from './session-lines.js';

/** What may stand between a call and its result without being part of either. */
const passed: readonly SessionRecord['type'][] = ['label', 'name', 'said', 'partial', 'job'];
/** Characters of an entry: a tree is looked over, not read. */
const SHOWN = 200;

/** A session as a tree. */
export interface SessionTree {
  /** In the order of the file: each behind the one it follows. */
  readonly entries: readonly TreeEntry[];
  /** The one that what is said next follows; null: none. */
  readonly leaf: EntryId | null;
}

/** What leads to a place in the conversation. */
export interface Continuation {
  /** The record that the next one follows; null: none. */
  readonly leaf: string | null;
  /** The records up to it, the oldest first. */
  readonly path: readonly SessionRecord[];
  /** Of a prompt: what it said. */
  readonly text: string | null;
}

type Draft = TreeEntry & { readonly calls: string[] };

/** All entries of the records of a file. */
export function treeOf(records: readonly SessionRecord[]): SessionTree {
  const before = predecessors(records);
  const labels = labelsOf(records);
  const unended = unendedCalls(records, before);
  const drafts: Draft[] = [];
  /** Of each record the entry that it is, or belongs to, or follows. */
  const places: (Draft | null)[] = [];
  const groups = new Map<SessionRecord, Draft>();
  for (const [at, record] of records.entries()) {
    const follows = places[before[at] ?? -1] ?? null;
    const answer = record.type === 'call' ? answerOf(records, before, at) : null;
    const known = answer === null ? undefined : groups.get(answer);
    const open = unended.get(record) ?? [];
    const said = saidBy(record, open);
    if (record.type === 'call') known?.calls.push(said?.text ?? '');
    if (known !== undefined || said === null) {
      places.push(known ?? follows);
      continue;
    }
    const { id, tsMs } = record;
    const calls =
      record.type === 'call' ? [said.text, ...(answer === null ? [] : (unended.get(answer) ?? []))] : said.kind === 'calls' ? open : [];
    const draft: Draft = { id, parent: follows?.id ?? null, ...said, calls: [...calls], label: labels.get(id) ?? null, tsMs };
    if (answer !== null) groups.set(answer, draft);
    drafts.push(draft);
    places.push(draft);
  }
  const last = records.length - 1;
  const leaf = places[records[last]?.type === 'branch' ? (before[last] ?? -1) : last] ?? null;
  return { entries: drafts, leaf: leaf?.id ?? null };
}

/** What goes on from that entry; null: there is none with that id. */
export function continuationOf(records: readonly SessionRecord[], entry: EntryId): Continuation | null {
  const at = records.findIndex(({ id }) => id === entry);
  const record = records[at];
  const before = predecessors(records);
  const kind = record === undefined ? null : (saidBy(record, unendedCalls(records, before).get(record) ?? [])?.kind ?? null);
  if (record === undefined || kind === null) return null;
  const isAsked = kind === 'prompt' || kind === 'steer';
  const text = isAsked && record.type === 'message' ? record.message.text : null;
  const end = isAsked ? (before[at] ?? -1) : stepEnd(records, before, at);
  const path: SessionRecord[] = [];
  for (let on = end; on >= 0; on = before[on] ?? -1) {
    const reached = records[on];
    if (reached !== undefined) path.push(reached);
  }
  return { leaf: records[end]?.id ?? null, path: path.reverse(), text };
}

/** The labels of entries, by their ids, in the order in which they were given. */
export function labelsOf(records: readonly SessionRecord[]): ReadonlyMap<EntryId, string> {
  const labels = new Map<EntryId, string>();
  for (const record of records) {
    if (record.type !== 'label') continue;
    labels.delete(record.of);
    if (record.label !== '') labels.set(record.of, record.label);
  }
  return labels;
}

/**
 * Of answers the calls whose end was never written down, as people see them: the program was ended while they ran, or they still run. They
 * are told with the calls that have ended; of an answer without any, by the answer.
 */
function unendedCalls(records: readonly SessionRecord[], before: readonly number[]): ReadonlyMap<SessionRecord, readonly string[]> {
  const ended = new Set<string>();
  for (const [at, record] of records.entries()) {
    if (record.type === 'call') ended.add(callKey(answerOf(records, before, at), record.call));
    // A result without a call is one of an import.
    if (record.type === 'message' && record.message.role === 'tool') ended.add(callKey(null, record.message.callId));
  }
  const open = new Map<SessionRecord, readonly string[]>();
  for (const record of records) {
    if (record.type !== 'message' || record.message.role !== 'assistant') continue;
    const calls = record.message.calls.filter(({ id }) => !ended.has(callKey(record, id)) && !ended.has(callKey(null, id)));
    if (calls.length > 0)
      open.set(
        record,
        calls.map(({ name, argsText }) => entry('calls', `${name}  ${callPreview(argsText)} · not ended`).text),
      );
  }
  return open;
}

function callKey(answer: SessionRecord | null, call: string): string {
  return `${answer?.id ?? ''} ${call}`;
}

/** What a record is in the tree; null: nothing that one goes back to. `open`: its calls that have not ended. */
function saidBy(record: SessionRecord, open: readonly string[]): { readonly kind: EntryKind; readonly text: string } | null {
  if (record.type === 'call')
    return entry('calls', `${record.name}  ${record.preview}${record.summary === '' ? '' : ` · ${record.summary}`}`);
  if (record.type === 'context' && record.tokens !== null) {
    const { before, after, trimmed } = record.tokens;
    return entry('recap', `${trimmed ? 'old results were left out' : 'summarised'}: ${before} tokens became ${after}`);
  }
  if (record.type !== 'message' || record.message.role === 'tool') return null;
  const { role, text } = record.message;
  if (role === 'assistant' && text.trim() === '') return open[0] === undefined ? null : entry('calls', open[0]);
  if (role === 'assistant') return entry('answer', open.length === 0 ? text : `${text.slice(0, SHOWN / 2)} ▶ ${open.join(' ▶ ')}`);
  return entry(record.as ?? 'note', text);
}

function entry(kind: EntryKind, text: string): { readonly kind: EntryKind; readonly text: string } {
  return {
    kind,
    text: text
      .slice(0, 4 * SHOWN)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, SHOWN),
  };
}

/** The record of the answer that asked for the call in that record; null for a command of the person's own. */
function answerOf(records: readonly SessionRecord[], before: readonly number[], at: number): SessionRecord | null {
  const call = records[at];
  if (call?.type !== 'call') return null;
  for (let on = before[at] ?? -1; on >= 0; on = before[on] ?? -1) {
    const record = records[on];
    if (record?.type !== 'message' || record.message.role === 'tool') continue;
    return record.message.role === 'assistant' && record.message.calls.some(({ id }) => id === call.call) ? record : null;
  }
  return null;
}

/**
 * The last record that belongs to an answer or to its calls: the results of all of them, and the end of its prompt when nothing else follows. A
 * place between a call and its result is none to go on from.
 */
function stepEnd(records: readonly SessionRecord[], before: readonly number[], at: number): number {
  let end = at;
  let on = at;
  for (let next = at + 1; next < records.length; next++) {
    const record = records[next];
    if (before[next] !== on || record === undefined) continue;
    if (record.type === 'end') return next;
    const isOfIt = record.type === 'call' || (record.type === 'message' && record.message.role === 'tool');
    if (isOfIt) end = next;
    else if (!passed.includes(record.type)) return end;
    on = next;
  }
  return end;
}
