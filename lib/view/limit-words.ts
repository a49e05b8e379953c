/** How the limits stand, in lines. */

import type { RuntimeEvent } from '../protocol/events.js';
import { type LimitStatus, limitRows, limitText } from '../protocol/limits.js';

/** One line for each: name, value, what it limits, what is used of it, and where it is set. */
export function limitLines({ limits }: Extract<RuntimeEvent, { type: 'limits.told' }>): readonly string[] {
  const names = Math.max(...limits.map(({ limit }) => limit.length));
  const values = Math.max(...limits.map(({ limit, value }) => limitText(limit, value).length));
  return limits.map((status) => {
    const { limit, value } = status;
    const { says, setting } = limitRows[limit];
    return `${limit.padEnd(names)}  ${limitText(limit, value).padEnd(values)}  ${says}${usedWords(status)}  ${setting}${otherwise(status)}`;
  });
}

function usedWords({ limit, used }: LimitStatus): string {
  if (used === null) return '';
  return `; used: ${limit === 'cost' ? `$${used.toFixed(used > 0 && used < 0.01 ? 4 : 2)}` : used}`;
}

/** What the settings say, where this session has another one. */
function otherwise({ limit, value, configured }: LimitStatus): string {
  return value === configured ? '' : ` = ${configured === 0 && limitRows[limit].mayBeNone ? 'off' : configured}; this session only`;
}
