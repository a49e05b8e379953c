/** `/tree`, `/label`: the session as a tree, and words to find a place in it by. */

import { type SlashCommand, sends } from './command.js';

/** Shows the tree, or goes on from the entry with that id. */
export const treeCommand: SlashCommand = {
  name: 'tree',
  aliases: [],
  args: '[id]',
  says: 'look over the whole session as a tree and go on from any place in it',
  whileBusy: false,
  run: (args) => sends(args === '' ? { type: 'tree.tell' } : { type: 'tree.go', entry: args }),
};

/** Labels the last entry of the conversation. */
export const labelCommand: SlashCommand = {
  name: 'label',
  aliases: [],
  args: '[words]',
  says: 'label this place, to find it in /tree and /session; without words: take the label away',
  whileBusy: true,
  run: (args) => sends({ type: 'tree.label', entry: null, label: args }),
};
