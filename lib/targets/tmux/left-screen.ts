/**
 * The alternate screen that a killed program left on. The shell is back at its prompt and knows nothing of it: for the wheel tmux presses
 * cursor keys there, and what is printed never scrolls back.
 */

import type { Place } from '../places/place.js';
import type { PaneStatus } from './pane-status.js';
import type { ShellPane } from './shell-pane.js';

/** Does the alternate screen show our shell's own prompt (`own`: its program), with nothing behind it? A finder that was started there prints. */
export function isScreenLeft(status: PaneStatus, shell: ShellPane, own: string): boolean {
  return (
    status.alternateScreen &&
    !status.dead &&
    !status.copyMode &&
    status.program === own &&
    shell.phase === 'prompt' &&
    shell.halfTyped() === ''
  );
}

/**
 * To the terminal as its program would have: the normal screen (1049), a cursor that shows, no application keys. Then two sizes, at
 * which a line editor draws its prompt again, this time on that screen. `$1` the terminal, `$2` its columns, which it has again
 * whatever happens in between.
 */
const SCRIPT = `trap '' TERM HUP INT; printf '\\033[?1049l\\033[?25h\\033[?1l\\033>\\033[m' >"$1" && stty cols "$(($2 - 1))" <"$1"; sleep 0.1; stty cols "$2" <"$1"`;

/** Gives the normal screen back. Never rejects: at worst it stays as it is. */
export async function leaveScreen(place: Place, { tty, cols }: PaneStatus, signal: AbortSignal): Promise<void> {
  if (!tty.startsWith('/dev/') || cols < 2) return;
  await place.run(['sh', '-c', SCRIPT, 'sh', tty, String(cols)], signal).catch(() => undefined);
}
