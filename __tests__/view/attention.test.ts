/** When somebody who looks elsewhere is called, and what the window is called. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput } from '../../lib/view/app.js';
import { attention, progressOf, windowTitle } from '../../lib/view/attention.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, START_MS, startedEvent, stateAfter } from './support/picture.js';

const away = (state: State) => handleInput(state, { type: 'focus', gained: false }, START_MS).state;
const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'why?', pane: null };
const question: RuntimeEvent = {
  type: 'approval.requested',
  request: { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'ls', target: 'web-01', cwd: '/', claim: null },
};
const ended = (state: State, afterMs: number, outcome: 'completed' | 'failed' | 'cancelled' = 'completed') =>
  reduce(state, {
    type: 'runtime',
    envelope: { seq: 9, tsMs: state.nowMs + afterMs, event: { type: 'task.ended', task: '1', outcome, exitCode: null, error: null } },
  });
const running = () => following(stateAfter(100, 30, [startedEvent()]), prompt);

test('a question calls who is away, and nobody who is there', () => {
  const there = running();
  expect(attention(there, following(there, question))).toBeNull();
  const gone = away(there);
  expect(attention(gone, following(gone, question))).toBe('needs you: run_shell on web-01');
  const back = handleInput(gone, { type: 'focus', gained: true }, START_MS).state;
  expect(attention(back, following(back, question))).toBeNull();
});

test.each([
  ['completed', 60_000, 'finished'],
  ['failed', 60_000, 'failed'],
  ['cancelled', 60_000, 'stopped'],
  ['completed', 1000, null],
] as const)('a prompt that %s after %i ms: %s', (outcome, afterMs, words) => {
  const gone = away(running());
  expect(attention(gone, ended(gone, afterMs, outcome))).toBe(words);
});

test('nothing calls twice', () => {
  const asked = following(away(running()), question);
  expect(attention(asked, { ...asked, nowMs: asked.nowMs + 1000 })).toBeNull();
});

test('the window and the taskbar say what is going on', () => {
  const idle = stateAfter(100, 30, [startedEvent()]);
  const asked = following(running(), question);
  expect([idle, running(), asked].map(windowTitle)).toEqual(['buddy-tui · ready', 'buddy-tui · working', 'buddy-tui · needs you']);
  expect([idle, running(), asked].map(progressOf)).toEqual(['none', 'busy', 'waiting']);
});
