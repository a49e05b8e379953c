/** The rules that outlive a run: `rules.json` in the state folder, one rule a line. A file that is not sound is told of, ignored and left alone. */

import { join } from 'node:path';
import { BuddyError, messageOf } from '../base/errors.js';
import { fileTrouble, mkdir, readTextIfPresent, stat, systemCode, writeAtomically } from '../base/files.js';
import type { Host } from '../base/host.js';
import { unsound } from '../policy/approval-rules.js';
import type { Rule, RulePlace, RuleSubject } from '../protocol/rules.js';
import type { RuleStore } from '../runtime/rules.js';
import { stateFolder } from './state-folder.js';

/** The store, and the sentence about a file that is ignored. Never rejects. */
export async function openSavedRules(host: Host): Promise<{ readonly store: RuleStore; readonly problem: string | null }> {
  const path = join(stateFolder(host), 'rules.json');
  let known: readonly Rule[] = [];
  let problem: string | null = null;
  try {
    known = await read(path);
  } catch (thrown) {
    problem = `${messageOf(thrown)}; the rules in it are ignored`;
  }
  // One change after the other: each begins with what is there by then, of another program, too.
  let last: Promise<void> = Promise.resolve();
  const change = (to: (rules: readonly Rule[]) => readonly Rule[]): Promise<void> => {
    last = last.catch(() => undefined).then(() => rewrite(path, to));
    return last;
  };
  const store: RuleStore = {
    known,
    add: (rule) => change((rules) => [...rules.filter((other) => !isSame(other, rule)), rule]),
    remove: (rule) => change((rules) => rules.filter((other) => !isSame(other, rule))),
  };
  return { store, problem };
}

async function rewrite(path: string, to: (rules: readonly Rule[]) => readonly Rule[]): Promise<void> {
  const rules = to(await read(path));
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    await writeAtomically(path, Buffer.from(fileOf(rules)), 0o600);
  } catch (thrown) {
    throw new BuddyError('state.write', `${path} cannot be written: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

function isSame(a: Rule, b: Rule): boolean {
  return lineOf(a) === lineOf(b);
}

/** As it stands in the file. */
function lineOf({ subject, place }: Rule): string {
  const { kind: _kind, ...what } = subject;
  const { target, host, user, folder } = place;
  const about = subject.kind === 'command' ? what : { [subject.kind]: subject.path };
  return JSON.stringify({ ...about, target, host, user, ...(folder === null ? {} : { in: folder }) });
}

function fileOf(rules: readonly Rule[]): string {
  return rules.length === 0 ? '[]\n' : `[\n${rules.map((rule) => `  ${lineOf(rule)}`).join(',\n')}\n]\n`;
}

/** Throws BuddyError `config.*` with file and line. */
async function read(path: string): Promise<readonly Rule[]> {
  const source = await sourceOf(path);
  if (source === null || source.trim() === '') return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    throw fault(`${path}:${brokenLine(source)}`, 'this is not JSON');
  }
  if (!Array.isArray(parsed)) throw fault(`${path}:1`, 'this must be a list of rules');
  const starts = itemStarts(source);
  return parsed.map((item: unknown, at) => {
    const where = `${path}:${lineAt(source, starts[at] ?? 0)}`;
    const rule = ruleOf(item);
    if (rule === null) throw fault(where, 'this is no rule');
    const reason = unsound(rule.subject);
    if (reason !== null) throw fault(where, reason);
    return rule;
  });
}

/** What others may write is nobody's yes. */
async function sourceOf(path: string): Promise<string | null> {
  try {
    const source = readTextIfPresent(path);
    if (source !== null && ((await stat(path)).mode & 0o022) !== 0) throw fault(path, 'others may write to it (chmod 600 mends that)');
    return source;
  } catch (thrown) {
    if (thrown instanceof BuddyError || systemCode(thrown) === null) throw thrown;
    throw new BuddyError('config.read', `${path} cannot be read: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

function fault(where: string, what: string): BuddyError {
  return new BuddyError('config.value', `${where}: ${what}`);
}

/** The first line with which it can no longer become JSON, whatever follows. V8 does not always tell where that is. */
function brokenLine(source: string): number {
  const lines = source.split('\n');
  const found = lines.findIndex((_, at) => {
    const start = lines.slice(0, at + 1).join('\n') + (at < lines.length - 1 ? '\n' : '');
    try {
      JSON.parse(start);
      return false;
    } catch (thrown) {
      const message = messageOf(thrown);
      const where = /at position (\d+)/.exec(message)?.[1];
      return !/end of JSON input/.test(message) && (where === undefined || Number(where) < start.length);
    }
  });
  return found < 0 ? lines.length : found + 1;
}

function lineAt(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}

/** Where each item of the list begins. The source is JSON. */
function itemStarts(source: string): readonly number[] {
  const starts: number[] = [];
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/gs)) {
    if (depth === 1 && !/^[\]}]/.test(token)) starts.push(index);
    if (/^[[{]/.test(token)) depth++;
    else if (/^[\]}]/.test(token)) depth--;
  }
  return starts;
}

function ruleOf(item: unknown): Rule | null {
  if (typeof item !== 'object' || item === null) return null;
  const fields: Readonly<Record<string, unknown>> = { ...item };
  const known = ['words', 'exact', 'file', 'folder', 'target', 'host', 'user', 'in'];
  // What is not understood may be a condition.
  if (Object.keys(fields).some((name) => !known.includes(name))) return null;
  const subject = subjectOf(fields);
  const place = placeOf(fields);
  return subject === null || place === null ? null : { subject, place, saved: true };
}

function subjectOf({ words, exact, file, folder }: Readonly<Record<string, unknown>>): RuleSubject | null {
  if ([words, file, folder].filter((given) => given !== undefined).length !== 1) return null;
  if (typeof file === 'string') return { kind: 'file', path: file };
  if (typeof folder === 'string') return { kind: 'folder', path: folder };
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string') || typeof exact !== 'boolean') return null;
  return { kind: 'command', words, exact };
}

function placeOf({ target, host, user, in: folder = null }: Readonly<Record<string, unknown>>): RulePlace | null {
  if (typeof target !== 'string' || typeof host !== 'string' || typeof user !== 'string') return null;
  return folder === null || typeof folder === 'string' ? { target, host, user, folder } : null;
}
