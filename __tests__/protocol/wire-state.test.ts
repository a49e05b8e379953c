/** Whoever comes late is told how everything stands, as if they had been there from the start. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { WireState } from '../../lib/protocol/wire.js';
import { wireStateAfter } from '../../lib/protocol/wire-state.js';
import { createRandom } from '../screen/fuzz/random.js';
import { anyEvent } from '../screen/fuzz/runtime-events.js';
import { chatModel, demoModel, startedEvent } from '../view/support/picture.js';

const after = (...events: readonly RuntimeEvent[]) =>
  events.reduce<WireState | null>((state, event, at) => wireStateAfter(state, { seq: at + 1, tsMs: at, event }), null);

const request = {
  id: 'a1',
  task: '1',
  call: 'c1',
  tool: 'run_shell',
  title: 'run',
  body: 'ls',
  target: 'this host',
  cwd: '/srv',
  claim: null,
};
const started = (task: string): RuntimeEvent => ({ type: 'task.started', task, kind: 'prompt', text: `prompt ${task}`, pane: null });

test('before the runtime has begun nothing is known; then what it said', () => {
  expect(after({ type: 'warning', message: 'x' })).toBeNull();
  expect(after(startedEvent())).toMatchObject({ seq: 1, session: 's1', name: null, model: chatModel, tasks: [], approvals: [], panes: [] });
});

test('tasks, questions, panes and texts are there until they are gone', () => {
  const open: readonly RuntimeEvent[] = [
    startedEvent(),
    started('1'),
    { type: 'queue.changed', waiting: [{ id: 'q1', text: 'then', mode: 'follow-up' }] },
    { type: 'approval.requested', request },
    { type: 'approval.requested', request: { ...request, id: 'a2' } },
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.state', pane: '%1', state: { kind: 'idle' }, lastExit: 0 },
    { type: 'metrics.context', usedTokens: 5, windowTokens: 10 },
    { type: 'commands.offered', commands: [{ name: 'fix', kind: 'template', args: '', says: 'mend it', from: '/p' }] },
  ];
  expect(after(...open)).toMatchObject({
    seq: 9,
    tasks: [{ task: '1', kind: 'prompt', text: 'prompt 1', pane: null }],
    queue: [{ id: 'q1' }],
    approvals: [{ id: 'a1' }, { id: 'a2' }],
    panes: [{ pane: '%1', title: 'shared', state: { kind: 'idle' } }],
    context: { usedTokens: 5, windowTokens: 10 },
    commands: [{ name: 'fix' }],
  });
  const gone: readonly RuntimeEvent[] = [
    { type: 'approval.resolved', approval: 'a1', decision: 'once', by: 'user' },
    { type: 'task.ended', task: '1', outcome: 'completed', exitCode: null, error: null },
    { type: 'queue.changed', waiting: [] },
    { type: 'pane.closed', pane: '%1' },
    { type: 'model.switched', model: demoModel },
    { type: 'session.resumed', session: 's2', name: 'disk', copyOf: null, past: [{ tsMs: 1, event: started('9') }] },
    { type: 'session.renamed', name: 'another', session: 's7' },
  ];
  expect(after(...open, ...gone)).toMatchObject({
    ...{ session: 's2', name: 'disk', model: demoModel, tasks: [], queue: [], panes: [] },
    approvals: [{ id: 'a2' }],
  });
});

test('whatever happens it can be written as JSON, and has no more tasks than have begun', () => {
  const random = createRandom(3);
  const events = Array.from({ length: 2000 }, () => anyEvent(random, 1_700_000_000_000));
  const state = after(startedEvent(), ...events);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(state?.seq).toBe(2001);
});
