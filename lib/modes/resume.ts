/** `buddy-tui resume`: a dashboard that goes on in an earlier session. */

import { resolve } from 'node:path';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { configOf } from './assembly-config.js';
import { checkImport, checkSession } from './checked-session.js';
import { dashboard } from './dashboard.js';

export interface ResumeRequest {
  readonly options: Options;
  /** An id, `last`, or '' for a list to choose from. */
  readonly session: string;
  /** A file to make a session of instead; null: none. */
  readonly file: string | null;
}

/** Resolves with the exit code of the dashboard. Throws `usage.session`, before the screen is taken, for what cannot be opened or imported. */
export async function resume(host: Host, { options, session, file }: ResumeRequest): Promise<number> {
  checkSession(host, await configOf(host, options), session);
  if (file !== null) {
    const path = resolve(host.cwd, file);
    checkImport(path);
    return dashboard(host, options, { file: path });
  }
  return dashboard(host, options, session === '' ? 'choose' : { session });
}
