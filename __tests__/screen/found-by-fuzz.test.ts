/** What random happenings found, each by itself: `fuzz/` found it, here it stays. */

import { visible } from '../../lib/base/visible.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { TargetSummary } from '../../lib/protocol/panes.js';
import { handleInput } from '../../lib/view/app.js';
import { createComposer } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import type { Frame } from '../../lib/view/widget.js';
import { mirror } from '../../lib/view/widgets/mirror.js';
import { following, keyEvent, picture, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';
import { createSurface } from './fuzz/dashboard-under-test.js';

const size = { cols: 100, rows: 30 };
const hints = (state: State): string => seen(state).split('\n').at(-1) ?? '';
const question: RuntimeEvent = {
  type: 'approval.requested',
  request: {
    id: 'a',
    task: '1',
    call: 'c',
    tool: 'run_shell',
    title: 'run',
    body: 'ls',
    target: 'here',
    cwd: '/',
    claim: null,
    editable: true,
  },
};

test('A2: a vowel of Hangul by itself, which terminals put onto the cell before, leaves nothing behind in either cell', () => {
  const surface = createSurface({ cols: 20, rows: 1 }, 'mono');
  const frame = (text: string): Frame => ({
    size: { cols: 20, rows: 1 },
    parts: [{ rect: { x: 0, y: 0, cols: 20, rows: 1 }, rows: [{ segments: [{ text: visible(text), style: {} }] }] }],
    cursor: null,
  });
  for (const text of [
    '漢|old',
    '漢\u11a3|x',
    '漢|y',
    'ab|z',
    'a\u11ae|z',
    'a\u11ae|!',
    'a\u11ba\u1ba4\u0fb1û',
    'a\u11ba\u1ba4\u0fb1xyz',
    'abcde',
  ]) {
    surface.paint(frame(text));
    const fresh = createSurface({ cols: 20, rows: 1 }, 'mono');
    fresh.paint(frame(text));
    expect([text, surface.terminal.line(0)]).toEqual([text, fresh.terminal.line(0)]);
    fresh.terminal.dispose();
  }
  surface.terminal.dispose();
});

test('A2: a final of Hangul with marks upon it, which a terminal may give a cell for each mark, leaves none of them behind', () => {
  const surface = createSurface({ cols: 20, rows: 1 }, 'mono');
  const frame = (text: string): Frame => ({
    size: { cols: 20, rows: 1 },
    parts: [{ rect: { x: 0, y: 0, cols: 20, rows: 1 }, rows: [{ segments: [{ text: visible(text), style: {} }] }] }],
    cursor: null,
  });
  surface.paint(frame('> /'));
  surface.paint(frame('> /ab\u11ba\u1ba4\u0fb1c'));
  expect(Array.from({ length: 12 }, (_, x) => surface.terminal.cell(x, 0).text).slice(6)).toEqual(['c', '', '', '', '', '']);
  surface.terminal.dispose();
});

test('the hint line knows when there is no pane to take over, and when an answer is written', () => {
  const draw = createComposer();
  const line = (state: State): string => picture(draw(state)).at(-1) ?? '';
  const target = (via: 'tmux' | 'direct'): RuntimeEvent => ({
    type: 'target.changed',
    target: { kind: 'local', via, label: 'x', host: 'x', user: 'x', cwd: '/', shell: 'sh', attach: null } satisfies TargetSummary,
  });
  let state = stateAfter(160, 30, [startedEvent(), { type: 'pane.opened', pane: '%1', title: 'shared' }]);
  state = press(state, START_MS, 'tab').state;
  expect(line(state)).toContain('F6 take over');
  state = following(state, target('direct'));
  expect(line(state)).not.toContain('F6 take over');
  state = following(state, target('tmux'), question);
  expect(line(state)).toContain('F6 take over');
  expect(line(state)).toContain('f no, because');
  state = reduce(state, { type: 'shown', nowMs: START_MS });
  const answering = press(state, START_MS + 5000, 'f').state;
  expect(line(answering)).toContain('Esc back');
  expect(line(press(answering, START_MS + 5000, 'escape').state)).toContain('f no, because');
});

test('a key that means nothing does not stop the vi commands after it', () => {
  const state = press(stateAfter(80, 24, [startedEvent()], { editorMode: 'vi' }), START_MS, 'a', 'b', 'escape').state;
  const after = press(state, START_MS, 'f12', 'M-f12', 'x').state;
  expect(after.editor.vi?.keys).toEqual([]);
  expect(after.editor.text.lines).toEqual(['a']);
});

test('what is begun in vi keys is cut where the window ends', () => {
  const state = press(stateAfter(40, 12, [startedEvent()], { editorMode: 'vi' }), START_MS, 'escape', ...'123456789'.repeat(9)).state;
  expect(hints(state)).toMatch(/^ -- NORMAL -- 1234567891234567891234567…$/);
});

test('a search for what cannot be seen fits into its list, its cursor too', () => {
  const open = press(stateAfter(60, 24, [startedEvent()]), START_MS, 'C-p').state;
  const state = handleInput(open, { type: 'paste', text: '\u{f0000}\u{e0041}\u202e漢字'.repeat(40), complete: true }, START_MS).state;
  expect(seen(state).split('\n')[2]).toMatch(/^│> .*<U\+202E>漢字 ?│$/);
  const frame = createComposer()(state);
  expect(frame.cursor).toMatchObject({ y: 2, shown: true });
  expect(frame.cursor?.x).toBeLessThan(59);
});

test('where there is no pane, the mirror says so in any width', () => {
  const base = startedEvent() as Extract<RuntimeEvent, { type: 'lifecycle.started' }>;
  const direct: RuntimeEvent = { ...base, target: { ...base.target, via: 'direct' } };
  const state = press(stateAfter(40, 12, [direct]), START_MS, 'tab', 'tab').state;
  expect(seen(state)).toContain('│no pane: commands run as plain proces…│');
});

test('an empty mirror without a row of room says nothing', () => {
  const opened: RuntimeEvent = { type: 'pane.opened', pane: '%1', title: 'shared' };
  const state = stateAfter(139, 14, [startedEvent(), opened]);
  expect(mirror.rows(state, { cols: 60, rows: 0 }, state.theme)).toEqual([]);
  expect(mirror.rows(state, { cols: 60, rows: 1 }, state.theme)).toHaveLength(1);
});

test('a key that is several code points is one key everywhere', () => {
  const state = handleInput(stateAfter(size.cols, size.rows, [startedEvent()]), keyEvent('👩‍👩‍👧'), START_MS).state;
  expect(seen(state)).toContain('> 👩‍👩‍👧');
});
