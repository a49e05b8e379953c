/** What has scrolled off a pane, as rows: of lines as tmux writes them, and of a real pane. */

import { rowText } from '../../lib/base/style.js';
import type { PaneScrollback } from '../../lib/protocol/panes.js';
import { loadEmulator } from '../../lib/targets/terminal-emulator.js';
import { SCROLLBACK_LINES, scrollbackRows } from '../../lib/targets/tmux/scrollback.js';
import { until } from '../support/until.js';
import { type OpenTarget, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

const rowsOf = async (lines: readonly string[], cols = 10) => scrollbackRows(await loadEmulator(), cols, lines);

test('how text looks goes on from line to line, also over the lines that are made at once', async () => {
  const lines = Array.from({ length: 450 }, (_, i) => (i === 0 ? '\x1b[31mred' : i === 300 ? '\x1b[0;44mblue' : `${i}`));
  const rows = await rowsOf(lines);
  expect(rows).toHaveLength(450);
  expect(rows[299]?.segments).toEqual([{ text: '299', style: { fg: 1 } }]);
  expect(rows[449]?.segments).toEqual([{ text: '449', style: { bg: 4 } }]);
});

test('full, wide and line-drawing rows stay one row each; nothing hides and nothing drives a terminal', async () => {
  const rows = await rowsOf(['0123456789', '漢字漢字漢', '\x0eqqx\x0fq', '', '\x1b[8mhid\x1b[0m\u202e', 'end']);
  expect(rows.map(rowText)).toEqual(['0123456789', '漢字漢字漢', '──│q', '', 'hid', 'end']);
});

test('no line makes no row', async () => {
  expect(await rowsOf([])).toEqual([]);
});

async function scrolledOff(opened: OpenTarget): Promise<PaneScrollback> {
  const told = () => opened.events.flatMap((event) => (event.type === 'pane.scrollback' ? [event] : []));
  const before = told().length;
  const pane = opened.target.tmux?.panes()[0]?.pane ?? '';
  opened.target.tmux?.scrollBack(pane);
  await until('it is told', () => told().length > before);
  const last = told().at(-1);
  if (last?.scrollback == null) throw new Error('tmux did not tell it');
  expect(last.pane).toBe(pane);
  return last.scrollback;
}

test('a real pane tells all of `seq 1000`, with its colours, then what it shows', async () => {
  const opened = await tests.start({ mirror: true });
  await opened.run("printf '\\033[32mgreen\\033[0m\\n'; seq 1000");
  const { cols, rows, more } = await scrolledOff(opened);
  expect([cols, more]).toEqual([100, false]);
  const text = rows.map(rowText);
  const first = text.indexOf('1');
  expect(text.slice(first, first + 1000)).toEqual(Array.from({ length: 1000 }, (_, i) => String(i + 1)));
  expect(rows[first - 1]?.segments[0]).toEqual({ text: 'green', style: { fg: 2 } });
  await opened.run(`seq ${2 * SCROLLBACK_LINES}`);
  const long = await scrolledOff(opened);
  expect([long.rows.length, long.more]).toEqual([SCROLLBACK_LINES + 30, true]);
});

test('without anybody who looks nothing is told but that', async () => {
  const opened = await tests.start({ mirror: false });
  opened.target.tmux?.scrollBack(opened.target.tmux.panes()[0]?.pane ?? '');
  const told = await until('it is told', () => opened.events.find((event) => event.type === 'pane.scrollback'));
  expect(told).toMatchObject({ scrollback: null });
  expect(() => opened.target.tmux?.scrollBack('%999')).toThrow(/%999/);
});
