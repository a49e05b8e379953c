/** Paths as models and people write them. */

import { isAbsolute, join, normalize } from 'node:path';

/** `path` as an absolute path without `.` and `..`; `~/` is the home folder, anything relative starts at `cwd`. */
export function absolutePath(path: string, cwd: string, homeDir: string): string {
  if (path === '~') return homeDir;
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? normalize(path) : join(cwd, path);
}
