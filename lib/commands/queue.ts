/** `/queue`: the texts that wait while a prompt runs. */

import type { QueueChange } from '../protocol/commands.js';
import { outcome, type SlashCommand, says, sends } from './command.js';

/** What is written, and what it asks for. */
const changes: ReadonlyMap<string, QueueChange> = new Map([
  ['edit', 'take'],
  ['delete', 'delete'],
  ['earlier', 'earlier'],
  ['later', 'later'],
]);
const USAGE =
  'Write /queue to see what waits, or /queue edit 2, delete 2, earlier 2, later 2 for the second text, /queue edit all for all.';

/** Opens the list of them, or changes the one with that number. */
export const queueCommand: SlashCommand = {
  name: 'queue',
  aliases: [],
  args: '[edit|delete|… n]',
  says: 'what waits while a prompt runs: edit, delete or move it',
  whileBusy: true,
  complete: () => [...changes.keys()].map((value) => ({ value, says: `/queue ${value} 2: of the second text that waits` })),
  run(args, { queue }) {
    if (queue.length === 0) return says('Nothing waits.');
    if (args === '') return outcome({ actions: [{ type: 'picker.open', kind: 'queue' }] });
    const [word = '', number = '', ...more] = args.split(/\s+/);
    const change = changes.get(word);
    if (change === undefined || more.length > 0) return says(USAGE, 'warning');
    if (change === 'take' && number === 'all') return sends({ type: 'queue.recall' });
    const only = number === '' && queue.length === 1 ? '1' : number;
    const entry = /^\d+$/.test(only) ? queue[Number(only) - 1] : undefined;
    if (entry !== undefined) return sends({ type: 'queue.edit', queued: entry.id, change });
    return says(number === '' ? USAGE : `There is no text ${number}: ${queue.length} ${queue.length === 1 ? 'waits' : 'wait'}.`, 'warning');
  },
};
