/** Journeys through what waits: seen, taken back, deleted and moved, in the list of /queue and among the tasks. */

import { slashStep } from '../../lib/commands/index.js';
import type { QueuedText, RuntimeEvent } from '../../lib/protocol/events.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { unsentText, withDraft } from '../../lib/view/unsent.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const text = (id: string, of: string, mode: QueuedText['mode'] = 'follow-up'): QueuedText => ({ id, text: of, mode });
const queued = (...waiting: readonly QueuedText[]): RuntimeEvent => ({ type: 'queue.changed', waiting });
const [one, two, three] = [text('q1', 'and then?\nmore of it'), text('q2', 'not so fast', 'steer'), text('q3', 'at last')];
const busy = (...waiting: readonly QueuedText[]): State =>
  following(
    stateAfter(80, 24, [startedEvent()]),
    { type: 'task.started', task: '1', kind: 'prompt', text: 'why is it full?', pane: null },
    queued(...waiting),
  );
const keys = (state: State, ...names: readonly string[]) => press(state, START_MS, ...names);
const edit = (id: string, change: string) => ({ type: 'send', command: { type: 'queue.edit', queued: id, change } });
/** The rows of the list; `*` before the one that its foot says is chosen. */
const listed = (state: State): readonly string[] => {
  const chosen = Number(/─ (\d+) of \d+ ─/.exec(seen(state))?.[1]);
  const rows = seen(state)
    .split('\n')
    .filter((line) => /(steer|follow-up) \d+ │/.test(line));
  return rows.map((line, at) => `${at + 1 === chosen ? '*' : ''}${line.replace(/│/g, '').trim().replace(/ {3,}/g, ' | ')}`);
};

describe('the list', () => {
  test('opens from the draft while something waits, and says each in its order', () => {
    const open = keys(busy(one, two, three), 'M-up').state;
    expect(seen(open)).toContain('─ what waits ─');
    expect(listed(open)).toEqual(['*and then? more of it | follow-up 1', 'not so fast | steer 2', 'at last | follow-up 3']);
    expect(seen(open).split('\n').at(-1)).toContain('Enter edit · Del delete · Shift+↑ earlier · Shift+↓ later');
    expect(keys(busy(), 'M-up').state.picker).toBeNull();
  });

  test('Enter takes one back: it stands in the draft, before what was being written, and is edited there', () => {
    const writing = keys(busy(one, two, three), 'x', 'M-up', 'down', 'down', 'enter');
    expect(writing.effects).toEqual([edit('q3', 'take')]);
    expect([writing.state.picker, writing.state.focus]).toEqual([null, 'editor']);
    const back = following(writing.state, queued(one, two), { type: 'queue.returned', texts: ['at last'] });
    expect(draftOf(back.editor)).toBe('at last\nx');
  });

  test('Del deletes one; the next one is chosen then, and with the last one the list is closed', () => {
    const open = keys(busy(one, two, three), 'M-up', 'down').state;
    expect(keys(open, 'delete').effects).toEqual([edit('q2', 'delete')]);
    const less = following(open, queued(one, three));
    expect(listed(less)).toEqual(['and then? more of it | follow-up 1', '*at last | follow-up 2']);
    expect(keys(less, 'delete').effects).toEqual([edit('q3', 'delete')]);
    expect(following(less, queued()).picker).toBeNull();
  });

  test('one that is moved stays chosen', () => {
    const open = keys(busy(one, two, three), 'M-up', 'down', 'down').state;
    expect(keys(open, 'S-up').effects).toEqual([edit('q3', 'earlier')]);
    const moved = following(open, queued(three, two, one));
    expect(listed(moved)[0]).toBe('*at last | follow-up 1');
    expect(keys(moved, 'S-down').effects).toEqual([edit('q3', 'later')]);
  });

  test('after the last one was deleted it is the one before that is chosen, and stays so when it is moved', () => {
    const open = keys(busy(one, two, three), 'M-up', 'down', 'down').state;
    const less = following(open, queued(one, two));
    expect(listed(less)[1]).toBe('*not so fast | steer 2');
    expect(keys(less, 'S-up').effects).toEqual([edit('q2', 'earlier')]);
    const moved = following(less, queued(two, one));
    expect(listed(moved)[0]).toBe('*not so fast | steer 1');
    expect(keys(moved, 'delete').effects).toEqual([edit('q2', 'delete')]);
  });

  test('what was found and chosen stays so when the one before it gets its turn', () => {
    const [first, other, second] = [text('q1', 'tail the log'), text('q2', 'reboot'), text('q3', 'tail the mail')];
    const found = keys(busy(first, other, second), 'M-up', ...'tail', 'down').state;
    expect(listed(found)).toEqual(['tail the log | follow-up 1', '*tail the mail | follow-up 3']);
    const less = following(found, queued(other, second, text('q4', 'tail the rest')));
    expect(listed(less)).toEqual(['*tail the mail | follow-up 2', 'tail the rest | follow-up 3']);
    expect(keys(less, 'delete').effects).toEqual([edit('q3', 'delete')]);
  });

  test('is searched by typing, and what was found is what is meant', () => {
    const found = keys(busy(one, two, three), 'M-up', 'f', 'a', 's', 't');
    expect(listed(found.state)).toEqual(['*not so fast | steer 2']);
    expect(keys(found.state, 'delete').effects).toEqual([edit('q2', 'delete')]);
  });

  test('of others knows none of these keys', () => {
    const palette = keys(busy(one), 'C-p');
    expect(keys(palette.state, 'delete', 'S-up').effects).toEqual([]);
  });
});

describe('among the tasks', () => {
  const inTasks = (...waiting: readonly QueuedText[]) => keys(busy(...waiting), 'S-tab', 'down').state;

  test('keys do the same to the chosen text', () => {
    const state = inTasks(one, two);
    expect(['e', 'enter', 'k', 'K', 'S-down'].map((key) => keys(state, key).effects)).toEqual(
      ['take', 'take', 'delete', 'earlier', 'later'].map((change) => [edit('q1', change)]),
    );
    expect(keys(state, 'e').state.focus).toBe('editor');
  });

  test('after a deletion the next text is chosen, not the running prompt', () => {
    const state = following(inTasks(one, two, three), queued(two, three));
    expect(keys(state, 'k').effects).toEqual([edit('q2', 'delete')]);
    const last = following(keys(state, 'down').state, queued(two));
    expect(keys(last, 'k').effects).toEqual([edit('q2', 'delete')]);
  });
});

describe('/queue', () => {
  const run = (line: string, ...waiting: readonly QueuedText[]) => slashStep(line, busy(...waiting));

  test('opens the list while a prompt runs, and says when nothing waits', () => {
    expect(seen(run('/queue', one).state)).toContain('─ what waits ─');
    expect(seen(run('/queue').state)).toContain('Nothing waits.');
  });

  test('changes one by its number, or takes all back', () => {
    expect(run('/queue edit 2', one, two).effects).toEqual([edit('q2', 'take')]);
    expect(run('/queue later 1', one, two).effects).toEqual([edit('q1', 'later')]);
    expect(run('/queue delete', one).effects).toEqual([edit('q1', 'delete')]);
    expect(run('/queue edit all', one, two).effects).toEqual([{ type: 'send', command: { type: 'queue.recall' } }]);
  });

  test.each([
    ['/queue delete 3', 'There is no text 3: 2 wait.'],
    ['/queue delete', 'Write /queue to see what waits, or /queue edit 2,'],
    ['/queue eat 1', 'Write /queue to see what waits, or /queue edit 2,'],
    ['/queue constructor 1', 'Write /queue to see what waits, or /queue edit 2,'],
  ])('%s is answered with what to write', (line, words) => {
    const { state, effects } = run(line, one, two);
    expect(effects).toEqual([]);
    expect(seen(state)).toContain(words);
  });
});

describe('what waits when the program ends', () => {
  test('is kept with the draft, and stands in the editor of the next run', () => {
    const state = keys(busy(one, two), 'x').state;
    expect(unsentText(state)).toBe('and then?\nmore of it\nnot so fast\nx');
    const next = withDraft(stateAfter(80, 24, [startedEvent()]), unsentText(state));
    expect(draftOf(next.editor)).toBe('and then?\nmore of it\nnot so fast\nx');
  });

  test('is kept once, whether it still waits or was given back already', () => {
    const given = following(busy(one, two), queued(), { type: 'queue.returned', texts: [one.text, two.text] });
    expect(unsentText(given)).toBe(unsentText(busy(one, two)));
  });

  test('an answer to a question that is being written does not mix with what comes back', () => {
    const question: RuntimeEvent = {
      type: 'approval.requested',
      request: { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'ls', target: 'web-01', cwd: '/', claim: null },
    };
    const shown = reduce(following(keys(busy(), 'd').state, question), { type: 'shown', nowMs: START_MS });
    const answering = press(shown, START_MS + 1000, 'f', 'n', 'o').state;
    const back = following(answering, { type: 'queue.returned', texts: ['later'] });
    expect(unsentText(back)).toBe('later\nd');
    expect(draftOf(back.editor)).toBe(draftOf(answering.editor));
  });
});
