/** The real `tmux attach` on this terminal. */

import type { Host } from '../base/host.js';
import { runOnTerminal } from '../base/process.js';
import { shellWords } from '../base/shell-words.js';

/**
 * Runs an attach line, word by word and without a shell, until the person detaches. Inside of somebody's tmux it would refuse: TMUX is
 * taken out of its environment. Answers what went wrong in words, or null.
 */
export async function attachHere(host: Host, line: string): Promise<string | null> {
  const [program, ...args] = shellWords(line);
  if (program === undefined) return 'there is no attach line';
  const { TMUX: _server, TMUX_PANE: _pane, ...env } = host.env;
  try {
    const code = await runOnTerminal(program, args, { env });
    return code === 0 ? null : `"${line}" ended with ${code === null ? 'a signal' : `exit code ${code}`}`;
  } catch (thrown) {
    return `"${line}" could not be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
