/** When the picture of a pane is shown while the shell takes a line of ours. */

import { rowText } from '../../lib/base/style.js';
import type { PaneScreen } from '../../lib/protocol/panes.js';
import { loadEmulator } from '../../lib/targets/terminal-emulator.js';
import { PanePicture } from '../../lib/targets/tmux/pane-picture.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';

test('what has swallowed the line and goes on drawing is seen after half a second, its newest picture', async () => {
  const clock = new FakeClock();
  const startMs = clock.monotonic();
  const shown: PaneScreen[] = [];
  const emulators = await loadEmulator();
  let isTaking = true;
  const picture = new PanePicture({
    clock,
    emulators: async () => emulators,
    session: () => null,
    id: () => '%1',
    isTaking: () => isTaking,
    show: (screen) => shown.push(screen),
  });
  await picture.watch(20, 4);
  const newest = () => shown.at(-1)?.rows.map(rowText).join('\n').trimEnd() ?? '';
  await until('it is shown though it never stands still', async () => {
    picture.feed(Buffer.from(`\r${clock.monotonic()}`));
    await clock.advance(40);
    return shown.length > 0;
  });
  expect(clock.monotonic() - startMs).toBeGreaterThanOrEqual(500);
  expect(clock.monotonic() - startMs).toBeLessThan(1500);
  isTaking = false;
  const before = shown.length;
  picture.feed(Buffer.from('\rat once'));
  await until('it is shown at once', async () => {
    await clock.advance(40);
    return shown.length > before && newest().startsWith('at once');
  });
  picture.dispose();
  expect(clock.pending).toBe(0);
});
