/** Where a path of a model leads on the target. */

import { posix } from 'node:path';
import { isAbort } from '../base/errors.js';
import type { ExecutionTarget } from '../targets/target.js';

/** Links followed; a path that cannot be followed as it stands: whoever opens it will say what is wrong. Rejects with an AbortError. */
export async function landingOf(target: ExecutionTarget, path: string, signal: AbortSignal): Promise<string> {
  try {
    return await target.realPath(path, signal);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return absolute(path, target.summary.cwd, target.homeDir);
  }
}

/** As the targets take it. */
export function absolute(path: string, cwd: string, homeDir: string): string {
  if (path === '~' || path.startsWith('~/')) return posix.normalize(`${homeDir}${path.slice(1)}`);
  return posix.resolve(cwd, path);
}
