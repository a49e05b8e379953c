/** The list of sessions: looked through, ordered, previewed, renamed and deleted. */

import { runSlash, slashCommands } from '../../lib/commands/index.js';
import type { SessionSummary } from '../../lib/protocol/sessions.js';
import { settle } from '../../lib/view/app.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { listedSessions, sessionPreview } from './support/kept-sessions.js';
import { following, keyEvent, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const open = (cols = 120, rows = 30): State => {
  const begun = reduce(stateAfter(cols, rows, [startedEvent()], { commands: slashCommands }), { type: 'picker.open', kind: 'session' });
  return following(begun, { type: 'session.listed', sessions: listedSessions });
};
const keys = (state: State, ...names: readonly string[]) => press(state, START_MS, ...names).state;
const chosen = (state: State) => press(state, START_MS, 'enter').effects;
const resumes = (session: string) => [{ type: 'send', command: { type: 'session.resume', session } }];
/** The entries in their order. */
const order = (state: State) => {
  const found: string[] = [];
  for (let now = keys(state, ...Array(20).fill('up')), at = 0; at < listedSessions.length; at++, now = keys(now, 'down')) {
    const [effect] = chosen(now);
    const id = effect?.type === 'send' && effect.command.type === 'session.resume' ? effect.command.session : '';
    if (id !== '' && !found.includes(id)) found.push(id);
  }
  return found;
};

test('it is searched by name, first prompt and label', () => {
  expect(chosen(keys(open(), ...'disks'))).toEqual(resumes('s-disks'));
  expect(chosen(keys(open(), ...'slow'))).toEqual(resumes('s-slow'));
  expect(chosen(keys(open(), ...'#good'))).toEqual(resumes('s-mail'));
});

test('another order, only those with a name; what is said at the top tells', () => {
  expect(order(open())).toEqual(['s-slow', 's-disks', 's-mail']);
  expect(seen(open())).toContain('newest first');
  const oldest = keys(open(), 'C-s');
  expect(order(oldest)).toEqual(['s-mail', 's-disks', 's-slow']);
  expect(seen(oldest)).toContain('oldest first');
  expect(order(keys(oldest, 'C-s'))).toEqual(['s-disks', 's-mail', 's-slow']);
  expect(order(keys(oldest, 'C-s', 'C-s'))).toEqual(['s-disks', 's-slow', 's-mail']);
  const named = keys(open(), 'C-t');
  expect(order(named)).toEqual(['s-disks', 's-mail']);
  expect(seen(named)).toContain('with a name · newest first');
});

test('the end of the chosen one is asked for once, and shown beside the list, below it, or not at all', () => {
  const asked = settle(open());
  expect(asked.effects).toContainEqual({ type: 'send', command: { type: 'session.preview', session: 's-slow' } });
  expect(settle(asked.state).effects).toEqual([]);
  const moved = settle(keys(asked.state, 'down'));
  expect(moved.effects).toContainEqual({ type: 'send', command: { type: 'session.preview', session: 's-disks' } });
  const shown = following(moved.state, { type: 'session.previewed', preview: sessionPreview });
  const text = seen(shown);
  for (const words of ['gpt · web-01 (ssh)', '/srv/日本語', '12 prompts · 48.0 kB', '● how full is it now?', '◆ 78 %.'])
    expect(text).toContain(words);
  // What belongs to another one is not shown as this one's.
  expect(seen(keys(shown, 'up'))).not.toContain('◆ 78 %.');
  const small = following(keys(open(60, 30), 'down'), { type: 'session.previewed', preview: sessionPreview });
  expect(seen(small)).toContain('● how full is it now?');
  const smallest = following(keys(open(60, 14), 'down'), { type: 'session.previewed', preview: sessionPreview });
  expect(seen(smallest)).not.toContain('◆ 78 %.');
});

test('renamed: the name is written in its own line, sent, and shown once it is told', () => {
  const written = keys(open(), 'down', 'C-r', 'C-u', ...'big', 'space', ...'disks', 'x', 'backspace');
  expect(seen(written)).toContain('new name: big disks');
  expect(seen(written)).toContain('Enter name it · Esc back');
  const set = press(written, START_MS, 'enter');
  expect(set.effects).toEqual([{ type: 'send', command: { type: 'session.rename', session: 's-disks', name: 'big disks' } }]);
  const told = following(set.state, { type: 'session.renamed', session: 's-disks', name: 'big disks' });
  expect(seen(told)).toContain('big disks');
  expect(told.kept.name).toBeNull();
  expect(press(keys(open(), 'C-r', ...'x', 'escape'), START_MS, 'C-r', 'enter').effects).toEqual([]);
});

test('deleted only after y; no other key, click or paste is an answer', () => {
  const asked = keys(open(), 'down', 'C-d');
  expect(seen(asked)).toContain('Delete "disks of may"? y deletes it, n keeps it.');
  for (const other of ['enter', 'Y', 'x', 'space', 'tab', 'down', 'C-d']) expect(press(asked, START_MS, other).effects).toEqual([]);
  expect(keys(asked, 'enter', 'x').kept.look.change).not.toBeNull();
  expect(keys(asked, 'n').kept.look.change).toBeNull();
  expect(keys(asked, 'escape').picker).not.toBeNull();
  const yes = press(asked, START_MS, 'y');
  expect(yes.effects).toEqual([{ type: 'send', command: { type: 'session.delete', session: 's-disks' } }]);
  const told = following(yes.state, { type: 'session.deleted', session: 's-disks', movedTo: '/srv/.buddyx/sessions/trash/s-disks.jsonl' });
  expect(order(told)).toEqual(['s-slow', 's-mail']);
  expect(seen(told)).toContain('The session was moved to /srv/.buddyx/sessions/trash/s-disks.jsonl');
});

test('one that another program has open is neither renamed nor deleted; one that is not this person’s only deleted', () => {
  const change = (more: Partial<SessionSummary>, key: string) => {
    const one = following(open(), { type: 'session.listed', sessions: [{ ...(listedSessions[0] as SessionSummary), ...more }] });
    return keys(one, key);
  };
  expect(seen(change({ open: true }, 'C-d'))).toContain('Not now: another program has it open.');
  expect(seen(change({ open: true }, 'C-r'))).toContain('Not now: another program has it open.');
  expect(seen(change({ foreign: 'it was renamed' }, 'C-r'))).toContain('Not now: it was renamed.');
  expect(change({ foreign: 'it was renamed' }, 'C-d').kept.look.change).toMatchObject({ kind: 'delete' });
});

test('opened again it asks and begins anew; in other lists these keys are what they were', () => {
  const asked = settle(keys(open(), 'C-d')).state;
  const again = reduce({ ...asked, picker: null }, { type: 'picker.open', kind: 'session' });
  expect(again.kept.look).toMatchObject({ change: null, asked: null, preview: null });
  const palette = reduce(asked, { type: 'picker.open', kind: 'palette' });
  expect(keys(palette, 'C-r').picker?.selected).toBe(1);
  expect(runSlash('/resume', open()).actions).toEqual([{ type: 'picker.open', kind: 'session' }]);
  expect(runSlash('/resume last', open()).sends).toEqual([{ type: 'session.resume', session: 'last' }]);
  expect(keyEvent('y')).toMatchObject({ text: 'y' });
});

test('nothing there, nothing yet, nothing that fits', () => {
  const begun = reduce(stateAfter(80, 24, [startedEvent()]), { type: 'picker.open', kind: 'session' });
  expect(seen(begun)).toContain('looking …');
  expect(seen(following(begun, { type: 'session.listed', sessions: [] }))).toContain('there are no earlier sessions in this folder');
  expect(seen(keys(open(), ...'zzzz'))).toContain('nothing fits');
});
