/** The mouse in the real program: reports of a terminal in, its clipboard and the kept layout out. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { withEye } from './eye.js';

/** SGR reports of the left button: down at the first cell, over the others, up at the last; cells from 1. */
function drag(...cells: readonly (readonly [number, number])[]): string {
  const [first = [1, 1], ...others] = cells;
  const last = others.at(-1) ?? first;
  const report = (button: number, [x, y]: readonly [number, number], end: 'M' | 'm') => `\x1b[<${button};${x};${y}${end}`;
  return [report(0, first, 'M'), ...others.map((cell) => report(32, cell, 'M')), report(0, last, 'm')].join('');
}

const isArranged = (screen: string): boolean => /^┌─ conversation ─{43}┐┌─ pane shared/m.test(screen) && !screen.includes('─ tasks');
const file = '.local/state/buddy/layout.json';

test(
  'text is dragged into the clipboard, F7 lends the mouse, and the next start has the panes where they were',
  () =>
    withEye(async (eye, home) => {
      await eye.start();
      const lines = (await eye.screen()).split('\n');
      const y = lines.findIndex((line) => line.includes('a scripted model')) + 1;
      const x = (lines[y - 1] ?? '').indexOf('a scripted model') + 1;
      await eye.type(drag([x, y], [x + 5, y], [x + 15, y]));
      await eye.sees(/copied 16 B/);
      expect(await eye.tmux('show-buffer')).toBe('a scripted model');

      await eye.press('F7');
      await until('the terminal has the mouse', async () => (await eye.flag('mouse_any_flag')) === '0');
      await eye.sees('F7 mouse back');
      await eye.press('F7');
      await until('the program has the mouse', async () => (await eye.flag('mouse_any_flag')) === '1');

      await eye.type(drag([89, 10], [71, 10], [61, 10]));
      await eye.press('M-j');
      await until('the border is moved and the tasks are away', async () => isArranged(await eye.screen()));
      await eye.leave();
      await eye.sees(/READY>\s*$/);
      await eye.start();
      await until('it stands as it was left', async () => isArranged(await eye.screen()));
      await eye.leave();
      await eye.sees(/READY>\s*$/);

      writeFileSync(join(home.folder, file), '{\n  "wide": {\n    "side": "much"\n  }\n}\n');
      await eye.start();
      await eye.sees('layout.json:3: "side" must be a number');
      expect(await eye.screen()).toContain('─ tasks');
      await eye.leave();
    }),
  60_000,
);
