/** Scenarios × shells × grounds, one line for each cell: exit code and cleaned output are exact. */

import { Column } from './column.js';
import { type Ground, localGround, shellNames } from './ground.js';
import { scenarios } from './scenarios/index.js';

const grounds: readonly Ground[] = [localGround()];

describe.each(grounds)('$name', (ground) => {
  describe.each(shellNames)('%s', (shell) => {
    const column = new Column(ground, shell);
    afterAll(() => ground.close());
    for (const scenario of scenarios) {
      if (scenario.not?.[shell] === undefined) test(scenario.name, () => column.play(scenario), scenario.patience ?? 20_000);
    }
  });
});
