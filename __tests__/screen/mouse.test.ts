/** Journeys with the mouse: what the terminal reports in, the screen and the clipboard out. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput, settle } from '../../lib/view/app.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { click, following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const lex = await loadMarkdown();
const LATER = START_MS + 5000;
const lines = (state: State): readonly string[] => seen(state).split('\n');
const rowOf = (state: State, words: string): number => lines(state).findIndex((line) => line.includes(words));
const answer = 'Run this:\n\n```sh\nsudo journalctl --vacuum-size=500M\n```\n\nIt frees 13 GB. ';
const question: RuntimeEvent = {
  type: 'approval.requested',
  request: { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'uptime', target: 'web', cwd: '/', claim: null },
};
const start = (cols = 100, rows = 30): State =>
  stateAfter(
    cols,
    rows,
    [
      startedEvent(),
      { type: 'pane.opened', pane: '%1', title: 'shared' },
      { type: 'task.started', task: '1', kind: 'prompt', text: 'clean up', pane: null },
      { type: 'model.text', task: '1', text: answer },
    ],
    { lex },
  );

test('a command is copied out of an answer by three clicks, put into the draft, and typing lets go of it', () => {
  const state = start();
  const at = [12, rowOf(state, 'journalctl')] as const;
  const once = click(state, START_MS, at);
  const twice = click(once.state, START_MS + 150, at);
  const thrice = click(twice.state, START_MS + 300, at);
  expect(twice.effects).toEqual([{ type: 'copy', text: 'journalctl' }]);
  expect(thrice.effects).toEqual([{ type: 'copy', text: 'sudo journalctl --vacuum-size=500M' }]);
  const pasted = handleInput(thrice.state, { type: 'paste', text: 'sudo journalctl --vacuum-size=500M', complete: true }, LATER).state;
  expect(draftOf(pasted.editor)).toBe('sudo journalctl --vacuum-size=500M');
  expect(press(pasted, LATER, '!').state.pointer.selection).toBeNull();
});

test('C1: a burst of the wheel while 2 000 lines stream: what is read then stays, until the wheel comes back to the end', () => {
  let state = following(start(79, 24), { type: 'model.text', task: '1', text: 'word\n\n'.repeat(500) });
  const wheel = (action: 'wheel-up' | 'wheel-down') => ({ type: 'mouse', action, button: 'none', x: 9, y: 9 }) as const;
  for (let i = 0; i < 40; i++) state = handleInput(state, wheel('wheel-up'), START_MS).state;
  const text = (of: State) => lines(of).map((line) => line.replace('┃', '│'));
  const read = text(state).slice(3, 20);
  state = following(state, { type: 'model.text', task: '1', text: 'more\n\n'.repeat(1000) });
  expect(text(state).slice(3, 20)).toEqual(read);
  for (let i = 0; i < 1000; i++) state = handleInput(state, wheel('wheel-down'), START_MS).state;
  expect(state.reading).toEqual({ kind: 'follow' });
});

test('a question: the click that brings the window back answers nothing, the next one does', () => {
  const asked = reduce(following(start(), question), { type: 'shown', nowMs: START_MS });
  const away = handleInput(asked, { type: 'focus', gained: false }, START_MS).state;
  const back = handleInput(away, { type: 'focus', gained: true }, LATER).state;
  const y = rowOf(back, '[y] once');
  const x = (lines(back)[y] ?? '').indexOf('[y]');
  const first = click(back, LATER, [x, y]);
  expect([first.effects, first.state.approvals.length]).toEqual([[], 1]);
  const second = click(first.state, LATER, [x, y]);
  expect(second.effects).toEqual([{ type: 'send', command: { type: 'approval.answer', approval: 'a', decision: 'once' } }]);
  expect(seen(second.state)).not.toContain('[y] once');
});

test('a large pane to watch: the border dragged, the tasks put away, zoomed, back; a smaller window and back again', () => {
  const state = settle(start(160, 40)).state;
  const dragged = click(state, START_MS, [88, 8], [60, 8]).state;
  expect(lines(dragged)[1]).toMatch(/^┌─ conversation ─{43}┐┌─ pane shared · starting/);
  const alone = press(dragged, START_MS, 'M-j', 'tab', 'tab', 'z').state;
  expect(seen(alone)).not.toContain('conversation');
  const whole = press(alone, START_MS, 'z', 'i').state;
  expect(seen(whole)).not.toContain('─ tasks');
  const small = reduce(whole, { type: 'resized', size: { cols: 60, rows: 20 } });
  expect(lines(small)[1]).toContain('conversation  pane  tasks');
  expect(seen(reduce(small, { type: 'resized', size: { cols: 160, rows: 40 } }))).toBe(seen(whole));
  expect(seen(press(whole, START_MS, 'M-1').state)).toContain('─ tasks');
});
