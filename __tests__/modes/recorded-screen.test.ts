/** A run that was traced is drawn again from its trace alone: the very same picture after each of its lines. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import { slashCommands } from '../../lib/commands/index.js';
import { loadedCharts } from '../../lib/modes/charts.js';
import type { Drawing } from '../../lib/modes/recorded-screen.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { type ReadLine, readTraceLine } from '../../lib/runtime/trace-lines.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { initialState } from '../../lib/view/state.js';
import { withDraft } from '../../lib/view/unsent.js';
import { nextHappening } from '../screen/fuzz/happenings.js';
import { createRandom } from '../screen/fuzz/random.js';
import { seen, startedEvent, theme } from '../view/support/picture.js';
import { key, played, recordedRun } from './support/recorded-run.js';

const lex = await loadMarkdown();
const drawing: Drawing = { lex, draw: null, theme, size: { cols: 80, rows: 24 } };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('keys, actions, slash commands, events and sizes make the same pictures again', async () => {
  const start = initialState({
    size: { cols: 110, rows: 34 },
    theme,
    version: '9',
    nowMs: 1000,
    history: ['earlier one'],
    showTokens: true,
  });
  const run = recordedRun(withDraft(start, 'left over'), folder);
  await run.clock.advance(10);
  run.tell(startedEvent());
  run.dispatch({ type: 'commands.loaded', commands: slashCommands });
  run.dispatch({ type: 'markdown.loaded', lex });
  run.dispatch(await loadedCharts());
  run.tell({ type: 'pane.opened', pane: '%1', title: 'shared' });
  const rows = ['$ ls', 'a  b'].map((text) => rowOf({ text: visible(text), style: { fg: 2, bold: true } }));
  const cursor = { x: 0, y: 1, shown: true };
  run.tell({ type: 'pane.screen', pane: '%1', screen: { cols: 50, rows, cursor, modes: freshModes } });
  for (const name of ['C-u', 'up', 'C-u', 'h', 'i', 'enter']) run.hear(key(name));
  run.tell({ type: 'task.started', task: '1', kind: 'prompt', text: 'hi', pane: null });
  run.tell({ type: 'model.text', task: '1', text: 'It is **80 %** full.\n\n- one\n- two' });
  await run.clock.advance(3000);
  run.dispatch({ type: 'tick', nowMs: run.clock.now() });
  run.hear({ type: 'paste', text: 'pasted\nlines\nof\ntext\nand\nmore', complete: true });
  run.hear({ type: 'mouse', action: 'press', button: 'left', x: 5, y: 20 });
  run.hear({ type: 'mouse', action: 'release', button: 'left', x: 5, y: 20 });
  run.dispatch({ type: 'resized', size: { cols: 90, rows: 30 } });
  run.hear(key('f1'));
  run.hear(key('escape'));
  run.hear(key('i'));
  for (let line = 0; line < 12; line++) run.hear(key('C-u'));
  for (const letter of '/usage') run.hear(key(letter));
  run.hear(key('enter'));
  run.dispatch({ type: 'theme', name: 'loud', theme: { ...theme, name: 'loud' }, keep: true });
  run.trace.close();

  const { last, pictures } = played(run.lines(), drawing);
  expect(seen(last.state)).toBe(run.pictures.at(-1));
  expect(run.pictures.at(-1)).toContain('No model has answered yet');
  // What changed nothing was not written; all that was seen comes again, in its order.
  const distinct = (all: readonly string[]) => all.filter((picture, at) => picture !== all[at - 1]);
  expect(distinct(pictures).slice(1)).toEqual(distinct(run.pictures));
});

test('what changes nothing is not written', () => {
  const run = recordedRun(initialState({ size: { cols: 80, rows: 24 }, theme, version: '9', nowMs: 1000 }), folder);
  run.dispatch({ type: 'tick', nowMs: 1000 });
  run.hear({ type: 'reply', bytes: '\x1b]11;rgb:0/0/0\x1b\\' });
  run.hear({ type: 'focus', gained: true });
  run.trace.close();
  expect(run.lines().map((line) => line.kind)).toEqual(['header']);
});

test('of a takeover only what it did to the screen is written', () => {
  const run = recordedRun(initialState({ size: { cols: 120, rows: 30 }, theme, version: '9', nowMs: 1000 }), folder);
  run.tell(startedEvent());
  run.dispatch({ type: 'commands.loaded', commands: slashCommands });
  run.tell({ type: 'pane.opened', pane: '%1', title: 'shared' });
  run.tell({ type: 'pane.state', pane: '%1', state: { kind: 'idle' }, lastExit: null });
  run.hear(key('f6'));
  expect(run.state().takeover).not.toBeNull();
  for (const letter of 'passw0rd') run.hear(key(letter));
  run.hear({ type: 'paste', text: 'another0ne', complete: true });
  run.hear(key('f6'));
  run.trace.close();
  const inputs = run.lines().flatMap((line) => (line.kind === 'input' && line.input.type === 'key' ? [line.input.key] : []));
  expect(inputs).toEqual(['f6', 'f6']);
  expect(run.written()).not.toContain('another0ne');
  expect(seen(played(run.lines(), drawing).last.state)).toBe(seen(run.state()));
});

test('cells of a file are checked like any other text', () => {
  const rows = [{ segments: [{ text: 'a\x1b]0;title\x07b\u202e', style: { fg: '\x1b[m', bold: 'yes', bg: 3 } }] }];
  const screen = { cols: 10, rows, cursor: { x: 0, y: 0, shown: false }, modes: freshModes };
  const opened = { kind: 'event', seq: 1, tsMs: 1, event: { type: 'pane.opened', pane: '%1', title: 'x' } };
  const drawn = { kind: 'event', seq: 2, tsMs: 1, event: { type: 'pane.screen', pane: '%1', screen } };
  const lines = [opened, drawn].map((line) => readTraceLine(JSON.stringify(line)) as ReadLine);
  const segment = played(lines, drawing).last.state.pane?.screen?.rows[0]?.segments[0];
  expect(segment).toEqual({ text: 'a␛]0;title␇b<U+202E>', style: { bg: 3 } });
});

/** Of these a trace leaves out how the pane looked. */
const unseen = ['pane.taken', 'pane.scrollback'];

test.each(Array.from({ length: 4 }, (_, seed) => seed + 1))('whatever happens is made again: seed %i', async (seed) => {
  const random = createRandom(seed);
  const size = { cols: 100, rows: 30 };
  const run = recordedRun(initialState({ size, theme, version: '9', nowMs: 1000, history: ['one', 'two\nlines'] }), folder);
  run.dispatch({ type: 'commands.loaded', commands: slashCommands });
  for (let step = 0; step < 250; step++) {
    const happening = nextHappening(random, run.state().size, run.clock.now());
    if (happening.kind === 'event' && !unseen.includes(happening.event.type)) run.tell(happening.event);
    if (happening.kind === 'input') run.hear(happening.input);
    if (happening.kind === 'resize') run.dispatch({ type: 'resized', size: happening.size });
    if (happening.kind === 'shown') run.dispatch({ type: 'shown', nowMs: run.clock.now() });
    if (happening.kind !== 'time') continue;
    await run.clock.advance(happening.ms);
    run.dispatch({ type: 'tick', nowMs: run.clock.now() });
  }
  run.trace.close();
  const { last, pictures } = played(run.lines(), drawing);
  expect(seen(last.state)).toBe(seen(run.state()));
  const distinct = (all: readonly string[]) => all.filter((picture, at) => picture !== all[at - 1]);
  expect(distinct(pictures).slice(1)).toEqual(distinct(run.pictures).filter((picture, at) => at > 0 || picture !== pictures[0]));
});
