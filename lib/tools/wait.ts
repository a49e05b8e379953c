/** The `wait` argument of run_shell. */

import { parseDuration } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import type { Wait } from '../targets/target.js';
import { fault } from './arguments.js';

/** `true` (or left out): to the end; `false`: not at all; `"10m"` or seconds: so long. Throws `tool.arguments`. */
export function parseWait(value: unknown): Wait {
  if (value === undefined || value === null || value === true || value === 'true') return { kind: 'exit' };
  if (value === false || value === 'false') return { kind: 'none' };
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return { kind: 'for', ms: value * 1000 };
  if (typeof value === 'number' && value === 0) return { kind: 'none' };
  if (typeof value === 'string') {
    try {
      return { kind: 'for', ms: parseDuration(value) };
    } catch (thrown) {
      if (!(thrown instanceof BuddyError)) throw thrown;
    }
  }
  throw fault('"wait" must be true, false, a number of seconds, or a duration such as "30s" or "10m"');
}
