/** The picture of a pane: how often it is drawn, and what happens when bytes come faster than they can be parsed. */

import { rowText } from '../../lib/base/style.js';
import type { PaneScreen } from '../../lib/protocol/panes.js';
import { loadEmulator } from '../../lib/targets/terminal-emulator.js';
import { PaneMirror } from '../../lib/targets/tmux/mirror.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';

async function mirror(cols = 20, rows = 4) {
  const clock = new FakeClock();
  const screens: PaneScreen[] = [];
  let lags = 0;
  const terminal = (await loadEmulator()).create(cols, rows, 0);
  const made = new PaneMirror(
    terminal,
    clock,
    (screen) => screens.push(screen),
    () => lags++,
  );
  const text = () => screens.at(-1)?.rows.map(rowText).join('\n').trimEnd();
  return { clock, screens, made, text, lags: () => lags };
}

test('the first picture comes at once, then at most one in 33 ms, the last bytes are never left out', async () => {
  const { clock, screens, made, text } = await mirror();
  made.feed(Buffer.from('a'));
  await until('the first picture', () => screens.length === 1);
  for (let at = 0; at < 50; at++) made.feed(Buffer.from(`\r${at}`));
  await clock.advance(32);
  expect(screens).toHaveLength(1);
  await clock.advance(1);
  await until('the second picture', () => screens.length === 2);
  expect(text()).toBe('49');
});

test('nothing is drawn when nothing has changed, and unchanged rows stay the same objects', async () => {
  const { clock, screens, made } = await mirror();
  made.feed(Buffer.from('one\r\ntwo'));
  await until('the first picture', () => screens.length === 1);
  made.feed(Buffer.from('\x1b[0m'));
  made.feed(Buffer.from('\x1b[1m'));
  await clock.advance(40);
  made.feed(Buffer.from('\x1b[0m\b\b\bTWO'));
  await until('the next picture', async () => {
    await clock.advance(40);
    return screens.at(-1)?.rows.map(rowText).includes('TWO');
  });
  expect(screens).toHaveLength(2);
  expect(screens[1]?.rows[0]).toBe(screens[0]?.rows[0]);
});

test('when bytes come too fast they are skipped, and the picture starts again from a copy', async () => {
  const { clock, screens, made, text, lags } = await mirror();
  for (let at = 0; at < 60; at++) made.feed(Buffer.from('x'.repeat(100_000)));
  await until('it asks for a copy', () => lags() === 1);
  made.feed(Buffer.from('skipped'));
  made.restore({ cols: 20, rows: 4, lines: ['copy', '\x1b[31mred\x1b[0m'], cursor: { x: 3, y: 1, shown: false } });
  made.feed(Buffer.from('!'));
  await until('it is drawn', async () => {
    await clock.advance(40);
    return text() === 'copy\nred!';
  });
  expect(screens.at(-1)?.cursor).toEqual({ x: 4, y: 1, shown: false });
  expect(screens.at(-1)?.rows[1]?.segments).toEqual([
    { text: 'red', style: { fg: 1 } },
    { text: '!', style: {} },
  ]);
});

test('blinking is dropped, concealed text is shown, what has no picture becomes a sign of its own', async () => {
  const { screens, made } = await mirror(40);
  made.feed(Buffer.from('\x1b[5mblink\x1b[0m\x1b[8mhid\x1b[0m\u202eX\u2800\x1b[38;2;1;2;3mrgb\x1b[0m'));
  await until('it is drawn', () => screens.length === 1);
  expect(screens[0]?.rows[0]?.segments).toEqual([
    { text: 'blinkhidX\ufffd', style: {} },
    { text: 'rgb', style: { fg: 0x1010203 } },
  ]);
});

test('words in the colour of their ground are shown in other colours, pictures are left alone', async () => {
  const { screens, made } = await mirror(40);
  made.feed(Buffer.from('\x1b[30;40mhidden\x1b[0m \x1b[1;38;2;9;9;9;48;2;9;9;9mtoo\x1b[0m \x1b[31;41m▄▀\x1b[0m'));
  await until('it is drawn', () => screens.length === 1);
  expect(screens[0]?.rows[0]?.segments).toEqual([
    { text: 'hidden', style: {} },
    { text: ' ', style: {} },
    { text: 'too', style: { bold: true } },
    { text: ' ', style: {} },
    { text: '▄▀', style: { fg: 1, bg: 1 } },
  ]);
});

test('after dispose nothing is drawn', async () => {
  const { clock, screens, made } = await mirror();
  made.feed(Buffer.from('a'));
  made.dispose();
  made.feed(Buffer.from('b'));
  await clock.advance(100);
  expect(screens).toEqual([]);
});
