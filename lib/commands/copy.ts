/** `/copy`: something of the conversation for the clipboard. */

import { lastAnswer, transcriptText } from '../view/pickers/copy.js';
import { outcome, type SlashCommand, says } from './command.js';

/** Opens the list; `last` and `all` copy at once. */
export const copyCommand: SlashCommand = {
  name: 'copy',
  aliases: [],
  args: '[last|all]',
  says: 'copy code, an output, the last answer or all of it',
  whileBusy: true,
  complete: () => [
    { value: 'last', says: 'the last answer' },
    { value: 'all', says: 'the whole conversation as markdown' },
  ],
  run(args, { transcript }) {
    if (args === '') return outcome({ actions: [{ type: 'picker.open', kind: 'copy' }] });
    if (args !== 'last' && args !== 'all') return says('Write /copy, /copy last or /copy all.', 'warning');
    const text = args === 'all' ? transcriptText(transcript) : lastAnswer(transcript);
    return text.trim() === '' ? says('There is nothing to copy yet.', 'warning') : outcome({ effects: [{ type: 'copy', text }] });
  },
};
