/** Earlier sessions on the screen: what was in one comes back, the list, and what is said when nothing can be saved. */

import { runSlash } from '../../lib/commands/index.js';
import type { PastEvent, RuntimeEvent } from '../../lib/protocol/events.js';
import type { SessionSummary } from '../../lib/protocol/sessions.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const past = (...events: readonly RuntimeEvent[]): readonly PastEvent[] =>
  events.map((event, at) => ({ tsMs: START_MS - 60_000 + at, event }));
const said: readonly RuntimeEvent[] = [
  { type: 'task.started', task: 'past-1', kind: 'prompt', text: 'how full is the disk?', pane: null },
  {
    type: 'model.answered',
    task: 'past-1',
    message: { role: 'assistant', text: 'I look.', reasoning: '', calls: [], extras: {}, incomplete: false },
    usage: null,
  },
  { type: 'tool.requested', task: 'past-1', call: 'c1', name: 'run_shell', preview: 'df -h' },
  {
    type: 'tool.ended',
    task: 'past-1',
    call: 'c1',
    isError: false,
    text: '/dev/sda1 80%',
    summary: 'exit 0 · 1 line',
    exitCode: 0,
    elapsedMs: 3,
  },
  {
    type: 'model.answered',
    task: 'past-1',
    message: { role: 'assistant', text: 'It is alm', reasoning: '', calls: [], extras: {}, incomplete: true },
    usage: null,
  },
  { type: 'warning', message: 'The program ended here, before this was answered to the end.' },
];

const kept: SessionSummary = {
  session: 'ab-12',
  name: null,
  title: 'how full is\nthe disk?',
  latest: 'and now?',
  labels: [],
  bytes: 2048,
  prompts: 2,
  target: 'this host',
  updatedMs: START_MS - 3 * 3_600_000,
  foreign: null,
  open: false,
};

const begun = () => stateAfter(100, 40, [startedEvent()]);
const lines = (text: string) =>
  text.split('\n').map((line) =>
    line
      .replace(/^│ ?/, '')
      .replace(/\s*[│┃┐┘].*$/, '')
      .trimEnd(),
  );

test('what was on the screen is on it again, between two marks, and what was cut short says so', () => {
  const state = following(begun(), { type: 'session.resumed', session: 'ab-12', name: 'disks', copyOf: null, past: past(...said) });
  const shown = lines(seen(state)).filter((line) => line !== '');
  const from = shown.findIndex((line) => line.includes('session ab-12 · disks'));
  const told = shown.slice(from).join('\n');
  expect(told).toMatch(/● how full is the disk\?\n◆ I look\.\n▶ run_shell {2}df -h\n┊ exit 0 · 1 line.*\n◆ It is alm/);
  expect(told).toMatch(/It is alm[\s\S]*The program ended here[\s\S]*it goes on here/);
  expect(state.session).toBe('ab-12');
  // What was cut off runs no more.
  expect(state.tasks.map(({ text, outcome }) => [text, outcome])).toEqual([['how full is the disk?', 'cancelled']]);
});

test('nobody counted the tokens of what is shown again: lines about them come with the next answer', () => {
  const resumed: RuntimeEvent = { type: 'session.resumed', session: 'ab-12', name: 'disks', copyOf: null, past: past(...said) };
  const state = following(stateAfter(100, 40, [startedEvent()], { showTokens: true }), resumed);
  expect(seen(state)).toContain('I look.');
  expect(seen(state)).not.toContain('tokens:');
  const usage = { inputTokens: 700, outputTokens: 100, cachedTokens: null, reasoningTokens: null };
  const message = { role: 'assistant', text: 'Full.', reasoning: '', calls: [], extras: {}, incomplete: false } as const;
  const answered = following(state, { type: 'model.answered', task: '3', message, usage });
  expect(seen(answered).match(/tokens: .*out/g)).toEqual(['tokens: 700 in · 100 out']);
});

test('a copy says of what', () => {
  const copy = following(begun(), { type: 'session.resumed', session: 'new', name: null, copyOf: 'ab-12', past: past(...said) });
  expect(seen(copy)).toContain('Another program has session ab-12 open.');
  const forked = following(begun(), { type: 'session.resumed', session: 'new', name: null, copyOf: 'ab-12', past: [] });
  expect(seen(forked)).toContain('session new, a copy of ab-12, from here on');
});

test('the list is searched by what was said, and Enter opens the session; a planted one says why it cannot be opened', () => {
  const planted = { ...kept, session: 'evil', name: 'free money', foreign: 'it was not written by you on this machine' };
  const { actions, sends } = runSlash('/session', begun());
  expect(sends).toEqual([{ type: 'session.list' }]);
  expect(actions).toEqual([{ type: 'picker.open', kind: 'session' }]);
  const opened = { ...stateAfter(160, 40, [startedEvent()]), picker: { kind: 'session', query: '', selected: 0 } as const };
  const state = following(opened, { type: 'session.listed', sessions: [kept, planted] });
  expect(seen(state)).toMatch(/how full is the disk\? +2 prompts · and now\? · ab-12 +3 h ago/);
  const found = press(state, START_MS, ...'now?'.split('')).state;
  expect(press(found, START_MS, 'enter').effects).toEqual([{ type: 'send', command: { type: 'session.resume', session: 'ab-12' } }]);
  const evil = press(press(state, START_MS, ...'money'.split('')).state, START_MS, 'enter');
  expect(evil.effects).toEqual([]);
  expect(seen(evil.state)).toContain('Not now: it was not written by you on this machine.');
});

test('what cannot be saved is said once, and that it can be again', () => {
  const trouble = following(begun(), { type: 'session.storage', session: 's1', trouble: 'the disk is full' });
  expect(seen(trouble)).toContain('This session is not saved: the disk is full.');
  expect(seen(trouble).split('\n')[0]).toContain('not saved');
  const well = following(trouble, { type: 'session.storage', session: 's1', trouble: null });
  expect(seen(well)).toContain('The session is saved again.');
  const always = following(begun(), { type: 'session.storage', session: 's1', trouble: null });
  expect(seen(always)).not.toContain('saved');
});

test('/session, /name and /fork', () => {
  const state = following(begun(), { type: 'session.listed', sessions: [kept] });
  expect(runSlash('/session resume last', state).sends).toEqual([{ type: 'session.resume', session: 'last' }]);
  expect(runSlash('/session resume ab-12', state).sends).toEqual([{ type: 'session.resume', session: 'ab-12' }]);
  expect(runSlash('/session new', state).sends).toEqual([{ type: 'session.new' }]);
  expect(runSlash('/session resume', state).notices[0]?.text).toContain('/session resume <id|last>');
  expect(runSlash('/name disks of may', state).sends).toEqual([{ type: 'session.rename', name: 'disks of may' }]);
  expect(runSlash('/name', following(state, { type: 'session.renamed', name: 'disks' })).notices[0]?.text).toBe(
    'This session is called disks; its id is s1.',
  );
  expect(runSlash('/fork', state).sends).toEqual([{ type: 'session.fork' }]);
});

test.each([
  [40, 'the disk is full', 'not saved: the disk is full  ask'],
  [60, 'the disk is full', 'not saved: the disk is full  ask'],
  [100, 'the file system is read-only', 'not saved: the file system is read-only  ask'],
  [100, 'another program writes this session now; /fork goes on in a copy of it', 'not saved  ask'],
])('%d columns: while it is not saved (%s) the header says so, and stops when it is', (cols, trouble, words) => {
  const top = (state: ReturnType<typeof begun>) => seen(state).split('\n')[0] ?? '';
  let state = stateAfter(cols, 24, [startedEvent(), { type: 'session.storage', session: 's1', trouble }]);
  for (let prompt = 1; prompt <= 30; prompt++)
    state = following(state, { type: 'task.started', task: String(prompt), kind: 'prompt', text: `prompt ${prompt}`, pane: null });
  expect(top(state)).toContain(words);
  expect(top(following(state, { type: 'session.storage', session: 's1', trouble: null }))).not.toContain('not saved');
});

test('the tasks of before are in the list again, with how they ended, and jobs tell their end where they ended', () => {
  const job: readonly RuntimeEvent[] = [
    ...said.slice(0, 4),
    { type: 'task.ended', task: 'past-1', outcome: 'completed', exitCode: null, error: null },
    { type: 'task.started', task: 'past-9', kind: 'job', text: 'apt-get -y upgrade', pane: null },
    { type: 'task.ended', task: 'past-9', outcome: 'completed', exitCode: 100, error: null },
  ];
  const resumed: RuntimeEvent = { type: 'session.resumed', session: 'ab-12', name: null, copyOf: null, past: past(...job) };
  const state = following(stateAfter(140, 40, [startedEvent()]), resumed);
  expect(seen(state)).toMatch(/✗ earlier job apt-get -y upgrade +exit 100/);
  expect(seen(state)).toMatch(/✓ earlier prompt how full is the disk\? +done/);
  expect(seen(state)).toMatch(/job ended: exit 100 · apt-get -y upgrade[\s\S]*it goes on here/);
  const next = following(state, { type: 'task.started', task: '1', kind: 'job', text: 'sleep 9', pane: null });
  expect(seen(next)).toMatch(/⧗ #1 job sleep 9/);
  const other = following(next, { ...resumed, session: 'cd-34', past: past(...said) });
  expect(other.tasks.map(({ id }) => id)).toEqual(['past-1', '1']);
});
