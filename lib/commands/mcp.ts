/** `/mcp`: the MCP servers, and what can be done to one. */

import { mcpActs } from '../protocol/mcp.js';
import { mcpLines, mcpStateWords } from '../view/mcp-words.js';
import { outcome, type SlashCommand, says, sends } from './command.js';

/** Opens the list, or does something to a server. */
export const mcpCommand: SlashCommand = {
  name: 'mcp',
  aliases: [],
  args: '[act server]',
  says: 'the MCP servers: how they stand, and what to do about one',
  whileBusy: true,
  complete: (_typed, { mcp }) => [
    // The first one is what Enter takes.
    { value: 'list', says: 'look at them' },
    ...mcp.flatMap((server) => mcpActs.map((act) => ({ value: `${act} ${server.name}`, says: mcpStateWords(server) }))),
  ],
  run(args, { mcp }) {
    if (mcp.length === 0) return says(mcpLines([]).join('\n'));
    if (args === '' || args === 'list') return outcome({ actions: [{ type: 'picker.open', kind: 'mcp' }], sends: [{ type: 'mcp.tell' }] });
    const [word, server, ...more] = args.split(/\s+/);
    const act = mcpActs.find((known) => known === word);
    if (act === undefined || server === undefined || more.length > 0)
      return says(`Write /mcp, or /mcp and one of ${mcpActs.join(', ')} and the name of a server.`, 'warning');
    return sends({ type: 'mcp.act', server, act });
  },
};
