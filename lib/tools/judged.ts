/** What a tool says of a command that was judged. */

import type { Judgement } from '../policy/shell/judgement.js';
import type { ComputedRisk } from '../protocol/approvals.js';

/** Why it is refused, or null. */
export function refusalIn({ decision, reasons }: Judgement): string | null {
  return decision === 'deny' ? (reasons[0] ?? 'the command is refused') : null;
}

/** What people are shown of it. */
export function computedFrom({ risk, mutation, privesc, network, reasons }: Judgement): ComputedRisk {
  return { risk, mutation, privesc, network, reasons };
}
