/**
 * The prompts of earlier runs, for the editor's history. Several programs may write at once: each line is appended whole, and a file
 * that has grown long is put aside rather than rewritten, so that a line on its way is never lost.
 */

import { join } from 'node:path';
import { AppendFile, mkdirSync, moveFileSync, readTextIfPresent, rmSync, writeFileSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { LoadedConfig } from '../config/load.js';
import type { Redactor, Secrets } from '../policy/redaction.js';
import { stateFolder } from './state-folder.js';

/** Putting a file aside takes a moment: a lock that is older was left by a crash (milliseconds). */
const LOCK_MS = 60_000;

export interface PromptHistory {
  /** Oldest first. */
  readonly earlier: readonly string[];
  /** Keeps one more, unless it says the same as the last one. A disk that refuses it loses the history, not the prompt. */
  add(text: string): void;
}

/** The history that the settings want, without the secrets that the program knows. */
export function promptHistoryOf(host: Host, config: LoadedConfig, secrets: Secrets): PromptHistory {
  const { 'display.persist_history': persist, 'editor.history_size': kept } = config.settings;
  return openPromptHistory(host, persist, kept, secrets.redact);
}

/**
 * Reads what is there, at most the newest `kept`; a file that cannot be read, or a broken line in it, is no history. What `redact` leaves of
 * a prompt is kept.
 */
export function openPromptHistory(host: Host, persist: boolean, kept: number, redact: Redactor = (text) => text): PromptHistory {
  if (!persist || kept === 0) return { earlier: [], add: () => undefined };
  const folder = stateFolder(host);
  const path = join(folder, 'prompts.jsonl');
  const lines = read(path);
  const earlier = withoutRepeats([...read(olderOf(path)), ...lines].flatMap(textOf)).slice(-kept);
  if (lines.length > kept) putAside(path, kept, host.clock.now());
  let last = earlier[earlier.length - 1];
  return {
    earlier,
    add(text) {
      if (text === last) return;
      last = text;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = new AppendFile(path);
        file.append(`${JSON.stringify(redact(text))}\n`);
        file.close();
      } catch {
        // See above.
      }
    },
  };
}

function olderOf(path: string): string {
  return path.replace(/jsonl$/, '1.jsonl');
}

/**
 * The file becomes the older one; what that held is more than anybody keeps. Whoever has it open still appends to it. One program
 * at a time: a second one that counted the lines before would put a file of one line in the place of all.
 */
function putAside(path: string, kept: number, nowMs: number): void {
  const lock = `${path}.lock`;
  try {
    writeFileSync(lock, String(nowMs), { flag: 'wx', mode: 0o600 });
  } catch {
    // Another program does it. What a crash left behind is taken away for the next start.
    if (Number(readTextIfPresent(lock) ?? nowMs) < nowMs - LOCK_MS) rmSync(lock, { force: true });
    return;
  }
  try {
    if (read(path).length > kept) moveFileSync(path, olderOf(path));
  } catch {
    // A file that stays long is no harm.
  } finally {
    rmSync(lock, { force: true });
  }
}

function read(path: string): readonly string[] {
  try {
    return (readTextIfPresent(path) ?? '').split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

function withoutRepeats(prompts: readonly string[]): readonly string[] {
  return prompts.filter((prompt, at) => prompt !== prompts[at - 1]);
}

function textOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
