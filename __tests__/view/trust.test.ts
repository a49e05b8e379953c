/** The question about the working folder: what it shows, what each answer does, and where the screen tells that it waits. */

import { runSlash } from '../../lib/commands/index.js';
import type { FolderTrust, ProjectListing } from '../../lib/protocol/project.js';
import type { Effect } from '../../lib/view/effects.js';
import { noProject, projectWords } from '../../lib/view/project.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const listing: ProjectListing = {
  folder: '/srv/app',
  trust: 'changed',
  files: ['buddy.toml'],
  lines: [
    { key: 'agent.max_iterations', where: 'buddy.toml:2', says: '20 → 5', applies: true },
    {
      key: 'models.evil\u202e.api_key_file',
      where: 'buddy.toml:9',
      says: 'refused: which servers are used is for you to say',
      applies: false,
    },
  ],
  notes: ['one session in .buddyx/sessions that you did not begin here: never opened'],
  changes: ['agent.max_iterations was: 20 → 9; it is now: 20 → 5'],
  hash: '00',
};

const folder = (trust: FolderTrust, files: readonly string[] = ['buddy.toml']) => ({
  ...noProject,
  folder: { folder: '/srv/app', trust, files },
});

function asked(of: ProjectListing, cols = 90, rows = 24): State {
  const known = reduce(stateAfter(cols, rows, [startedEvent()]), { type: 'project', project: { folder: of, listing: of } });
  return reduce(known, { type: 'picker.open', kind: 'trust' });
}

const answers = (of: ProjectListing, ...keys: readonly string[]): readonly Effect[] => press(asked(of), START_MS, ...keys).effects;

test('/trust looks at the folder', () => {
  expect(runSlash('/trust', stateAfter(80, 24)).effects).toEqual([{ type: 'trust', answer: 'look' }]);
});

test('the list: answers first, then all that they are about, hidden characters made visible', () => {
  const lines = seen(asked(listing)).split('\n').slice(1, 12);
  expect(lines.map((line) => line.replace(/\s{2,}/g, '  ').trim())).toEqual([
    expect.stringMatching(/─ trust this folder\? ─/),
    '│>  │',
    '│ not now  │',
    '│ trust these files as they are now  │',
    '│ never ask here  │',
    '│ changed  agent.max_iterations was: 20 → 9; it is now: 20 → 5  │',
    '│ agent.max_iterations  20 → 5  buddy.toml:2 │',
    expect.stringMatching(/^│ models\.evil<U\+202E>\.api_key_file {2}refused: which servers/),
    '│ note  one session in .buddyx/sessions that you did not begin here: never opened  │',
    expect.stringContaining('1 of 7'),
    expect.anything(),
  ]);
});

test.each([
  ['Enter at once leaves all as it is', ['enter'], 'leave'],
  ['trust has to be chosen', ['down', 'enter'], 'trust'],
  ['never again', ['down', 'down', 'enter'], 'mute'],
  ['an entry that only tells something answers nothing', ['down', 'down', 'down', 'down', 'enter'], 'leave'],
  ['nor does one that is called like an answer', [...'evil', 'enter'], 'leave'],
])('%s', (_what, keys, answer) => {
  expect(answers(listing, ...keys)).toEqual([{ type: 'trust', answer }]);
});

test('Esc closes it and answers nothing', () => {
  expect(answers(listing, 'esc')).toEqual([]);
});

test('of a trusted folder it can be taken back; of one that is not asked about, too', () => {
  expect(answers({ ...listing, trust: 'trusted' }, 'down', 'enter')).toEqual([{ type: 'trust', answer: 'revoke' }]);
  expect(answers({ ...listing, trust: 'muted' }, 'down', 'down', 'enter')).toEqual([{ type: 'trust', answer: 'revoke' }]);
});

test('the line at the top tells of it while it waits', () => {
  const line = (project: State['project']) => seen(stateAfter(120, 24, [startedEvent()], { project })).split('\n')[0] ?? '';
  expect(line(folder('untrusted'))).toContain(' untrusted: /trust ');
  expect(line(folder('changed'))).toContain(' untrusted: /trust ');
  for (const trust of ['nothing', 'trusted', 'muted'] as const) expect(line(folder(trust))).not.toContain('/trust');
  expect(line(folder('changed', []))).not.toContain('/trust');
  expect(line(noProject)).not.toContain('/trust');
});

test('/status names the files that are in force, and what is ignored', () => {
  const status = (project: State['project']) =>
    runSlash('/status', stateAfter(80, 24, [startedEvent()], { project })).notices[0]?.text ?? '';
  expect(status({ ...folder('untrusted'), inForce: ['/home/ann/.config/buddy/buddy.toml'] })).toMatch(
    /^config {3}\/home\/ann\/\.config\/buddy\/buddy\.toml\nfolder {3}\/srv\/app is not trusted\. buddy\.toml is ignored\. \/trust shows more\.$/m,
  );
  expect(status({ ...folder('trusted'), inForce: ['/a.toml', '/srv/app/buddy.toml'] })).toMatch(
    /^config {3}\/a\.toml, \/srv\/app\/buddy\.toml$/m,
  );
  expect(status(noProject)).toMatch(/^config {3}no file: the defaults$/m);
});

test('all of it in words', () => {
  expect(projectWords(listing)).toEqual([
    '/srv/app is not what you trusted. buddy.toml is ignored.',
    'Changed since you trusted it:',
    '  agent.max_iterations was: 20 → 9; it is now: 20 → 5',
    'It would change:',
    '  agent.max_iterations       20 → 5  (buddy.toml:2)',
    'Refused, whatever you say:',
    '  models.evil<U+202E>.api_key_file  which servers are used is for you to say  (buddy.toml:9)',
    'Note: one session in .buddyx/sessions that you did not begin here: never opened.',
  ]);
});
