/** What a person is told when the program has left its tmux session behind. */

import { type Visible, visibleLine } from '../base/visible.js';
import type { TargetSummary } from '../protocol/panes.js';
import { isWorking, keepableSession, runningJobs } from '../view/leaving.js';
import type { State } from '../view/state.js';

/** How to join the session that was kept, to end it, and to go on in it. Asked with the state as it was when the program was left. */
export function keptWords(state: State): readonly Visible[] {
  const { target, pane } = state;
  const name = keepableSession(state);
  if (target?.attach == null || name === null) return [];
  const job = runningJobs(state)[0]?.text.split('\n', 1)[0];
  const program = pane !== null && 'program' in pane.state ? pane.state.program : '';
  const what = isWorking(state) ? `${job ?? (program === '' ? 'what runs' : program)} goes on in it` : 'its shell waits there';
  return [
    `The tmux session ${name} was kept: ${what}.`,
    `  join it      ${target.attach}`,
    `  end it       ${endLine(target, target.attach)}`,
    '  continue     the next start with the same name and target goes on in it',
  ].map((line) => visibleLine(line, 'exact'));
}

/** The same way there, to end the session. `=` means this very name and not one that begins so; zsh would take it for a path. */
function endLine({ kind }: TargetSummary, attach: string): string {
  return attach.replace(/ attach -t (\S+)$/, (_, name: string) => ` kill-session -t ${kind === 'ssh' ? `"'=${name}'"` : `'=${name}'`}`);
}
