/** Scenarios × grounds for one shell: exit code and cleaned output of each cell are exact. */

import { Column } from './column.js';
import { containerGround } from './container-ground.js';
import type { Ground, ShellName } from './ground.js';
import { localGround } from './local-ground.js';
import { scenarios } from './scenarios/index.js';
import { sshGround } from './ssh-ground.js';

/** Milliseconds that a cell may take on a loaded machine; each wait inside has its own limit. */
const PATIENCE = 60_000;

const grounds: readonly (() => Ground)[] = [localGround, sshGround, containerGround];

/** Declares the tests; a title says the ground, the shell and the scenario. */
export function playAll(shell: ShellName): void {
  for (const open of grounds) {
    const ground = open();
    describe(ground.name, () => {
      describe(shell, () => {
        const column = new Column(ground, shell);
        afterAll(() => ground.close(), PATIENCE);
        for (const scenario of scenarios) {
          if (scenario.only !== undefined && scenario.only !== shell) continue;
          const reason = scenario.not?.[shell];
          if (reason === undefined) test(scenario.name, () => column.play(scenario), scenario.patience ?? PATIENCE);
          else test.skip(`${scenario.name}: ${reason}`, () => undefined);
        }
      });
    });
  }
}
