/** Effects that are done without the terminal, and answered by actions. */

import type { Host } from '../base/host.js';
import type { LoadedConfig } from '../config/load.js';
import type { Effect } from '../view/effects.js';
import type { Action } from '../view/reducer.js';
import type { State } from '../view/state.js';

/** Those effects. */
export type AnsweredEffect = Extract<Effect, { readonly type: 'logout' | 'charts' | 'trust' }>;

/** Does what is asked; what it needs is loaded only now. Never rejects. */
export async function answered(effect: AnsweredEffect, host: Host, config: LoadedConfig, state: State): Promise<readonly Action[]> {
  switch (effect.type) {
    case 'logout':
      return [{ type: 'notice', ...(await (await import('./logout.js')).logoutHere(host, config, effect.provider)) }];
    case 'charts':
      return [await (await import('./charts.js')).loadedCharts()];
    case 'trust':
      return (await import('./trust-here.js')).trustHere(host, config, state.project.listing, effect.answer);
  }
}
