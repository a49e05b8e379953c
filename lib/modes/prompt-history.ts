/** The prompts of earlier runs, for the editor's history. */

import { join } from 'node:path';
import { AppendFile, mkdirSync, readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import { stateFolder } from './state-folder.js';

/** How many prompts are handed to the editor. */
const KEPT = 1000;

export interface PromptHistory {
  /** Oldest first. */
  readonly earlier: readonly string[];
  /** Keeps one more. A disk that refuses it loses the history, not the prompt. */
  add(text: string): void;
}

/** Reads what is there; a file that cannot be read, or a broken line in it, is no history. */
export function openPromptHistory(host: Host, persist: boolean): PromptHistory {
  if (!persist) return { earlier: [], add: () => undefined };
  const folder = stateFolder(host);
  const path = join(folder, 'prompts.jsonl');
  return {
    earlier: read(path),
    add(text) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = new AppendFile(path);
        file.append(`${JSON.stringify(text)}\n`);
        file.close();
      } catch {
        // See above.
      }
    },
  };
}

function read(path: string): readonly string[] {
  try {
    const lines = (readTextIfPresent(path) ?? '').split('\n').slice(-KEPT - 1);
    return lines.flatMap((line) => textOf(line));
  } catch {
    return [];
  }
}

function textOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
