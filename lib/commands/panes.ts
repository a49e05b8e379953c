/** `/panes`: the panes there are, and which one the mirror shows. */

import { findPane } from '../view/panes.js';
import type { PaneEntry } from '../view/state.js';
import { outcome, type SlashCommand, says } from './command.js';

/** Lists them, or shows the one that is named. */
export const panesCommand: SlashCommand = {
  name: 'panes',
  aliases: ['pane'],
  args: '[name | number]',
  says: 'list the panes, or look at another one',
  whileBusy: true,
  complete: (_typed, state) => state.panes.map((pane) => ({ value: pane.title, says: `${pane.id} ${words(pane)}` })),
  run(args, state) {
    if (state.panes.length === 0) return says('There is no pane.');
    if (args !== '') {
      const found = findPane(state, args);
      if (found === null)
        return says(`There is no pane "${args}"; there are: ${state.panes.map((pane) => pane.title).join(', ')}.`, 'warning');
      return outcome({ actions: [{ type: 'pane.show', pane: found.id }] });
    }
    const line = (pane: PaneEntry, at: number) => {
      const exit = pane.lastExit === null ? '' : `  exit ${pane.lastExit}`;
      return `${pane.id === state.pane?.id ? '▸' : ' '} ${at + 1}  ${pane.title}  ${pane.id}  ${words(pane)}${exit}`;
    };
    return says(state.panes.map(line).join('\n'));
  },
};

function words({ state }: PaneEntry): string {
  return 'program' in state && state.program !== '' ? `${state.kind} ${state.program}` : state.kind;
}
