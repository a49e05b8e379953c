/** The table of faults: one line for each file. A row is `{ name, says, run(stage) }`; `run` answers what is wrong, in sentences. */
import { faults as answers } from './answers.mjs';
import { faults as commands } from './commands.mjs';
import { faults as disk } from './disk.mjs';
import { faults as kill } from './kill.mjs';
import { faults as signals } from './signals.mjs';
import { faults as tmux } from './tmux.mjs';

export const faults = [...kill, ...tmux, ...answers, ...disk, ...signals, ...commands];
