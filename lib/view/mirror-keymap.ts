/** The keys of the mirror, as rows of the key table. */

import type { KeyMeaning } from './key-meaning.js';
import { allShownReason, isMoved, noScrollReason } from './pane-view.js';
import type { State } from './state.js';

const onePane = ({ panes }: State): string | null => (panes.length > 1 ? null : 'there is no other pane');

/** They count while the mirror has the keyboard, the first two while the person has that of its pane. */
export const mirrorRows = [
  { id: 'mirror.pageUp', keys: ['S-pageup'], context: 'takeover', says: 'scroll back a page; typing shows the pane live again' },
  { id: 'mirror.pageDown', keys: ['S-pagedown'], context: 'takeover', says: 'down a page again' },
  {
    id: 'mirror.live',
    keys: ['end', 'escape', 'G'],
    context: 'mirror',
    says: 'live again, and follow the cursor (while scrolled back or moved)',
    hint: 'live',
    when: isMoved,
  },
  { id: 'mirror.pageUp', keys: ['pageup', 'b'], context: 'mirror', says: 'up a page', hint: 'scroll back', disabled: noScrollReason },
  { id: 'mirror.pageDown', keys: ['pagedown', 'space'], context: 'mirror', says: 'down a page; past the end it is live' },
  { id: 'mirror.up', keys: ['up', 'k'], context: 'mirror', says: 'up a row, into what has scrolled off', disabled: noScrollReason },
  { id: 'mirror.down', keys: ['down', 'j'], context: 'mirror', says: 'down a row; past the end it is live' },
  {
    id: 'mirror.start',
    keys: ['home', 'g'],
    context: 'mirror',
    says: 'to the oldest row that is looked at (5000 above the screen)',
    disabled: noScrollReason,
  },
  {
    id: 'mirror.left',
    keys: ['left', 'h'],
    context: 'mirror',
    says: 'a pane larger than its mirror: show more of its left',
    disabled: allShownReason,
  },
  { id: 'mirror.right', keys: ['right', 'l'], context: 'mirror', says: 'show more of its right', disabled: allShownReason },
  { id: 'mirror.higher', keys: ['S-up', 'K'], context: 'mirror', says: 'show higher rows of its screen', disabled: allShownReason },
  { id: 'mirror.lower', keys: ['S-down', 'J'], context: 'mirror', says: 'show lower rows of its screen', disabled: allShownReason },
  { id: 'mirror.next', keys: [']', 'n'], context: 'mirror', says: 'look at the next pane', disabled: onePane },
  { id: 'mirror.previous', keys: ['[', 'p'], context: 'mirror', says: 'look at the pane before', disabled: onePane },
] as const satisfies readonly KeyMeaning[];
