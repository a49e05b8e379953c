/**
 * The rows of the matrix, and which cases of the reference list of real-world failures they are about:
 *
 * | case | scenarios                                                                                                    |
 * | ---- | ------------------------------------------------------------------------------------------------------------ |
 * | E1   | 1, 5, 20, 100 and 300 kB in one line, 300 lines                                                              |
 * | E2   | several lines, tabs as indentation, a line continued                                                         |
 * | E3   | copy mode                                                                                                    |
 * | E4   | a slow start, a start that reads, a slow prompt, a line that a person types ahead                            |
 * | E5   | every cell: a private server; the tmux server is killed                                                      |
 * | E6   | opening.test.ts                                                                                              |
 * | E8   | windows in another order                                                                                     |
 * | E10  | every cell on the ground ssh                                                                                 |
 * | E12  | 50 MiB of short lines                                                                                        |
 * | E13  | nothing is passed through to the outer terminal: untrusted-bytes.test.ts                                     |
 * | E14  | the tmux server is killed                                                                                    |
 * | F1   | the here-documents, a comment at the end, a failure before a comment, an open quote or block, a backslash    |
 * | F2   | set -e, set -euo pipefail, exit, exit with a job, exec, exec of another shell, kill -9 of the shell itself   |
 * | F3   | an unfinished line of a person, half a line at the prompt                                                    |
 * | F4   | prompts.ts: two lines, right, transient, starship, slow, before the start is over, our marks in it           |
 * | F5   | git log without and with a pager, a pager, git commit with an editor, a full-screen editor                   |
 * | F6   | sudo, su, ssh about a host key and for a passphrase, a password prompt, read -s                              |
 * | F7   | clear, a reset, the scrollback erased or cleared by tmux                                                     |
 * | F8   | every byte of the pane played back, a mark with another nonce                                                |
 * | F9   | set -u, an unset variable under set -u, set -u and a PROMPT_COMMAND, an ERR trap                             |
 * | F10  | every exit code, children that are killed, terminated or crash, the failing pipeline and subshell, $?        |
 * | F12  | the history holds what a person typed and nothing of ours                                                    |
 * | F13  | cancelled, cancelled with a child in the background, a background command that does not want to stop         |
 * | G1   | 200 000 lines, a line of 5 MB, 50 MiB of short lines                                                         |
 * | G2   | a progress display, a spinner, rows that are rewritten                                                       |
 * | G3   | binary, a whole program, a control string left open, line drawing left on                                    |
 * | G5   | 50 MiB of short lines, a line of 5 MB                                                                        |
 * | G7   | colours, the colours of ls, concealed text                                                                   |
 * | H1   | every cell of fish                                                                                           |
 * | H2   | every cell of dash and ash                                                                                   |
 * | H4   | every cell of zsh: a pattern that matches nothing, a comment at the end, history expansion                   |
 * | H5   | no cell: bash 3.2 is not to be had here                                                                      |
 */

import type { Scenario } from '../cell.js';
import { delivery } from './delivery.js';
import { endings } from './endings.js';
import { keys } from './keys.js';
import { output } from './output.js';
import { programs } from './programs.js';
import { prompts } from './prompts.js';
import { state } from './state.js';

export const scenarios: readonly Scenario[] = [...delivery, ...output, ...state, ...programs, ...keys, ...prompts, ...endings];
