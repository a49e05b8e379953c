/** `buddy-tui resume`: a dashboard that goes on in an earlier session. */

import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { configOf } from './assembly-config.js';
import { checkSession } from './checked-session.js';
import { dashboard } from './dashboard.js';

export interface ResumeRequest {
  readonly options: Options;
  /** An id, `last`, or '' for a list to choose from. */
  readonly session: string;
}

/** Resolves with the exit code of the dashboard. Throws `usage.session`, before the screen is taken, for what cannot be opened. */
export async function resume(host: Host, { options, session }: ResumeRequest): Promise<number> {
  checkSession(host, await configOf(host, options), session);
  return dashboard(host, options, session === '' ? 'choose' : { session });
}
