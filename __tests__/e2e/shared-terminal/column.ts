/** One column of the matrix: the scenarios of a shell on a ground. */

import { Cell, type Scenario } from './cell.js';
import type { Ground, GroundTarget, ShellName } from './ground.js';

/** The cells of one shell share a target as long as all goes well. */
export class Column {
  readonly #ground: Ground;
  readonly #shell: ShellName;
  #shared: GroundTarget | null = null;

  constructor(ground: Ground, shell: ShellName) {
    this.#ground = ground;
    this.#shell = shell;
  }

  async play(scenario: Scenario): Promise<void> {
    let right = false;
    const files = scenario.files?.[this.#shell] ?? scenario.files?.other;
    let opened = files === undefined ? this.#shared : null;
    try {
      opened ??= await this.#ground.open(this.#shell, files ?? {});
      if (files === undefined) this.#shared = opened;
      const cell = new Cell(this.#shell, opened);
      await scenario.play(cell);
      await cell.gives('cd; echo alive', 0, 'alive\n');
      right = true;
    } finally {
      // What was opened by the way does not stay: its polls would take the time of the others.
      const over = files !== undefined || scenario.spoils === true || !right;
      if (over && files === undefined) this.#shared = null;
      if (over && opened !== null) await this.#ground.end(opened);
    }
  }
}
