/** Instructions that lie where commands run: on another host, or in a container. Asked for once, and strangers' words. */

import { isUtf8 } from 'node:buffer';
import { dirname, join } from 'node:path';
import { isAbort } from '../base/errors.js';
import { wholeCharacters } from '../base/whole-characters.js';
import type { ExecutionTarget } from '../targets/target.js';
import { contextNames } from './context-names.js';
import { type InstructionFile, LARGEST_FILE } from './instructions.js';

/** So many folders upward are looked into: each look is a way through the network. */
const MOST_FOLDERS = 12;

/**
 * Those from the root down to the folder of the shell, one a folder. What cannot be read is not there; null: the folder
 * is not known yet. Rejects with an AbortError only.
 */
export async function targetInstructions(target: ExecutionTarget, signal: AbortSignal): Promise<readonly InstructionFile[] | null> {
  const { cwd, label } = target.summary;
  if (!cwd.startsWith('/')) return null;
  const folders = foldersUpTo(cwd);
  const found = await Promise.all(folders.map((folder) => firstIn(folder, label, target, signal)));
  return found.filter((file) => file !== null).reverse();
}

/** The nearest first. */
function foldersUpTo(cwd: string): readonly string[] {
  const folders = [cwd];
  for (let at = dirname(cwd), below = cwd; at !== below && folders.length < MOST_FOLDERS; below = at, at = dirname(at)) folders.push(at);
  return folders;
}

async function firstIn(folder: string, label: string, target: ExecutionTarget, signal: AbortSignal): Promise<InstructionFile | null> {
  for (const name of contextNames) {
    const path = join(folder, name);
    try {
      const { bytes, size } = await target.readFile(path, { offset: 0, limit: LARGEST_FILE }, signal);
      const whole = bytes.length < size ? wholeCharacters(bytes) : bytes;
      if (!isUtf8(whole)) continue;
      const text = Buffer.from(whole)
        .toString('utf8')
        .replace(/^\ufeff/, '');
      return { path: `${label}:${path}`, origin: 'target', text, size };
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
    }
  }
  return null;
}
