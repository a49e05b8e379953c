/** The line at the top in little room: of the folder its end is kept, which says where one is. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { seen, startedEvent, stateAfter } from './support/picture.js';

function header(cols: number, cwd: string): string {
  const begun = startedEvent() as Extract<RuntimeEvent, { type: 'lifecycle.started' }>;
  if (begun.target === null) throw new Error('no target');
  return seen(stateAfter(cols, 24, [{ ...begun, target: { ...begun.target, cwd } }])).split('\n')[0] ?? '';
}

test.each([
  [100, '/srv/www/releases/2026-11-28/current', ' /srv/www/releases/2026-11-28/current  '],
  [60, '/srv/www/releases/2026-11-28/current', ' …2026-11-28/current  ask'],
  [60, '/srv/www/releases/漢字/漢字', ' …releases/漢字/漢字  ask'],
  [47, '/srv/www/releases/2026-11-28/current', 'this host          ask'],
])('%d columns: %s', (cols, cwd, end) => {
  expect(header(cols, cwd)).toContain(end);
  expect(header(cols, cwd)).not.toMatch(/…\s*$|\/…/);
});
