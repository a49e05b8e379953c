/** Every tool there is. */

import * as table from './index.js';
import type { Tool } from './tool.js';

/** By name: the order in which models are shown them is the same in each run. */
export const tools: readonly Tool[] = Object.values<Tool>(table).sort((one, other) => (one.name < other.name ? -1 : 1));
