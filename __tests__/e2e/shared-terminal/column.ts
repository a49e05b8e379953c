/** One column of the matrix: the scenarios of a shell on a ground, a line printed for each. */

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
    const begunMs = performance.now();
    let right = false;
    const files = scenario.files?.[this.#shell] ?? scenario.files?.other;
    try {
      if (files === undefined) this.#shared ??= await this.#ground.open(this.#shell, {});
      const opened = files === undefined ? this.#shared : await this.#ground.open(this.#shell, files);
      if (opened === null) throw new Error('no target');
      const cell = new Cell(this.#shell, opened);
      await scenario.play(cell);
      await cell.gives('echo alive', 0, 'alive\n');
      right = true;
    } finally {
      if (!right || scenario.spoils === true) this.#shared = null;
      const ms = Math.round(performance.now() - begunMs);
      process.stderr.write(
        `${this.#ground.name} ${this.#shell.padEnd(4)} ${right ? 'right' : 'WRONG'} ${String(ms).padStart(6)} ms  ${scenario.name}\n`,
      );
    }
  }
}
