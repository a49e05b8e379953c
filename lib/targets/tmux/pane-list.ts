/** The panes of a session of ours: the shared one, which is always there, and those that were added. */

import type { KeptPane } from './kept-record.js';
import { ManagedPane } from './managed-pane.js';
import type { PaneHome } from './pane-home.js';

export class PaneList {
  readonly #shared: ManagedPane;
  readonly #home: PaneHome;
  #panes: readonly ManagedPane[];
  #folders = 0;

  constructor(shared: ManagedPane, home: PaneHome) {
    this.#shared = shared;
    this.#home = home;
    this.#panes = [shared];
  }

  /** The shared one first. */
  get all(): readonly ManagedPane[] {
    return this.#panes;
  }

  /** All but the shared one. */
  get added(): readonly ManagedPane[] {
    return this.#panes.filter((pane) => pane !== this.#shared);
  }

  /** Does anything run in one of them, as far as is known? */
  get isWorking(): boolean {
    return this.#panes.some(({ shell }) => shell !== null && !['prompt', 'settling', 'dead', 'lost', 'starting'].includes(shell.phase));
  }

  /** The pane that tmux calls `id`; the shared one before tmux has told its id. */
  heard(id: string): ManagedPane | undefined {
    return this.#panes.find((known) => known.id === id) ?? (this.#shared.id === '' ? this.#shared : undefined);
  }

  /** One more, of the size of the shared one; it counts from `add` on. */
  make(title: string): ManagedPane {
    return new ManagedPane(title, this.#shared, this.#home);
  }

  add(pane: ManagedPane): void {
    this.#panes = [...this.#panes, pane];
  }

  /** Nobody waits for it any more. */
  forget(pane: ManagedPane, reason: string): void {
    this.#panes = this.#panes.filter((kept) => kept !== pane);
    pane.lost(reason);
    pane.close(reason);
  }

  /** Path of a private folder inside of `folder` that no pane has had. */
  nextFolder(folder: string): string {
    this.#folders++;
    return `${folder}/${this.#folders}`;
  }

  /** They go on with the shells that an earlier run kept. */
  resume(kept: readonly KeptPane[]): void {
    this.#panes = kept.map((one, at) => {
      const pane = at === 0 ? this.#shared : this.make(one.title);
      pane.resume(one);
      return pane;
    });
    this.#folders = Math.max(0, ...kept.map(({ folder }) => Number(/\/(\d+)$/.exec(folder)?.[1] ?? 0)));
  }

  /** There was nothing to go on with. */
  startAnew(): void {
    for (const pane of this.added) pane.close('it was not there');
    this.#panes = [this.#shared];
    this.#shared.deafen(false);
  }
}
