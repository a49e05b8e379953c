/** What a person wants to keep when the screen is gone. */

import { exitCodes } from '../base/errors.js';
import { type Visible, visible, visibleLine } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import type { State } from '../view/state.js';

/** The last answer when all went well, what is said of a tmux session that was kept, and how to go on in this one; whole lines. */
export function goodbye(code: number, answer: string, kept: readonly Visible[], state: State, options: Options): string {
  const answered = answer === '' || code !== exitCodes.ok ? [] : [visible(answer.trimEnd())];
  return [...answered, ...kept, ...sessionWords(state, options)].map((line) => `${line}\n`).join('');
}

/** How to go on in the session, or why that cannot be; nothing when nothing was said in it. */
export function sessionWords({ session, kept }: State, { ssh, container, direct }: Options): readonly Visible[] {
  const { storage } = kept;
  if (storage === null) return [];
  if (storage.trouble !== null) return [visibleLine(`This session was not saved: ${storage.trouble}.`)];
  const place = ssh !== undefined ? ` --ssh ${ssh}` : container !== undefined ? ` --container ${container}` : direct ? ' --direct' : '';
  return [visibleLine(`Go on in this session:  buddy-tui resume ${session}${place}`, 'exact')];
}
