/** The question about the working folder inside of the dashboard. */

import { asBuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { LoadedConfig } from '../config/load.js';
import type { ProjectListing } from '../protocol/project.js';
import { type ProjectAnswer, projectWords } from '../view/project.js';
import type { Action } from '../view/reducer.js';
import { answerProject, listProject } from './project.js';

/** What is told after each answer. What a project says is read when the program starts. */
const told: Readonly<Record<Exclude<ProjectAnswer, 'leave'>, string>> = {
  trust: 'The folder is trusted. Its settings hold from the next start on, and all else of it, too; /reload brings that in now.',
  mute: 'The files of this folder stay ignored, and you hear no more of them. /trust asks again.',
  revoke: 'What you said of this folder is forgotten. What its files changed holds until the program is left.',
};

/** Looks at the folder, or does what was answered to `listing`, until `signal`; the answer is what is to be shown. Never rejects. */
export async function trustHere(
  { host, config }: { readonly host: Host; readonly config: LoadedConfig },
  listing: ProjectListing | null,
  answer: ProjectAnswer | 'look',
  signal: AbortSignal,
): Promise<readonly Action[]> {
  const now = () => listProject(host, host.cwd, config, signal);
  try {
    if (answer === 'look') {
      const found = await now();
      const shown: Action = { type: 'project', project: { folder: found, listing: found } };
      return [{ type: 'notice', level: 'info', text: projectWords(found).join('\n') }, shown, { type: 'picker.open', kind: 'trust' }];
    }
    if (answer === 'leave' || listing === null) return [];
    if (!(await answerProject(host, listing, answer, config, signal))) {
      return [
        { type: 'notice', level: 'warning', text: 'The files have changed meanwhile, so nothing is trusted: look again with /trust.' },
      ];
    }
    return [
      { type: 'project', project: { folder: await now(), listing: null } },
      { type: 'notice', level: 'info', text: told[answer] },
    ];
  } catch (thrown) {
    return [{ type: 'notice', level: 'error', text: asBuddyError(thrown, 'state.write').message }];
  }
}
