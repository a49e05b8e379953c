/**
 * The table of faults: one line for each file. A row is `{ name, says, run(stage) }`; `run` answers what is wrong, in sentences. `prepare`
 * comes before the program is started, `close` after the round, `impossible` says why it cannot be here, `isAlone` starts by itself.
 */
import { faults as answers } from './answers.mjs';
import { faults as clock } from './clock.mjs';
import { faults as commands } from './commands.mjs';
import { faults as disk } from './disk.mjs';
import { faults as elsewhere } from './elsewhere.mjs';
import { faults as files } from './files.mjs';
import { faults as instances } from './instances.mjs';
import { faults as kill } from './kill.mjs';
import { faults as limits } from './limits.mjs';
import { faults as names } from './names.mjs';
import { faults as signals } from './signals.mjs';
import { faults as tmux } from './tmux.mjs';

export const faults = [
  ...kill,
  ...tmux,
  ...elsewhere,
  ...names,
  ...answers,
  ...disk,
  ...clock,
  ...signals,
  ...commands,
  ...files,
  ...instances,
  ...limits,
];
