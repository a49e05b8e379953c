/** Which program a bare name stands for: one of a folder that PATH names in full, never one of the working folder. */

import { join } from 'node:path';
import { statSync } from './files.js';

/** Any of the three bits for execution. */
const RUNNABLE = 0o111;

/**
 * What is started for `file`. A PATH with `.`, an empty entry or another relative folder in it would find what the working folder has, and
 * that may be anybody's; such entries are passed over. Any other PATH is left to the system.
 */
export function programPath(file: string, path: string): string {
  const folders = path.split(':');
  if (file.includes('/') || folders.every((folder) => folder.startsWith('/'))) return file;
  const found = folders.filter((folder) => folder.startsWith('/')).map((folder) => join(folder, file));
  // With a folder before it the system looks nowhere else; it is not there either.
  return found.find(isProgram) ?? join('/', file);
}

function isProgram(path: string): boolean {
  try {
    const about = statSync(path);
    return about.isFile() && (about.mode & RUNNABLE) !== 0;
  } catch {
    return false;
  }
}
