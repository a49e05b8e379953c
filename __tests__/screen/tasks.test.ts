/** Journeys through the task list: keys in, screen out. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const started = (task: string, kind: 'prompt' | 'job' | 'command', text: string, pane: string | null = null): RuntimeEvent => ({
  type: 'task.started',
  task,
  kind,
  text,
  pane,
});
const ended = (task: string, exitCode: number | null): RuntimeEvent => ({
  type: 'task.ended',
  task,
  outcome: 'completed',
  exitCode,
  error: null,
});
const output = (text: string, offset = 0, id: string | null = null): RuntimeEvent => ({
  type: 'task.output',
  task: '2',
  output: { text, offset, total: offset + text.length, id },
});
const question: RuntimeEvent = {
  type: 'approval.requested',
  request: { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'uptime', target: 'web-01', cwd: '/', claim: null },
};
const session = (cols: number, rows: number, ...more: readonly RuntimeEvent[]): State =>
  following(
    stateAfter(cols, rows, [startedEvent()]),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.opened', pane: '%2', title: 'build' },
    started('9', 'job', 'journalctl', '%1'),
    ended('9', 0),
    started('2', 'job', 'apt upgrade', '%2'),
    { type: 'task.progress', task: '2', lastLine: 'Unpacking …' },
    started('1', 'prompt', 'why is it full?'),
    { type: 'queue.changed', waiting: [{ id: 'q', text: 'and then?', mode: 'follow-up' }] },
    ...more,
  );
const keys = (state: State, ...names: readonly string[]) => press(state, START_MS, ...names);
const inTasks = (state: State): State => keys(state, 'S-tab').state;
const cancel = (task: string) => ({ type: 'send', command: { type: 'task.cancel', task } });
const watch = (task: string | null) => ({ type: 'send', command: { type: 'task.watch', task } });
const limit = (task: string, afterMs: number | null) => ({ type: 'send', command: { type: 'task.deadline', task, afterMs } });
const listed = (state: State): readonly string[] =>
  seen(state)
    .split('\n')
    .filter((line) => /[?▶⧗…✓] /.test(line) && !/^>|Enter detail/.test(line))
    .map((line) => line.replace(/│/g, '').trim().replace(/ {3,}/g, ' | '));

test('questions, the prompt, what is queued, jobs, what has ended: each with what is known of it', () => {
  const state = following(inTasks(session(60, 24, question)), { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'user' });
  expect(listed(inTasks(session(60, 24, question)))[0]).toBe('? #1 waits for your answer: run');
  expect(listed(state)).toEqual([
    '▶ #1 prompt why is it full? | running  0 s',
    '… follow-up  and then?',
    '⧗ #2 job apt upgrade | running  0 s  pane build',
    'Unpacking …',
    '✓ #9 job journalctl | exit 0  0.0 s  pane shared',
  ]);
});

test('a job in detail: its command, place, times and output, which is followed until it is scrolled', () => {
  const text = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `step ${from + i}\r\n`).join('');
  const opened = keys(inTasks(session(100, 30)), 'down', 'down', 'enter');
  expect(opened.effects).toEqual([watch('2')]);
  expect(seen(opened.state)).toMatch(/─ job #2 ─[\s\S]*apt upgrade[\s\S]*on this host · root@web-01 · pane build %2/);
  expect(seen(opened.state)).toMatch(/began \d\d:\d\d:\d\d · running for 0 s[\s\S]*its output is not known/);
  let state = following(opened.state, output(text(0, 200), 4200, 'o7'));
  expect(seen(state)).toContain('output · 4.2 kB (offset 4200) before this: read_output o7');
  expect(seen(state)).toContain('│step 199 ');
  state = keys(state, 'pageup', 'up').state;
  const read = seen(state).match(/│step \d+ /g);
  expect(seen(state)).toMatch(/rows \d+–\d+ of 200 {2}stands still, End follows/);
  state = following(state, output(text(100, 300), 5000, 'o7'), ended('2', 3));
  expect(seen(state).match(/│step \d+ /g)).toEqual(read);
  expect(seen(state)).toMatch(/· exit 3 \d\d:\d\d:\d\d after/);
  state = keys(state, 'end').state;
  expect(seen(state)).toContain('│step 299 ');
  state = keys(state, 'home').state;
  expect(seen(state)).toContain('│step 100 ');
  const closed = keys(state, 'escape');
  expect([closed.effects, closed.state.focus]).toEqual([[watch(null)], 'tasks']);
  expect(seen(closed.state)).not.toContain('─ job #2 ─');
});

test('a prompt and a command of the person’s own show what their newest call prints', () => {
  const call = (task: string, id: string, name: string): readonly RuntimeEvent[] => [
    { type: 'tool.requested', task, call: id, name, preview: 'make' },
    { type: 'tool.started', task, call: id },
    { type: 'tool.output', task, call: id, text: '\x1b[31mcompiling\x1b[0m\r\nlinking\r\n' },
  ];
  const state = inTasks(session(100, 30, ...call('1', 'c', 'run_shell'), started('3', 'command', 'make'), ...call('3', 'own-3', '!')));
  expect(listed(state)).toContain('▶ #3 command make | running  0 s');
  expect(seen(state)).toContain('    linking');
  const prompt = keys(state, 'enter');
  expect(prompt.effects).toEqual([]);
  expect(seen(prompt.state)).toMatch(/output of its newest call[\s\S]*│compiling +│[\s\S]*│linking +│/);
  const own = keys(state, 'down', 'down', 'down', 'enter');
  expect(seen(own.state)).toMatch(/─ command #3 ─[\s\S]*│output +│[\s\S]*│linking +│/);
});

test('k stops a job at once, and a prompt after a question', () => {
  const state = inTasks(session(60, 24));
  const job = keys(state, 'down', 'down', 'k');
  expect(job.effects).toEqual([cancel('2')]);
  expect(listed(job.state)[2]).toContain('stopping');
  expect(keys(job.state, 'k').effects).toEqual([]);
  const asked = keys(state, 'k');
  expect(asked.effects).toEqual([]);
  expect(seen(asked.state)).toMatch(/─ stop the whole prompt #1\? ─[\s\S]*why is it full\?[\s\S]*\[y\] stop it {2}\[n\] let it go on/);
  expect(keys(asked.state, 'n', 'k', 'escape', 'x').effects).toEqual([]);
  expect(keys(asked.state, 'y').effects).toEqual([cancel('1')]);
  const gone = keys(following(asked.state, ended('1', null)), 'y');
  expect([gone.effects, gone.state.taskList.stopping]).toEqual([[], null]);
  expect(seen(keys(state, 'end', 'k').state)).toContain('Not now: it has ended.');
});

test('t asks for a time-out and takes only a duration', () => {
  const asked = keys(inTasks(session(60, 24)), 'down', 'down', 't');
  expect(seen(asked.state)).toMatch(/─ stop #2 after ─[\s\S]*90s, 10m, 1h30m; off takes a time-out away/);
  const wrong = keys(asked.state, 's', 'o', 'o', 'n', 'enter');
  expect([wrong.effects, seen(wrong.state)]).toEqual([[], expect.stringContaining('"soon" is not a duration. Write for example 30s,')]);
  const right = keys(wrong.state, 'C-u', '1', '0', 'x', 'backspace', 'm');
  expect(compose(right.state, right.state.theme).cursor).toMatchObject({ x: 7, shown: true });
  expect(keys(right.state, 'enter').effects).toEqual([limit('2', 600_000)]);
  expect(keys(asked.state, 'enter').effects).toEqual([limit('2', null)]);
  const left = keys(right.state, 'escape');
  expect([left.effects, left.state.taskList.limit]).toEqual([[], null]);
  const pasted = handleInput(asked.state, { type: 'paste', text: '\n 90s\nrm -rf /', complete: true }, START_MS).state;
  expect(pasted.taskList.limit?.text).toBe(' 90s');
  const limited = following(right.state, { type: 'task.deadline', task: '2', atMs: START_MS + 601_000 });
  expect(listed(keys(limited, 'escape').state)[2]).toContain('of 10:00');
});

test('a question hides what is open and has the keys; after it all is as it was', () => {
  const opened = keys(inTasks(session(100, 30)), 'down', 'down', 'enter', 't', '9').state;
  const asked = following(opened, question);
  expect(seen(asked)).not.toMatch(/─ job #2 ─|─ stop #2 after ─/);
  const answered = following(keys(asked, 'escape').state, { type: 'approval.resolved', approval: 'a', decision: 'deny', by: 'user' });
  expect(seen(answered)).toMatch(/─ stop #2 after ─/);
  expect(keys(answered, 'escape', 'escape').effects).toEqual([watch(null)]);
});

test('a long list keeps the chosen entry in sight, and every window fits every size', () => {
  const many = Array.from({ length: 40 }, (_, i) => started(String(20 + i), 'job', `job number ${i} 漢字👩‍💻\x1b]0;x\x07`, '%1'));
  let state = inTasks(session(60, 24, ...many));
  state = keys(state, 'end').state;
  expect(seen(state)).toContain('#9 job journalctl');
  state = keys(state, 'up', 'enter').state;
  for (const name of ['', 't', 'escape', 'escape', 'home', 'k']) {
    if (name !== '') state = keys(state, name).state;
    for (const [cols, rows] of [
      [1, 1],
      [40, 10],
      [60, 20],
      [80, 24],
      [500, 200],
    ] as const)
      expect(seen(reduce(state, { type: 'resized', size: { cols, rows } }))).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  }
});
