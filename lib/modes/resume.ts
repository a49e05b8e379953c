/** `buddy-tui resume`: a dashboard that goes on in an earlier session. */

import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { foreignWords } from '../runtime/sessions/session-keeper.js';
import { lastSession, sessionRefusal } from '../runtime/sessions/session-list.js';
import { dashboard } from './dashboard.js';
import { openSessionPlace } from './session-place.js';

export interface ResumeRequest {
  readonly options: Options;
  /** An id, `last`, or '' for a list to choose from. */
  readonly session: string;
}

/** Resolves with the exit code of the dashboard. Throws `usage.session`, before the screen is taken, for what cannot be opened. */
export async function resume(host: Host, { options, session }: ResumeRequest): Promise<number> {
  // What is only looked at needs no redactor.
  const { place } = openSessionPlace(host, (text) => text);
  const hint = 'Begin a new one with "buddy-tui".';
  if (session === 'last') {
    const { session: found, foreign } = lastSession(place, null);
    const others = foreign === 0 ? '' : ` ${foreignWords(foreign)}`;
    if (found === null) throw new BuddyError('usage.session', `there is no earlier session of yours in this folder.${others}`, { hint });
  } else if (session !== '') {
    const refusal = sessionRefusal(place, session);
    if (refusal !== null) throw new BuddyError('usage.session', refusal, { hint: 'List them with "buddy-tui resume".' });
  }
  return dashboard(host, options, session === '' ? 'choose' : { session });
}
