/** When the person may have the keyboard of the mirrored pane, and what becomes of it by itself. */

import type { RuntimeEvent } from '../protocol/events.js';
import type { PaneCommand } from '../protocol/panes.js';
import { screenLayout } from './screen.js';
import type { State } from './state.js';

/** Why the pane cannot be taken over; null when it can. */
export function noTakeoverReason(state: State): string | null {
  const { pane, target } = state;
  if (target?.via === 'direct') return 'commands run without a pane here';
  if (pane === null || pane.closed) return 'there is no pane';
  if (pane.state.kind === 'dead') return 'the shell of the pane has ended; the next command starts a new one';
  return null;
}

/** Is the pane that was taken over out of sight? Nobody types blindly. */
export function isTypingBlindly(state: State): boolean {
  if (state.takeover === null || state.takeover.lost) return false;
  return screenLayout(state).kind === 'small' || screenLayout(state).panes.mirror === null;
}

/** The state after an event that may take the pane away from under the keyboard: only the person's own key brings the draft back. */
export function takeoverAfter(state: State, event: RuntimeEvent): State {
  const { takeover } = state;
  if (takeover === null) return state;
  if (event.type === 'lifecycle.stopping') return { ...state, takeover: null };
  const lost =
    ((event.type === 'pane.closed' || event.type === 'pane.returned') && event.pane === takeover.pane) ||
    (event.type === 'command.refused' && event.command === 'pane.takeover');
  return lost && !takeover.lost ? { ...state, takeover: { ...takeover, lost } } : state;
}

/** `cd /tmp; false · exit 1 · /tmp`. */
export function commandLine({ text, exitCode, cwd }: PaneCommand): string {
  return [text, exitCode === null ? 'exit ?' : `exit ${exitCode}`, ...(cwd === '' ? [] : [cwd])].join(' · ');
}

/** What the person is told when the keyboard is the agent's again. */
export function handBackText(commands: readonly PaneCommand[]): string {
  if (commands.length === 0) return 'The agent has the keyboard again. You ran no command.';
  return ['The agent has the keyboard again, and is told that you ran:', ...commands.map((command) => `  ${commandLine(command)}`)].join(
    '\n',
  );
}
