/** Effects that are done without the terminal, and answered by actions. */

import type { Effect } from '../view/effects.js';
import type { Action } from '../view/reducer.js';
import type { State } from '../view/state.js';
import type { LiveChange } from './live-settings.js';
import type { Started } from './own-settings.js';

/** Those effects. */
export type AnsweredEffect = Extract<Effect, { readonly type: 'logout' | 'charts' | 'trust' | 'settings' }>;

/** Whose effects they are. */
export interface Asker extends Started {
  state(): State;
  dispatch(action: Action): void;
  carryOut(effect: Effect): void;
}

/** Does them one after the other: each answers for what the one before has left. */
export class Answers {
  readonly #asker: Asker;
  readonly #leaving = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** It comes back as actions; resolves when they have been told. Never rejects. */
  answer(effect: AnsweredEffect): Promise<void> {
    this.#last = this.#last.then(async () => {
      const { actions, effects } = await answered(effect, this.#asker, this.#asker.state(), this.#leaving.signal);
      if (this.#leaving.signal.aborted) return;
      for (const action of actions) this.#asker.dispatch(action);
      for (const next of effects) this.#asker.carryOut(next);
    });
    return this.#last;
  }

  /** The program is left: what is being done ends. */
  close(): void {
    this.#leaving.abort();
  }
}

/** What it needs is loaded only now. Never rejects. */
async function answered(effect: AnsweredEffect, started: Started, state: State, signal: AbortSignal): Promise<LiveChange> {
  const { host, config } = started;
  const only = (...actions: readonly Action[]): LiveChange => ({ actions, effects: [] });
  switch (effect.type) {
    case 'logout':
      return only({ type: 'notice', ...(await (await import('./logout.js')).logoutHere(host, config, effect.provider)) });
    case 'charts':
      return only(await (await import('./charts.js')).loadedCharts());
    case 'trust':
      return only(...(await (await import('./trust-here.js')).trustHere({ host, config }, state.project.listing, effect.answer, signal)));
    case 'settings':
      return (await import('./settings-here.js')).settingsHere(started, state, effect.ask, signal);
  }
}
