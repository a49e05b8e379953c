/** The table of what can stand behind an `@`: a line for each kind, the first that fits a word counts. */

import type { Tool } from '../../tools/tool.js';
import { picturesOf } from '../pictures.js';
import type { RuntimeOptions } from '../runtime-options.js';
import { FileSource } from './file-source.js';
import { listingOf } from './listing.js';
import type { MentionSource } from './mention-source.js';
import { LastOutput, paneSource } from './terminal-sources.js';

/** What a runtime has besides its options. */
export interface MentionContext {
  /** The person has the keyboard of the shared pane. */
  isTaken(): boolean;
  tools(): readonly Tool[];
}

/** The rows, and the one of them that has to be told of every event. */
export function mentionSources(
  options: Pick<RuntimeOptions, 'target' | 'review' | 'clock' | 'pictures' | 'mentions'>,
  { isTaken, tools }: MentionContext,
): { readonly sources: readonly MentionSource[]; readonly last: LastOutput } {
  const { target, review, clock, mentions = [] } = options;
  const last = new LastOutput();
  const judged = async () => {
    const { judgeShell } = await import('../../policy/shell/judge.js');
    return (command: string) => judgeShell(command, { denylist: review.denylist, mode: 'all', shell: target.summary.shell });
  };
  const files = new FileSource({
    target,
    pictures: picturesOf(options),
    judge: async (command) => (await judged())(command),
    listing: async (path, signal) => listingOf(path, tools(), { clock, target, review, judge: await judged() }, signal),
  });
  return { sources: [paneSource(target, isTaken), last, ...mentions, files], last };
}
