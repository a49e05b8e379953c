/** What is built in, as extensions like any other. */

import { tools } from '../tools/all.js';
import type { Extension } from './extension.js';

/** In the order in which they count. */
export const builtInExtensions: readonly Extension[] = [{ name: 'tools', from: 'built in', tools: { list: () => tools } }];
