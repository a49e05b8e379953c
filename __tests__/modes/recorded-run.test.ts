/** A trace as something to play: its times, its moments from any side, and a file for asciinema that shows the same. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castMoments } from '../../lib/modes/recorded-cast.js';
import { loadRun, type RecordedRun } from '../../lib/modes/recorded-run.js';
import type { Drawing } from '../../lib/modes/recorded-screen.js';
import { castLines } from '../../lib/tui/asciicast.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { createHeadlessTerminal } from '../support/headless-terminal.js';
import { START_MS, seen, theme } from '../view/support/picture.js';
import { tracedLines, writeTrace } from './support/trace-lines.js';

const drawing: Drawing = { lex: await loadMarkdown(), draw: null, theme, size: { cols: 90, rows: 30 } };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (lines = tracedLines): Promise<RecordedRun> => loadRun(writeTrace(join(folder, 't.jsonl'), lines), drawing);

test('idle times are cut short, and time never goes back', async () => {
  const run = await load();
  expect(run.times.slice(0, 8)).toEqual([0, 0, 1000, 1010, 1500, 1510, 1520, 3520]);
  expect(run.durationMs).toBe(8000);
  expect(run.clockAt(7)).toBe(START_MS + 4520);
  expect(run.prompts).toEqual([
    { moment: 2, text: 'how full are\nthe disks?' },
    { moment: 14, text: 'and \x1b[31mred?' },
  ]);
});

test('the screen of a moment is the same from whichever side it is reached', async () => {
  const many = [
    ...tracedLines,
    ...Array.from({ length: 300 }, (_, at) =>
      JSON.stringify({ kind: 'view', tsMs: START_MS, atMs: 9000 + at, action: { type: 'notice', level: 'info', text: `n${at}` } }),
    ),
  ];
  const forward = await load(many);
  const pictures = Array.from({ length: forward.length }, (_, moment) => seen(forward.stateAt(moment)));
  const other = await load(many);
  for (const moment of [319, 3, 200, 199, 201, 128, 127, 0, 318, 40]) expect(seen(other.stateAt(moment))).toBe(pictures[moment]);
  expect(pictures.at(-1)).toContain('n299');
  expect(other.skipped).toBe(0);
});

test('lines that are none, and such that no run has written, are left out and counted', async () => {
  const run = await load([
    ...tracedLines,
    '{bad',
    JSON.stringify({ kind: 'view', tsMs: 1, action: { type: 'toast' } }),
    JSON.stringify({ kind: 'input', tsMs: 1, input: { type: 'key' } }),
  ]);
  expect(seen(run.stateAt(run.length - 1))).toContain('it is gone');
  expect(run.skipped).toBeGreaterThan(0);
});

test('a file for asciinema has the header and the events of its format, and plays to the same picture', async () => {
  const run = await load();
  const size = { cols: 70, rows: 24 };
  const text = [...castLines({ size, title: 'buddy-tui', startMs: run.startMs, colorDepth: 'truecolor' }, castMoments(run, size))];
  const [header, ...events] = text.map((line) => JSON.parse(line));
  expect(header).toEqual({
    version: 2,
    width: 70,
    height: 24,
    timestamp: 1_700_000_000,
    title: 'buddy-tui',
    env: { TERM: 'xterm-256color' },
  });
  const terminal = createHeadlessTerminal(70, 24);
  let before = 0;
  for (const event of events) {
    expect(event).toEqual([expect.any(Number), expect.stringMatching(/^[om]$/), expect.any(String)]);
    expect(event[0]).toBeGreaterThanOrEqual(before);
    before = event[0];
    if (event[1] === 'o') await terminal.feed(event[2]);
  }
  expect(before).toBe(8);
  expect(events.filter(([, kind]) => kind === 'm').map(([, , words]) => words)).toEqual(['how full are', 'and \x1b[31mred?']);
  const last = seen({ ...run.stateAt(run.length - 1), size });
  expect(terminal.text()).toBe(last.trimEnd());
  expect(last).toContain('it is gone');
  terminal.dispose();
});
