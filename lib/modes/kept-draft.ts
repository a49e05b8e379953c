/**
 * The text in the editor that was not sent, kept for the next run: also when the program is killed or the connection to it breaks. Each
 * program has a file of its own, named for its process; one whose process is gone is a draft that nobody holds.
 */

import { join } from 'node:path';
import { mkdirSync, moveFileSync, readdirSync, readTextIfPresent, rmSync, writeFileSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import { processExists } from '../base/process.js';
import type { Redactor } from '../policy/redaction.js';
import { stateFolder } from './state-folder.js';

export interface KeptDraft {
  /** What an earlier run left, '' when nothing; it is this run's from now on. */
  readonly earlier: string;
  /** Keeps this text in the place of what was kept before; '' keeps nothing. A disk that refuses it loses the draft, not the program. */
  keep(text: string): void;
}

/** More than anybody types; the rest of a longer one is not worth the writing (characters). */
const LONGEST = 200_000;
const NAME = /^draft-(\d+)\.json$/;

/** Takes over the newest draft that nobody holds. With `persist` off there is none, and none is kept. A secret in it is not. */
export function openKeptDraft(host: Host, persist: boolean, redact: Redactor): KeptDraft {
  if (!persist) return { earlier: '', keep: () => undefined };
  const folder = stateFolder(host);
  const own = join(folder, `draft-${host.pid}.json`);
  const earlier = takeNewest(folder, own);
  let kept = earlier;
  return {
    earlier,
    keep(text) {
      const wanted = text.trim() === '' ? '' : text.slice(0, LONGEST);
      if (wanted === kept) return;
      kept = wanted;
      try {
        if (wanted === '') rmSync(own, { force: true });
        else write(folder, own, { text: redact(wanted), savedMs: host.clock.now() });
      } catch {
        // See above.
      }
    },
  };
}

/** Renamed to `own` first: of two programs that start at once only one gets it. */
function takeNewest(folder: string, own: string): string {
  try {
    const abandoned = readdirSync(folder)
      .filter((name) => {
        const pid = Number(NAME.exec(name)?.[1] ?? 0);
        return pid > 1 && !processExists(pid);
      })
      .map((name) => ({ path: join(folder, name), ...read(join(folder, name)) }))
      .sort((a, b) => b.savedMs - a.savedMs);
    const [newest] = abandoned;
    if (newest === undefined) return '';
    moveFileSync(newest.path, own);
    return newest.text;
  } catch {
    return '';
  }
}

interface Saved {
  readonly text: string;
  readonly savedMs: number;
}

/** A file that is no draft holds none. */
function read(path: string): Saved {
  try {
    const value: unknown = JSON.parse(readTextIfPresent(path) ?? '');
    const { text, savedMs } = Object(value);
    if (typeof text === 'string' && typeof savedMs === 'number') return { text, savedMs };
  } catch {
    // Below.
  }
  return { text: '', savedMs: 0 };
}

/** Whole or not at all. The file is named for this process: nobody else writes the one beside it. */
function write(folder: string, path: string, saved: Saved): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const next = `${path}.next`;
  writeFileSync(next, `${JSON.stringify(saved)}\n`, { mode: 0o600 });
  moveFileSync(next, path);
}
