/** Several panes: the list of them, and which one the mirror shows. */

import { slashStep } from '../../lib/commands/index.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { settle } from '../../lib/view/app.js';
import type { State } from '../../lib/view/state.js';
import { following, seen, startedEvent, stateAfter } from './support/picture.js';

const open = (pane: string, title: string): RuntimeEvent => ({ type: 'pane.opened', pane, title });
const idle = (pane: string, lastExit: number | null = null): RuntimeEvent => ({
  type: 'pane.state',
  pane,
  state: { kind: 'idle' },
  lastExit,
});
const closed = (pane: string): RuntimeEvent => ({ type: 'pane.closed', pane });
const two = (): State =>
  settle(following(stateAfter(160, 40, [startedEvent()]), open('%1', 'shared'), idle('%1', 0), open('%2', 'build'), idle('%2', 3))).state;
/** The state after a slash command and what follows from it. */
function after(line: string, state: State) {
  const { state: next } = slashStep(line, state);
  return settle(next);
}
const sent = (type: string, pane: string) => expect.objectContaining({ type: 'send', command: expect.objectContaining({ type, pane }) });

test('/panes lists them, the shown one marked', () => {
  expect(seen(slashStep('/panes', two()).state)).toMatch(
    /▸ 1 {2}shared {2}%1 {2}idle {2}exit 0[\s\S]* {2}2 {2}build {2}%2 {2}idle {2}exit 3/,
  );
});

test.each(['/panes build', '/panes 2', '/pane %2', '/panes BUILD'])('%s shows it: watched, sized, named in the border', (line) => {
  const shown = after(line, two());
  expect(shown.effects).toEqual([sent('pane.watch', '%2'), sent('pane.resize', '%2')]);
  expect(seen(shown.state)).toContain('pane build · idle · exit 3');
  expect(settle(shown.state).effects).toEqual([]);
  expect(after('/panes shared', shown.state).effects).toEqual([sent('pane.watch', '%1'), sent('pane.resize', '%1')]);
});

test('an unknown one is named, and nothing changes', () => {
  const state = two();
  const { state: next, effects } = slashStep('/panes nowhere', state);
  expect(seen(next)).toContain('There is no pane "nowhere"; there are: shared, build.');
  expect([next.pane, effects]).toEqual([state.pane, []]);
});

test('when the shown pane is closed the shared one is shown again', () => {
  const shown = after('/panes build', two()).state;
  const { state, effects } = settle(following(shown, closed('%2')));
  expect(effects).toEqual([sent('pane.watch', '%1'), sent('pane.resize', '%1')]);
  expect(seen(state)).toContain('pane shared · idle · exit 0');
  expect(state.panes.map((pane) => pane.title)).toEqual(['shared']);
});

test('the shared pane keeps its place while it is gone', () => {
  const gone = settle(following(two(), closed('%1'))).state;
  expect(seen(gone)).toContain('pane shared · closed');
  const back = settle(following(gone, open('%5', 'shared'), idle('%5'))).state;
  expect(seen(back)).toContain('pane shared · idle');
  expect(back.panes.map((pane) => pane.id)).toEqual(['%5', '%2']);
});
