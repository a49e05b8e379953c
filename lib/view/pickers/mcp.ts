/** The MCP servers as a list: how each stands, and what Enter does. */

import { type McpAct, mcpActs } from '../../protocol/mcp.js';
import { type Effect, send } from '../effects.js';
import { likelyAct, mcpOffers, mcpStateWords } from '../mcp-words.js';
import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';

/** A line for each server, and below it what of it is held back. */
export function mcpItems({ mcp }: State): readonly PickerItem[] {
  return mcp.flatMap((server) => {
    const act = likelyAct(server);
    // A yes is for all that is held back, whichever line of it is chosen.
    const yes = server.held.length > 1 ? `approve all ${server.held.length}` : 'approve';
    const offers = mcpOffers(server);
    const says = [mcpStateWords(server), ...(offers === '' ? [] : [offers]), server.how].join(' · ');
    return [
      { id: `${act} ${server.name}`, label: server.name, says, note: act === 'approve' ? yes : act, disabled: null },
      ...server.held.map((text, at) => ({
        id: `approve ${server.name} ${at}`,
        label: 'held back',
        says: text,
        note: yes,
        disabled: null,
      })),
    ];
  });
}

/** What choosing an entry does. */
export function actOn(id: string): Effect {
  const [word = '', server = ''] = id.split(' ');
  const act: McpAct = mcpActs.find((known) => known === word) ?? 'log';
  return send({ type: 'mcp.act', server, act });
}
