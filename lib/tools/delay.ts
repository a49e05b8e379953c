/** The `delay` argument of the tools that look at a terminal or type into it. */

import { parseDuration } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import { fault } from './arguments.js';

const LONGEST_MS = 60_000;

/** Milliseconds, 0 when left out: a number is seconds, a text a duration. Throws `tool.arguments`. */
export function delayMs(args: Readonly<Record<string, unknown>>): number {
  const value = args['delay'];
  if (value === undefined || value === null || value === 0 || value === '0') return 0;
  const ms = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? milliseconds(value) : Number.NaN;
  if (ms >= 0 && ms <= LONGEST_MS) return ms;
  throw fault(`"delay" must be a number of seconds or a time such as "500ms", at most ${LONGEST_MS / 1000} s`);
}

function milliseconds(text: string): number {
  try {
    return parseDuration(text);
  } catch (thrown) {
    if (thrown instanceof BuddyError) return Number.NaN;
    throw thrown;
  }
}
