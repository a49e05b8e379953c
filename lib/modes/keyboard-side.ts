/**
 * What input and slash commands mean to the dashboard. A file of its own because the first picture does without it: it is loaded as soon as
 * that one is on the screen.
 */

export { slashCommands, slashStep } from '../commands/index.js';
export { handleInput, settle } from '../view/app.js';
