/** The tree of a session on the screen: walked, folded, searched, labelled, and gone on from. */

import { runSlash, slashCommands } from '../../lib/commands/index.js';
import { wordsOf } from '../../lib/modes/plain-words.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { draftOf } from '../../lib/view/editor/model.js';
import type { State } from '../../lib/view/state.js';
import { fruitTree } from './support/fruit.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const open = (cols = 80, rows = 30) => following(stateAfter(cols, rows, [startedEvent()], { commands: slashCommands }), fruitTree);
const keys = (state: State, ...names: readonly string[]) => press(state, START_MS, ...names).state;
/** The rows of the window, without its border and the times. */
const shown = (state: State) =>
  seen(state)
    .split('\n')
    .slice(2, -2)
    .map((line) =>
      line
        .replace(/^[│┃] ?|\s*[│┃]$/g, '')
        .replace(/\s+(\d+ \w+ ago|just now)$/, '')
        .trimEnd(),
    )
    .filter((line) => line !== '');
/** The text of the chosen row: what Enter would go on from. */
const chosen = (state: State) => press(state, START_MS, 'enter').effects;
const goes = (entry: string) => [{ type: 'send', command: { type: 'tree.go', entry } }];

test('the branch in use comes first; the place where it goes on is marked, and so are labels', () => {
  expect(shown(open(100, 30))).toEqual([
    '>',
    '├─ ▾ ● why is the disk full on web-01?',
    '│  ◆ I will look at the largest folders first.',
    '│  ▶ 2 calls: run_shell  du -xh /var · exit 0 · run_shell  df -h 日本語 · exit 0',
    '│  ◆ The journal is 14 GB. #the journal',
    '│  ├─ ▾ ● what writes so much?',
    expect.stringMatching(/^│ {2}│ {2}◆ A service that restarts each second\. .*…$/),
    '│  │  ≡ summarised: 68000 tokens became 9000',
    '│  │  ● stop it ← here',
    '│  └─ ▾ ● shrink it',
    '│     ▶ run_shell  journalctl --vacuum-size=500M · denied',
    '│     ◆ Nothing was changed.',
    '└─ ▾ ● how full is /srv? #other',
    '   ◆ Half.',
  ]);
});

test('Enter goes on from what is chosen; where the conversation stands there is nowhere to go, but a prompt can be asked anew', () => {
  expect(chosen(open())).toEqual(goes('12'));
  expect(chosen(keys(open(), 'up'))).toEqual(goes('11'));
  expect(chosen(keys(open(), 'end'))).toEqual(goes('14'));
  const there = press(following(open(), { ...fruitTree, leaf: '10' }), START_MS, 'enter');
  expect(there.effects).toEqual([]);
  expect(there.state.tree).toBeNull();
  expect(seen(there.state)).toContain('The conversation goes on from there already.');
});

test('branches fold, calls unfold, and the keys go from branch to branch where there is nothing to fold', () => {
  const begin = keys(open(), 'left');
  expect(chosen(begin)).toEqual(goes('8'));
  const folded = keys(begin, 'left');
  expect(shown(folded)).toContain('│  ├─ ▸ ● what writes so much?');
  expect(shown(folded).join()).not.toContain('stop it');
  expect(shown(keys(folded, 'right')).join()).toContain('stop it');
  expect(chosen(keys(folded, 'right', 'right'))).toEqual(goes('5'));
  const calls = keys(open(), 'home', 'down', 'down', 'right');
  expect(shown(calls).slice(3, 6)).toEqual([
    '│  ▶ 2 calls',
    '│      run_shell  du -xh /var · exit 0',
    '│      run_shell  df -h 日本語 · exit 0',
  ]);
  expect(shown(keys(calls, 'left'))[3]).toContain('2 calls: run_shell');
});

test('typing searches in what was said, done and labelled; Esc takes the words away, then closes', () => {
  const found = keys(open(), ...'journal'.split(''));
  expect(shown(found)).toEqual([
    '> journal',
    '▾ ◆ The journal is 14 GB. #the journal',
    '▶ run_shell  journalctl --vacuum-size=500M · denied',
  ]);
  const none = keys(open(), ...'xyz'.split(''));
  expect(shown(none)).toEqual(['> xyz', 'nothing fits']);
  expect(press(none, START_MS, 'enter', 'L', 'left', 'right', 'up').effects).toEqual([]);
  const back = keys(found, 'escape');
  expect(shown(back)).toHaveLength(14);
  expect(keys(back, 'escape').tree).toBeNull();
});

test('filters: without tools, prompts, what has a label, all of it', () => {
  expect(shown(keys(open(), 'C-t')).join()).not.toContain('▶');
  expect(shown(keys(open(), 'C-u')).map((line) => line.replace(/^\W+/, ''))).toEqual([
    'prompts',
    'why is the disk full on web-01?',
    'what writes so much?',
    'stop it ← here',
    'shrink it',
    'how full is /srv? #other',
  ]);
  expect(shown(keys(open(), 'C-l')).slice(1)).toEqual(['├─ ◆ The journal is 14 GB. #the journal', '└─ ● how full is /srv? #other']);
  expect(shown(keys(open(), 'C-a')).join()).toContain('[harness] commands run on web-02 now');
  expect(keys(open(), 'C-a', 'C-o').tree?.filter).toBe('default');
  expect(keys(open(), 'S-tab').tree?.filter).toBe('all');
  expect(keys(open(), 'C-u', 'C-d').tree?.filter).toBe('default');
});

test('L writes a label, which is shown once it is told; nothing written takes it away', () => {
  const written = keys(open(), 'up', 'L', 'h', 'e', 'l', 'l', 'o', 'backspace');
  expect(shown(written)[0]).toBe('label: hell');
  const set = press(written, START_MS, 'enter');
  expect(set.effects).toEqual([{ type: 'send', command: { type: 'tree.label', entry: '11', label: 'hell' } }]);
  expect(shown(following(set.state, { type: 'session.labelled', entry: '11', label: 'hell' })).join('\n')).toContain('became 9000 #hell');
  const cleared = press(keys(open(), 'end', 'up', 'L'), START_MS, 'C-u', 'enter');
  expect(cleared.effects).toEqual([{ type: 'send', command: { type: 'tree.label', entry: '13', label: '' } }]);
  expect(keys(written, 'escape').tree).toMatchObject({ labelling: null, query: '' });
});

test('after the choice the conversation is the one that leads there, and a prompt stands in the draft again', () => {
  const long = following(open(), ...Array.from({ length: 300 }, (_, i): RuntimeEvent => ({ type: 'warning', message: `line ${i}` })));
  const reading = keys(keys(long, 'escape'), 'pageup', 'pageup');
  const past = [{ tsMs: START_MS, event: { type: 'task.started', task: 'past-1', kind: 'prompt', text: 'why?', pane: null } as const }];
  const state = following(reading, { type: 'session.branched', past, text: 'shrink it' });
  expect(seen(state)).toContain('● why?');
  expect(seen(state)).toContain('another branch from here on');
  expect(seen(state)).not.toContain('line 2');
  expect(draftOf(state.editor)).toBe('shrink it');
  const kept = following(keys(keys(open(), 'escape'), 'x'), { type: 'session.branched', past, text: null });
  expect(draftOf(kept.editor)).toBe('x');
});

test('/tree and /label; the tree waits while a prompt runs', () => {
  const idle = stateAfter(80, 24, [startedEvent()]);
  expect(runSlash('/tree', idle).sends).toEqual([{ type: 'tree.tell' }]);
  expect(runSlash('/tree 12', idle).sends).toEqual([{ type: 'tree.go', entry: '12' }]);
  expect(runSlash('/label the good one', idle).sends).toEqual([{ type: 'tree.label', entry: null, label: 'the good one' }]);
  const busy = following(idle, { type: 'task.started', task: '1', kind: 'prompt', text: 'hm', pane: null });
  expect(runSlash('/tree', busy)).toMatchObject({
    sends: [],
    notices: [{ text: '/tree waits until the running prompt has ended; Esc interrupts it.' }],
  });
  const late = press(following(open(), { type: 'task.started', task: '1', kind: 'prompt', text: 'hm', pane: null }), START_MS, 'enter');
  expect([late.effects, seen(late.state).includes('Not now: a prompt is running.')]).toEqual([[], true]);
});

test('in plain lines each entry has its number', () => {
  const lines = wordsOf(fruitTree, START_MS);
  expect(lines[3]).toBe('│  4. answer: The journal is 14 GB. #the journal');
  expect(lines.at(-1)).toBe('Go on from one of them with /tree and its number.');
});

test('ten thousand entries in one line are laid out at once', () => {
  const entries = Array.from({ length: 10_000 }, (_, i) => ({
    ...{
      id: `${i}`,
      parent: i === 0 ? null : `${i - 1}`,
      kind: 'prompt' as const,
      text: `prompt ${i}`,
      calls: [],
      label: null,
      tsMs: START_MS,
    },
  }));
  const state = following(stateAfter(80, 24, [startedEvent()]), { type: 'tree.told', entries, leaf: '9999' });
  expect(shown(state).at(-1)).toContain('prompt 9999 ← here');
  expect(shown(keys(state, 'home'))[1]).toContain('prompt 0');
});
