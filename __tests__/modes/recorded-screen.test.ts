/** A run that was traced is drawn again from its trace alone: the very same picture after each of its lines. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import { slashCommands, slashStep } from '../../lib/commands/index.js';
import { loadedCharts } from '../../lib/modes/charts.js';
import { blankScreen, type Drawing, type RecordedScreen, screenAfter } from '../../lib/modes/recorded-screen.js';
import { ScreenRecording } from '../../lib/modes/screen-recording.js';
import { createRedactor } from '../../lib/policy/redaction.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { InputEvent } from '../../lib/protocol/input.js';
import { freshModes } from '../../lib/protocol/panes.js';
import { Trace, traced } from '../../lib/runtime/trace.js';
import { type ReadLine, readTraceLine } from '../../lib/runtime/trace-lines.js';
import { handleInput, settle } from '../../lib/view/app.js';
import type { Step } from '../../lib/view/effects.js';
import type { Action } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { initialState, type State } from '../../lib/view/state.js';
import { withDraft } from '../../lib/view/unsent.js';
import { FakeClock } from '../support/fake-clock.js';
import { seen, startedEvent, theme } from '../view/support/picture.js';

const drawing: Drawing = { lex: await loadMarkdown(), draw: null, theme, size: { cols: 80, rows: 24 } };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A dashboard of which a trace is written, as modes/dashboard does it. */
function recordedRun(start: State) {
  const clock = new FakeClock();
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(path, createRedactor(['hunter2-secret']), () => undefined, clock, '9');
  const screen = new ScreenRecording(trace, clock);
  let state = start;
  let seq = 0;
  let isKeyed = false;
  const pictures: string[] = [];
  const take = (step: Step) => {
    const settled = isKeyed ? settle(step.state) : { state: step.state, effects: [] };
    state = settled.state;
    for (const effect of [...step.effects, ...settled.effects]) if (effect.type === 'slash') take(slashStep(effect.line, state));
  };
  const dispatch = (action: Action) => {
    if (action.type === 'commands.loaded') isKeyed = true;
    take({ state: screen.reduce(state, action), effects: [] });
    pictures.push(seen(state));
  };
  const listeners: ((envelope: { seq: number; tsMs: number; event: RuntimeEvent }) => void)[] = [];
  const port = traced(
    {
      onEvent(listener) {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
      send: () => undefined,
    },
    trace,
    () => clock.now(),
  );
  port.onEvent((envelope) => dispatch({ type: 'runtime', envelope }));
  screen.begin(state, 'unicode');
  return {
    clock,
    trace,
    dispatch,
    pictures,
    state: () => state,
    tell(event: RuntimeEvent) {
      seq += 1;
      for (const listener of listeners) listener({ seq, tsMs: clock.now(), event });
    },
    hear(input: InputEvent) {
      take(screen.heard(input, clock.now(), state, handleInput(state, input, clock.now())));
      pictures.push(seen(state));
    },
    written: () => readFileSync(path, 'utf8'),
    lines(): ReadLine[] {
      return readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((text) => {
          const line = readTraceLine(text);
          if ('problem' in line) throw new Error(`${line.problem}: ${text}`);
          return line;
        });
    },
  };
}

const key = (name: string, text = name.length === 1 ? name : ''): InputEvent => ({ type: 'key', key: name, text });

function played(lines: readonly ReadLine[]): { readonly last: RecordedScreen; readonly pictures: readonly string[] } {
  let at = blankScreen(drawing);
  const pictures: string[] = [];
  for (const line of lines) {
    at = screenAfter(at, line, drawing);
    pictures.push(seen(at.state));
  }
  return { last: at, pictures };
}

test('keys, actions, slash commands, events and sizes make the same pictures again', async () => {
  const start = initialState({
    size: { cols: 110, rows: 34 },
    theme,
    version: '9',
    nowMs: 1000,
    history: ['earlier one'],
    showTokens: true,
  });
  const run = recordedRun(withDraft(start, 'left over'));
  await run.clock.advance(10);
  run.tell(startedEvent());
  run.dispatch({ type: 'commands.loaded', commands: slashCommands });
  run.dispatch({ type: 'markdown.loaded', lex: drawing.lex });
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

  const { last, pictures } = played(run.lines());
  expect(seen(last.state)).toBe(run.pictures.at(-1));
  expect(run.pictures.at(-1)).toContain('No model has answered yet');
  // What changed nothing was not written; all that was seen comes again, in its order.
  const distinct = (all: readonly string[]) => all.filter((picture, at) => picture !== all[at - 1]);
  expect(distinct(pictures).slice(1)).toEqual(distinct(run.pictures));
});

test('what changes nothing is not written', () => {
  const run = recordedRun(initialState({ size: { cols: 80, rows: 24 }, theme, version: '9', nowMs: 1000 }));
  run.dispatch({ type: 'tick', nowMs: 1000 });
  run.hear({ type: 'reply', bytes: '\x1b]11;rgb:0/0/0\x1b\\' });
  run.hear({ type: 'focus', gained: true });
  run.trace.close();
  expect(run.lines().map((line) => line.kind)).toEqual(['header']);
});

test('of a takeover only what it did to the screen is written', () => {
  const run = recordedRun(initialState({ size: { cols: 120, rows: 30 }, theme, version: '9', nowMs: 1000 }));
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
  expect(seen(played(run.lines()).last.state)).toBe(seen(run.state()));
});

test('cells of a file are checked like any other text', () => {
  const rows = [{ segments: [{ text: 'a\x1b]0;title\x07b\u202e', style: { fg: '\x1b[m', bold: 'yes', bg: 3 } }] }];
  const screen = { cols: 10, rows, cursor: { x: 0, y: 0, shown: false }, modes: freshModes };
  const opened = { kind: 'event', seq: 1, tsMs: 1, event: { type: 'pane.opened', pane: '%1', title: 'x' } };
  const drawn = { kind: 'event', seq: 2, tsMs: 1, event: { type: 'pane.screen', pane: '%1', screen } };
  const lines = [opened, drawn].map((line) => readTraceLine(JSON.stringify(line)) as ReadLine);
  const segment = played(lines).last.state.pane?.screen?.rows[0]?.segments[0];
  expect(segment).toEqual({ text: 'a␛]0;title␇b<U+202E>', style: { bg: 3 } });
});
