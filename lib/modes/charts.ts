/** Loads what draws charts, as what the dashboard is told then. */

import { messageOf } from '../base/errors.js';
import type { Action } from '../view/reducer.js';

/** The charts; or why there are none, in a sentence. */
export async function loadedCharts(): Promise<Action> {
  try {
    const { loadCharts } = await import('../tui/charts.js');
    return { type: 'charts', draw: loadCharts(), trouble: null };
  } catch (thrown) {
    return { type: 'charts', draw: null, trouble: `Charts cannot be drawn: ${messageOf(thrown).split('\n')[0]}` };
  }
}
