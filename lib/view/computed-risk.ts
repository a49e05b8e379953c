/** What the program makes of a command, in words; beside it what the model says, and which of the two is the stricter. */

import type { ComputedRisk, ModelClaim } from '../protocol/approvals.js';

const ranks = { low: 0, medium: 1, high: 2 } as const;

/** `high, mutates, sudo, network`: the risk first, then what there is of the rest. */
export function computedWords({ risk, mutation, privesc, network }: ComputedRisk): readonly string[] {
  const more = [mutation ? 'mutates' : 'changes nothing', ...(privesc ? ['sudo'] : []), ...(network ? ['network'] : [])];
  return [risk, ...more];
}

/** Whose risk counts: that of the stricter one, or of both when they are alike. */
export function stricter(computed: ComputedRisk | undefined, claim: ModelClaim | null): 'computed' | 'claim' | 'both' {
  if (computed === undefined || claim === null) return computed === undefined ? 'claim' : 'computed';
  const more = ranks[computed.risk] - ranks[claim.risk];
  return more === 0 ? 'both' : more > 0 ? 'computed' : 'claim';
}
