/**
 * What input and slash commands mean to the dashboard. A file of its own because the first picture does without it: it is loaded as soon as
 * that one is on the screen.
 */

import { builtInCommands } from '../extensions/built-in-commands.js';
import { slashCommandsOf } from '../extensions/extension.js';

export { slashStep } from '../commands/index.js';
export { handleInput, settle } from '../view/app.js';

/** The commands that are functions of the screen, of all that are there from the start. */
export const slashCommands = slashCommandsOf([builtInCommands]);
