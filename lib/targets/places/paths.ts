/** Paths as models and people write them. */

import { isAbsolute, join } from 'node:path';

/** `path` as an absolute path; `~/` is the home folder, anything relative starts at `cwd`. */
export function absolutePath(path: string, cwd: string, homeDir: string): string {
  if (path === '~') return homeDir;
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? path : join(cwd, path);
}
