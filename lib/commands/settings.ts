/** `/settings`: all settings with their values, where these are from, and changing them for good. */

import { outcome, type SlashCommand } from './command.js';

/** Opens the list; or shows, sets or resets the one that is named. */
export const settingsCommand: SlashCommand = {
  name: 'settings',
  aliases: ['set'],
  args: '[key] [value]',
  says: 'look through all settings and where they are from, and change them in your file; reset KEY puts one back',
  whileBusy: true,
  complete(typed, { settings: { listing } }) {
    const entries = listing?.entries ?? [];
    if (typed.startsWith('reset ')) {
      return entries.flatMap(({ key, isWritten, value }) => (isWritten ? [{ value: `reset ${key}`, says: `now ${value}` }] : []));
    }
    const named = entries.find(({ key }) => typed.startsWith(`${key} `));
    if (named !== undefined) return named.words.map((word) => ({ value: `${named.key} ${word}`, says: word === named.typed ? 'now' : '' }));
    // The first one is what Enter takes.
    return [
      { value: 'list', says: 'look through them' },
      ...entries.map(({ key, value, origin }) => ({ value: key, says: `${value} · ${origin}` })),
      { value: 'reset ', says: 'put one back to its default' },
    ];
  },
  run(args) {
    if (args === '' || args === 'list')
      return outcome({ actions: [{ type: 'picker.open', kind: 'settings' }], effects: [{ type: 'settings', ask: { kind: 'look' } }] });
    const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(args) ?? [];
    if (word === 'reset' && rest !== '') return outcome({ effects: [{ type: 'settings', ask: { kind: 'reset', key: rest, by: 'line' } }] });
    // As in the file: `KEY = VALUE`.
    const text = rest.replace(/^=\s*/, '');
    if (text === '') return outcome({ effects: [{ type: 'settings', ask: { kind: 'tell', key: word } }] });
    return outcome({ effects: [{ type: 'settings', ask: { kind: 'set', key: word, text, by: 'line' } }] });
  },
};
