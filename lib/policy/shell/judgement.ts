/** What the judge of shell commands says; apart from the judge, who is loaded when the first command is to be judged. */

import type { Caution, ComputedRisk } from '../../protocol/approvals.js';

/** The reasons are those of a refusal, too. */
export interface Judgement extends ComputedRisk {
  readonly decision: 'run' | 'ask' | 'deny';
  readonly caution: Caution;
  /** Why only a person may say yes to it once words of strangers were read: what it sends away, nobody has seen. */
  readonly narrows: readonly string[];
  /** Each command that was found in it, also those inside of others; what only the shell will know is left out of its words. */
  readonly commands: readonly (readonly string[])[];
}
