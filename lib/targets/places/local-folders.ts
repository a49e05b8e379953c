/** Private folders in /tmp: each names the process it belongs to, so that one left behind by a crash is found. */

import { dirname } from 'node:path';
import { mkdirSync, mkdtempSync, readdir, readTextIfPresent, rm, stat, systemCode, writeFile, writeFileSync } from '../../base/files.js';
import { processExists } from '../../base/process.js';
import { KEPT_RECORD, keptPids } from '../tmux/kept-record.js';

const PREFIX = 'buddy-';
/** Where they are. */
export const PRIVATE_PLACE = '/tmp';
/** What mkdtemp adds. */
const NAME = /^buddy-\w{6}$/;

/** Can a folder of this name be one of those? */
export function isPrivateFolderName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Makes a 0700 folder that belongs to process `pid`. Both at once: whoever is killed in between leaves a folder that does not say whose it
 * is. Throws the system's error.
 */
export function makePrivateFolder(pid: number): string {
  const folder = mkdtempSync(`${PRIVATE_PLACE}/${PREFIX}`);
  writeFileSync(`${folder}/owner`, `${pid}\n`, { mode: 0o600 });
  return folder;
}

/** Makes such a folder again under its name, when something cleaned /tmp. Throws the system's error, also when there is one. */
export function remakePrivateFolder(folder: string, pid: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // A further pane has its folder inside of the session's.
    if (systemCode(thrown) !== 'ENOENT' || dirname(folder) === PRIVATE_PLACE) throw thrown;
    remakePrivateFolder(dirname(folder), pid);
    mkdirSync(folder, { mode: 0o700 });
  }
  writeFileSync(`${folder}/owner`, `${pid}\n`, { mode: 0o600 });
}

/** Removes such a folder. Never rejects. */
export async function removePrivateFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** Removes the folders of this user whose process is gone and, of a session that was kept, its shells, where they are known. Never rejects. */
export async function dropAbandonedFolders(): Promise<void> {
  const names = await readdir(PRIVATE_PLACE).catch((): string[] => []);
  for (const name of names.filter(isPrivateFolderName)) {
    const folder = `${PRIVATE_PLACE}/${name}`;
    try {
      const owner = Number(readTextIfPresent(`${folder}/owner`) ?? '');
      const kept = keptPids(readTextIfPresent(`${folder}/${KEPT_RECORD}`));
      if (kept !== null && (kept.length === 0 || kept.some(processExists))) continue;
      if (owner > 1 && !processExists(owner) && ((await stat(folder)).mode & 0o777) === 0o700) await removePrivateFolder(folder);
    } catch {
      // Another user's: none of our business.
    }
  }
}

/** Writes a file of such a folder, 0600 from the first byte. Throws the system's error. */
export function writePrivateFile(path: string, text: string): Promise<void> {
  return writeFile(path, text, { mode: 0o600 });
}
