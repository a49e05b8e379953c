/** How a front end begins that is to go on in an earlier session. */

import type { Options } from '../cli-options.js';
import type { RuntimeCommand } from '../protocol/commands.js';

/** An earlier session, `last` for the newest; a file to import; or a list of sessions to choose from. */
export type Resume = { readonly session: string } | { readonly file: string } | 'choose';

/** What is asked of the runtime before anything else. A model that was named stands above the session's own. */
export function firstCommands(resume: Resume | null, { model }: Options): readonly RuntimeCommand[] {
  if (resume === null) return [];
  if (resume === 'choose') return [{ type: 'session.list' }];
  if ('file' in resume) return [{ type: 'session.import', path: resume.file }];
  return [{ type: 'session.resume', session: resume.session, keepModel: model !== undefined }];
}
