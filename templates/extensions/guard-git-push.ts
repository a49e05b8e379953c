/** A guard: nothing that the model runs pushes to another repository, however the command is wrapped. */

import { defineExtension } from 'buddy-tui/extension';

/** Options of git itself that take the next word for their value. */
const WITH_VALUE = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--exec-path'];

/** The subcommand in the words of a git command. */
function subcommandOf(words: readonly string[]): string | undefined {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (WITH_VALUE.includes(word)) at++;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}

const isPush = (words: readonly string[]) => /(?:^|\/)git$/.test(words[0] ?? '') && subcommandOf(words) === 'push';

export default defineExtension({
  name: 'guard-git-push',
  hooks: {
    before_tool_call({ commands }) {
      return commands.some(isPush) ? { block: 'pushing is left to the person; tell them what is ready to be pushed.' } : null;
    },
  },
});
