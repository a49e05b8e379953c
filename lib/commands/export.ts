/** `/export`: the session as a file for people. */

import { exportFormats } from '../protocol/sessions.js';
import { type SlashCommand, says, sends } from './command.js';

/** Writes it into the working directory, or where it is told to. */
export const exportCommand: SlashCommand = {
  name: 'export',
  aliases: [],
  args: '<md|html|cast…> [file]',
  says: 'write this session into a file',
  whileBusy: true,
  complete: () => [
    { value: 'md', says: 'markdown' },
    { value: 'html', says: 'a page for a browser' },
    { value: 'jsonl', says: 'its own lines, for programs' },
    { value: 'cast', says: 'a recording for asciinema, as large as this screen' },
  ],
  run(args, { size }) {
    const [, word = '', path = ''] = /^(\S*)\s*(.*)$/s.exec(args) ?? [];
    const format = exportFormats.find((known) => known === word);
    if (format === undefined) return says(`Write /export and one of ${exportFormats.join(', ')}, and a file if you like.`, 'warning');
    return sends({ type: 'session.export', format, path, ...(format === 'cast' ? { size: { cols: size.cols, rows: size.rows } } : {}) });
  },
};
