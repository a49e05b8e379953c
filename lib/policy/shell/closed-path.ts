/** Which files are left out where many are read at once: judged by the path alone, fast enough for a whole tree. */

import { readRefusal } from '../read-path.js';
import { known } from './argument.js';
import { isDisk, isSecret, isTerminal } from './paths.js';

/** Is `path` (absolute, links followed) one that a person is asked about when it is read alone, or that is never read? */
export function isClosed(path: string): boolean {
  const named = known(path);
  return readRefusal(path) !== null || isSecret(named) || isTerminal(named) || isDisk(named);
}
