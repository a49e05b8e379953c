/** The judge of commands as tools are given it. */

import { judgeShell } from '../../lib/policy/shell/judge.js';
import { defaultDenylist } from '../../lib/policy/shell-command.js';

/** For bash, where the policy allows everything else. */
export const judge = (command: string) => judgeShell(command, { denylist: defaultDenylist, mode: 'all' });
