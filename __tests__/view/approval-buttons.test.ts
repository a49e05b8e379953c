/** The buttons of the approval panel: where they say they are is where they are drawn. */

import type { ApprovalRequest } from '../../lib/protocol/approvals.js';
import { approvalButtons, buttonAt } from '../../lib/view/approval-buttons.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const request: ApprovalRequest = {
  id: 'a',
  task: '1',
  call: 'c1',
  tool: 'run_shell',
  title: 'run',
  body: 'ls',
  target: 'this host',
  cwd: '/srv',
  claim: null,
  editable: true,
};

function asked(cols: number, rows: number, more: Partial<ApprovalRequest> = {}): State {
  const state = stateAfter(cols, rows, [startedEvent(), { type: 'approval.requested', request: { ...request, ...more } }]);
  return reduce(state, { type: 'shown', nowMs: START_MS });
}

const sizes = [
  [160, 45],
  [80, 24],
  [60, 20],
  [40, 10],
] as const;

test.each(sizes)('at %i×%i each stands where its label is', (cols, rows) => {
  for (const state of [asked(cols, rows), asked(cols, rows, { body: 'x\n'.repeat(200) })]) {
    const lines = seen(state).split('\n');
    const buttons = approvalButtons(state);
    expect(buttons.map((button) => button.id)).toContain('approval.deny');
    for (const button of buttons) expect(lines[button.row]?.slice(button.from, button.to)).toBe(button.label);
  }
});

test('a cell of one is that one, the cells beside it are none', () => {
  const state = asked(80, 24);
  const [once] = approvalButtons(state);
  expect(once).toMatchObject({ id: 'approval.once', key: 'y', label: '[y] once', enabled: true });
  const { row = 0, from = 0, to = 0 } = once ?? {};
  expect([from - 1, from, to - 1, to].map((x) => buttonAt(state, x, row)?.id ?? null)).toEqual([
    null,
    'approval.once',
    'approval.once',
    null,
  ]);
  expect(buttonAt(state, from, row - 1)).toBeNull();
});

test('what a press would not do is not enabled', () => {
  const enabled = (state: State) => approvalButtons(state).flatMap((button) => (button.enabled ? [button.key] : []));
  expect(enabled(asked(160, 45, { editable: false }))).not.toContain('e');
  expect(enabled(asked(160, 45, { body: 'x\n'.repeat(200) }))).toEqual(expect.not.arrayContaining(['y', 's', 'e']));
});

test('there are none while nothing is asked, while an answer is written, and in a window that is too small', () => {
  expect(approvalButtons(stateAfter(80, 24, [startedEvent()]))).toEqual([]);
  expect(approvalButtons(press(asked(80, 24), START_MS + 400, 'f').state)).toEqual([]);
  expect(approvalButtons(asked(39, 9))).toEqual([]);
  expect(approvalButtons(following(asked(80, 24), { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'user' }))).toEqual([]);
});

test('they name the keys that the user chose', () => {
  const bindings = new Map([['approval/approval.once', ['f9']]]);
  const state = stateAfter(80, 24, [startedEvent(), { type: 'approval.requested', request }], { bindings });
  expect(approvalButtons(state)[0]).toMatchObject({ key: 'f9', label: '[F9] once' });
});

test('of a large file the whole is not there to be shown: the part is', () => {
  const labels = (more: object) =>
    approvalButtons(asked(160, 45, { diff: { path: '/f', before: 'a\n', after: 'b\n', ...more } })).map(({ label }) => label);
  expect(labels({})).toContain('[d] whole file');
  expect(labels({ firstLine: 900 })).toContain('[d] whole part');
});
