/** What stands in a folder, by the tool that the model has for it: the same rules hold, and the same limits. */

import type { Clock } from '../../base/clock.js';
import type { Judgement } from '../../policy/shell/judgement.js';
import type { ExecutionTarget } from '../../targets/target.js';
import type { ReviewContext, Tool } from '../../tools/tool.js';

/** What the tool is run with. */
export interface ListingContext {
  readonly clock: Clock;
  readonly target: ExecutionTarget;
  readonly review: Omit<ReviewContext, 'target' | 'judge'>;
  judge(command: string): Judgement;
}

/** The list, or null when there is no such tool, or it would have to ask. Rejects as the tool does. */
export async function listingOf(
  path: string,
  tools: readonly Tool[],
  context: ListingContext,
  signal: AbortSignal,
): Promise<string | null> {
  const tool = tools.find(({ name }) => name === 'ls');
  if (tool === undefined) return null;
  const { clock, target, review, judge } = context;
  const reviewing: ReviewContext = { ...review, target, judge };
  const given = tool.parse({ path, why: 'the user named the folder' });
  const args = tool.prepare === undefined ? given : await tool.prepare(given, reviewing, signal);
  if (tool.review(args, reviewing).kind !== 'allow') return null;
  const result = await tool.run(args, {
    ...{ signal, clock, target, judge, denylist: review.denylist, web: review.web, caution: 'policy' },
    report: () => undefined,
    background: () => {
      throw new Error('a listing does not go on by itself');
    },
  });
  return result.isError ? null : result.text;
}
