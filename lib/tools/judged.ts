/** What a tool says of a command that was judged. */

import type { Judgement } from '../policy/shell/judgement.js';
import type { ComputedRisk } from '../protocol/approvals.js';

/** Why it is refused, or null. */
export function refusalIn({ decision, reasons }: Judgement): string | null {
  return decision === 'deny' ? (reasons[0] ?? 'the command is refused') : null;
}

/** Why only a person could say yes if that program were given that path: what a command may not do unasked, a tool may not either. */
export function doubtsOfPath(program: 'cat' | 'tee', path: string, judge: (command: string) => Judgement): readonly string[] {
  const { caution, reasons } = judge(`${program} -- ${path.startsWith('~/') ? `~/${shellQuoted(path.slice(2))}` : shellQuoted(path)}`);
  return caution === 'user' ? reasons : [];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What people are shown of it. */
export function computedFrom({ risk, mutation, privesc, network, reasons }: Judgement): ComputedRisk {
  return { risk, mutation, privesc, network, reasons };
}
