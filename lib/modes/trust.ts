/** trust: shows what a folder would change here, and keeps what the person says to it. */

import { resolve } from 'node:path';
import { BuddyError, exitCodes } from '../base/errors.js';
import { stat } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import type { ProjectListing } from '../protocol/project.js';
import { projectAnswers, projectWords } from '../view/project.js';
import { configOf } from './assembly-config.js';
import { answerProject, listProject } from './project.js';
import { Questions, untilStopped } from './questions.js';
import { readTrust } from './trust-store.js';

/** What `trust` is asked. */
export interface TrustRequest {
  readonly options: Options;
  /** '' for the working folder. */
  readonly folder: string;
  /** Only show it. */
  readonly show: boolean;
  /** Take an earlier word back. */
  readonly revoke: boolean;
}

/**
 * Resolves with the exit code; of `show` 1 when files of the folder are ignored. Throws BuddyError `usage.trust` for what is no folder and
 * where nobody can be asked, and as the configuration and the trust store do.
 */
export async function trust(host: Host, request: TrustRequest): Promise<number> {
  const { config: named, ...rest } = request.options;
  const options = named === undefined ? rest : { ...rest, config: resolve(host.cwd, named) };
  host.stdout.on('error', () => undefined);
  return untilStopped(host, async (signal) => {
    const questions = new Questions(host);
    const folder = resolve(host.cwd, request.folder);
    if (!(await isFolder(folder))) throw new BuddyError('usage.trust', `${folder} is no folder`);
    const config = await configOf({ ...host, cwd: folder }, options);
    const { problem } = readTrust(host);
    if (problem !== null) questions.say(`Warning: ${problem}`);
    const listing = await listProject(host, folder, config, signal);
    if (request.revoke) {
      await answerProject(host, listing, 'revoke', config, signal);
      questions.say(`What you said of ${listing.folder} is forgotten.`);
      return exitCodes.ok;
    }
    for (const line of projectWords(listing)) questions.say(line);
    if (request.show) return isIgnored(listing) ? exitCodes.failed : exitCodes.ok;
    if (!questions.canAsk) {
      throw new BuddyError('usage.trust', 'nobody can be asked here: a folder is trusted at a terminal only', {
        hint: '"buddy-tui trust --show" shows this and asks nothing.',
      });
    }
    const answers = projectAnswers(listing);
    const chosen = await questions.choice(
      'What shall hold?',
      answers.map(([, says]) => says),
      0,
      signal,
    );
    const [answer] = answers[chosen] ?? ['leave'];
    if (answer === 'leave') return exitCodes.ok;
    if (await answerProject(host, listing, answer, config, signal)) return exitCodes.ok;
    questions.say('The files have changed meanwhile, so nothing is trusted.');
    return exitCodes.failed;
  });
}

function isIgnored({ trust, files }: ProjectListing): boolean {
  return trust !== 'trusted' && files.length > 0;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
