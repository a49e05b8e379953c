/** The rows of the matrix. */

import type { Scenario } from '../cell.js';
import { delivery } from './delivery.js';
import { endings } from './endings.js';
import { interaction } from './interaction.js';
import { output } from './output.js';
import { prompts } from './prompts.js';
import { state } from './state.js';

export const scenarios: readonly Scenario[] = [...delivery, ...output, ...state, ...interaction, ...prompts, ...endings];
