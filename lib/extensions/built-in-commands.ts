/** The slash commands that are built in, as an extension like any other. Apart from the tools: the keyboard side loads it without them. */

import { slashCommands } from '../commands/index.js';
import type { Extension } from './extension.js';

export const builtInCommands: Extension = { name: 'commands', from: 'built in', slashCommands };
