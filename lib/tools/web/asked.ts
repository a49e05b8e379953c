/** What a question about the web says besides the address or the query. */

import type { ComputedRisk } from '../../protocol/approvals.js';
import type { ExecutionTarget } from '../../targets/target.js';

/** It goes out from here, though everything else that is asked about happens on the target. */
export function byWhom({ summary }: ExecutionTarget): string {
  return summary.kind === 'local' ? '' : `, from this machine and not from ${summary.label}`;
}

/** Reading changes nothing here; `reasons` are why it is asked about all the same. */
export function networkRisk(reasons: readonly string[]): ComputedRisk {
  return { risk: reasons.length > 0 ? 'high' : 'low', mutation: false, privesc: false, network: true, reasons };
}
