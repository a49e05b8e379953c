/** The arrangement of the panes from one run to the next, for each size class of the terminal: `layout.json` in the state folder. */

import { join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { fileTrouble, mkdir, readTextIfPresent, writeAtomically } from '../base/files.js';
import type { Host } from '../base/host.js';
import { type Arrangement, type Arrangements, leastShare, plainArrangement, plainArrangements } from '../view/arrangement.js';
import { stateFolder } from './state-folder.js';

/** Reads and writes it. */
export interface KeptLayout {
  /** As it was kept, or as it suits every window. */
  readonly arrangements: Arrangements;
  /** Keeps another one. One is written at a time; of those that come meanwhile the last. A disk that refuses it is told once. */
  keep(arrangements: Arrangements): void;
  /** Resolves when nothing is being written any more. Never rejects. */
  settled(): Promise<void>;
}

/** Opens what was kept. A file that cannot be used is told by `onNotice` in one sentence, with its line, and the default holds. */
export function openKeptLayout(host: Host, onNotice: (text: string) => void): KeptLayout {
  const folder = stateFolder(host);
  const path = join(folder, 'layout.json');
  let next: Arrangements | null = null;
  let writing: Promise<void> | null = null;
  let isRefused = false;

  async function write(): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      while (next !== null) {
        const now: Arrangements = next;
        next = null;
        await writeAtomically(path, Buffer.from(`${JSON.stringify(now, null, 2)}\n`), 0o600);
      }
    } catch (thrown) {
      next = null;
      if (!isRefused) onNotice(`The layout is not kept for the next start: ${path}: ${fileTrouble(thrown)}.`);
      isRefused = true;
    }
    writing = null;
  }

  return {
    arrangements: read(path, onNotice),
    keep(arrangements) {
      next = arrangements;
      writing ??= write();
    },
    async settled() {
      while (writing !== null) await writing;
    },
  };
}

function read(path: string, onNotice: (text: string) => void): Arrangements {
  let source: string | null;
  try {
    source = readTextIfPresent(path);
  } catch (thrown) {
    onNotice(`${path} cannot be read, so the panes stand as usual: ${fileTrouble(thrown)}.`);
    return plainArrangements;
  }
  if (source === null) return plainArrangements;
  const parsed = parseArrangements(source);
  if ('arrangements' in parsed) return parsed.arrangements;
  onNotice(`${path}:${parsed.line}: ${parsed.problem}, so the panes stand as usual; moving one writes the file anew.`);
  return plainArrangements;
}

/** The arrangements in a file, or what is wrong with it and in which line. */
export function parseArrangements(
  source: string,
): { readonly arrangements: Arrangements } | { readonly line: number; readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (thrown) {
    return { line: lineOfError(source, messageOf(thrown)), problem: 'it is not JSON' };
  }
  if (!isRecord(value)) return { line: 1, problem: 'it must be an object with "wide" and "medium"' };
  const found: { wide: Arrangement; medium: Arrangement } = { ...plainArrangements };
  for (const kind of ['wide', 'medium'] as const) {
    const part = value[kind] ?? {};
    if (!isRecord(part)) return { line: lineOfKey(source, 0, kind), problem: `"${kind}" must be an object` };
    const problem = problemOf(part);
    if (problem !== null) return { line: lineOfKey(source, source.indexOf(`"${kind}"`), problem.key), problem: problem.says };
    found[kind] = { ...plainArrangement, ...(part as Partial<Arrangement>) };
  }
  return { arrangements: found };
}

const SHARES: readonly string[] = ['side', 'strip', 'tasks'];

function problemOf(part: Readonly<Record<string, unknown>>): { readonly key: string; readonly says: string } | null {
  for (const [key, value] of Object.entries(part)) {
    if (SHARES.includes(key)) {
      const isShare = value === null || (typeof value === 'number' && value >= leastShare && value <= 1 - leastShare);
      if (!isShare) return { key, says: `"${key}" must be a number from ${leastShare} to ${1 - leastShare}, or null` };
    } else if (key === 'hidden') {
      const isList = Array.isArray(value) && value.every((name) => name === 'mirror' || name === 'tasks');
      if (!isList) return { key, says: '"hidden" must be a list of "mirror" and "tasks"' };
    } else return { key, says: `"${key}" is nothing that is kept there` };
  }
  return null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The line of the first such key behind a place. */
function lineOfKey(source: string, from: number, key: string): number {
  const at = source.indexOf(JSON.stringify(key), Math.max(0, from));
  return source.slice(0, Math.max(0, at)).split('\n').length;
}

/** V8 tells the line or the offset where it found the fault, and neither when the text just ends. */
function lineOfError(source: string, words: string): number {
  const line = /\(line (\d+)/.exec(words)?.[1];
  if (line !== undefined) return Number(line);
  const at = /at position (\d+)/.exec(words)?.[1];
  return source.slice(0, at === undefined ? source.trimEnd().length : Number(at)).split('\n').length;
}
