/** A session with branches, for pictures of its tree. */

import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import type { EntryKind, TreeEntry } from '../../../lib/protocol/tree.js';
import { START_MS } from './picture.js';

const entry = (id: string, parent: string | null, kind: EntryKind, text: string, more: Partial<TreeEntry> = {}): TreeEntry => ({
  ...{ id, parent, kind, text, calls: kind === 'calls' ? [text] : [], label: null, tsMs: START_MS - 3_600_000 + Number(id) * 60_000 },
  ...more,
});

const two = ['run_shell  du -xh /var · exit 0', 'run_shell  df -h 日本語 · exit 0'];

/** Two questions about the second answer, and one prompt that was asked anew. */
export const fruitTree: Extract<RuntimeEvent, { type: 'tree.told' }> = {
  type: 'tree.told',
  leaf: '12',
  entries: [
    entry('1', null, 'prompt', 'why is the disk full on web-01?'),
    entry('2', '1', 'answer', 'I will look at the largest folders first.'),
    entry('3', '2', 'calls', two.join(' '), { calls: two }),
    entry('4', '3', 'answer', 'The journal is 14 GB.', { label: 'the journal' }),
    entry('5', '4', 'prompt', 'shrink it'),
    entry('6', '5', 'calls', 'run_shell  journalctl --vacuum-size=500M · denied'),
    entry('7', '6', 'answer', 'Nothing was changed.'),
    entry('8', '4', 'prompt', 'what writes so much?'),
    entry('9', '8', 'note', '[harness] commands run on web-02 now'),
    entry('10', '9', 'answer', 'A service that restarts each second. '.repeat(6).trim()),
    entry('11', '10', 'recap', 'summarised: 68000 tokens became 9000'),
    entry('12', '11', 'prompt', 'stop it'),
    entry('13', null, 'prompt', 'how full is /srv?', { label: 'other' }),
    entry('14', '13', 'answer', 'Half.'),
  ],
};
