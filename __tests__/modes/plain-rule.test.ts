/** A rule in the plain mode: numbers in, the choice out. */

import { type PlainRuling, rulingAfter, rulingWords } from '../../lib/modes/plain-rule.js';
import { wordsOf } from '../../lib/modes/plain-words.js';
import { offerFor } from '../../lib/policy/approval-rules.js';
import type { ApprovalRequest } from '../../lib/protocol/approvals.js';

const place = { target: 'this host', host: 'web-01', user: 'ann', cwd: '/srv', shell: 'bash' };
const rule = offerFor({ kind: 'command', command: 'git log -1' }, place, null, '/home/ann') ?? undefined;
const plain = {
  id: 'a',
  task: '1',
  call: 'c',
  tool: 'run_shell',
  title: 'run',
  body: 'git log -1',
  target: 'this host',
  cwd: '/srv',
  claim: null,
};
const request: ApprovalRequest = rule === undefined ? plain : { ...plain, rule };
const first: PlainRuling = { request, subject: null };

test('the question offers a rule only where there is one', () => {
  expect(wordsOf({ type: 'approval.requested', request }, 0).at(-1)).toBe('5 yes, by a rule that you choose');
  expect(wordsOf({ type: 'approval.requested', request: plain }, 0).at(-1)).toBe('4 no, and say why');
});

test('first which, then where and how long', () => {
  expect(rulingWords(first)).toEqual([
    'Which rule? It lets through:',
    expect.stringMatching(/^1 every command that begins with `git log`;/),
    expect.stringMatching(/^2 every command that begins with `git log -1`;/),
    '3 exactly `git log -1`, with nothing before or behind it',
    '0 no rule; back to the question',
  ]);
  const second = rulingAfter(first, ' 1 ');
  expect(second).toEqual({ request, subject: 0 });
  expect(rulingWords({ request, subject: 0 })).toEqual([
    'Where, and how long?',
    '1 this session, in /srv, as ann on this host',
    '2 this session, as ann on this host',
    '3 always, in /srv, as ann on this host; saved',
    '4 always, as ann on this host; saved',
    '5 for an hour, in /srv, as ann on this host',
    '6 for an hour, as ann on this host',
    '0 no rule; back to the question',
  ]);
  expect(rulingAfter({ request, subject: 0 }, '3')).toEqual({ subject: 0, place: 0, saved: true });
});

test.each(['0', '', 'y', '1x', '-1', '9', '1e0', '0x1', '١'])('%j chooses nothing', (line) => {
  expect(rulingAfter(first, line)).toBeNull();
  expect(rulingAfter({ request, subject: 0 }, line)).toBeNull();
});

test('what a rule let through is said', () => {
  const made = { id: 'r1', subject: { kind: 'file', path: '/srv/a' }, place: { ...place, folder: null }, saved: false } as const;
  expect(wordsOf({ type: 'approval.ruled', task: '1', call: 'c', rule: made }, 0)).toEqual([
    'Not asked: your rule r1, write /srv/a (this session, as ann on this host)',
  ]);
});
