/** What rules cover: never more than their words say, and in doubt nothing. */

import fc from 'fast-check';
import { type Act, type ActPlace, covers, offerFor, unsound } from '../../lib/policy/approval-rules.js';
import { plainWords } from '../../lib/policy/plain-command.js';
import type { ModelClaim } from '../../lib/protocol/approvals.js';
import { type Rule, subjectText } from '../../lib/protocol/rules.js';

const place: ActPlace = { target: 'this host', host: 'web-01', user: 'ann', cwd: '/srv/app', shell: 'bash' };
const here = { target: 'this host', host: 'web-01', user: 'ann', folder: '/srv/app' };
const claim = (more: Partial<ModelClaim> = {}): ModelClaim => ({ risk: 'low', mutation: false, privesc: false, why: 'w', ...more });
const command = (text: string): Act => ({ kind: 'command', command: text });
const prefix = (...words: readonly string[]): Rule => ({ subject: { kind: 'command', words, exact: false }, place: here, saved: true });
const exact = (...words: readonly string[]): Rule => ({ subject: { kind: 'command', words, exact: true }, place: here, saved: true });

test.each([
  ['git log', ['git', 'log']],
  ["  grep -n 'a  b' x.txt ", ['grep', '-n', 'a  b', 'x.txt']],
  ['ls "my files"/a', ['ls', 'my files/a']],
  ['echo größe\n', ['echo', 'größe']],
])('plain: %s', (text, words) => expect(plainWords(text)).toEqual(words));

const compound = [
  'git log; rm x',
  'git log && rm x',
  'git log || rm x',
  'git log | sh',
  'git log & rm x',
  'git log\nrm x',
  'git log\r\nrm x',
  'git log > /etc/passwd',
  'git log >> x',
  'git log < x',
  'git log 2>&1',
  'git log >(sh)',
  'git log <<EOF\nx\nEOF',
  'git log $(rm x)',
  'git log `rm x`',
  'git log $HOME',
  'git log "$(rm x)"',
  'git log "`rm x`"',
  'git log "$x"',
  'git log $' + '{x}',
  "git log $'x'",
  'git log *.txt',
  'git log a?',
  'git log [ab]',
  'git log {a,b}',
  'git log ~/x',
  'git log \\\nrm',
  'git log a\\ b',
  'git log # x',
  'git log !x',
  'git log !!',
  'git log "!x"',
  "git log '!x'",
  "git log 'it''s'",
  'git log =ls',
  'git log ^a^b',
  '(git log)',
  '{ git log; }',
  'FOO=1 git log',
  '! git log',
  "git log 'unended",
  'git log "unended',
  "git log 'a\nb'",
  'git log\tx',
  'git\u00a0log',
  "'git' log",
  '"git" log',
  "g'i't log",
  '$git log',
  '-git log',
  '=git log',
  '',
];

test.each(compound)('no rule covers %j, nor is one offered for it', (text) => {
  expect(plainWords(text)).toBeNull();
  expect(covers(prefix('git', 'log'), command(text), place, claim())).toBe(false);
  expect(offerFor(command(text), place, claim(), '/home/ann')).toBeNull();
});

test('a prefix is one of words', () => {
  const rule = prefix('git', 'log');
  const yes = ['git log', 'git  log --oneline', "git log 'a b'", 'git log -p -- lib'];
  const no = [
    'git',
    'git logs',
    'git show',
    'gitlog',
    'xgit log',
    'git -C / log',
    '/usr/bin/git log',
    'sudo git log',
    'git --no-pager log',
  ];
  expect(yes.filter((text) => !covers(rule, command(text), place, claim()))).toEqual([]);
  expect(no.filter((text) => covers(rule, command(text), place, claim()))).toEqual([]);
});

test('an exact one is those words and no more', () => {
  const rule = exact('rm', '-r', 'build');
  expect(covers(rule, command('rm -r build'), place, claim({ risk: 'high' }))).toBe(true);
  expect(covers(rule, command('rm -r build /'), place, claim())).toBe(false);
  expect(covers(rule, command('rm -r'), place, claim())).toBe(false);
});

test.each([
  ['another target', { target: 'web-02 (ssh)' }],
  ['another host', { host: 'web-02' }],
  ['another user', { user: 'root' }],
  ['another folder', { cwd: '/srv' }],
  ['a folder below', { cwd: '/srv/app/lib' }],
  ['a folder that is not known', { cwd: '' }],
  ['a shell that is not known', { shell: 'xonsh' }],
])('it does not count at %s', (_what, more) => {
  expect(covers(prefix('git', 'log'), command('git log'), place, claim())).toBe(true);
  expect(covers(prefix('git', 'log'), command('git log'), { ...place, ...more }, claim())).toBe(false);
});

test.each([{ host: '' }, { user: '' }])('of a place that is not known there is no rule: %j', (more) => {
  const unknown = { ...place, ...more };
  expect(offerFor(command('git log'), unknown, claim(), '/home/ann')).toBeNull();
  expect(covers({ ...prefix('git', 'log'), place: { ...here, ...more } }, command('git log'), unknown, claim())).toBe(false);
});

test('a rule for any folder counts in all of them', () => {
  const anywhere: Rule = { ...prefix('git', 'log'), place: { ...here, folder: null } };
  expect(covers(anywhere, command('git log'), { ...place, cwd: '/elsewhere' }, claim())).toBe(true);
});

test('what the model says of it can only make it stricter', () => {
  expect(covers(prefix('make'), command('make x'), place, claim({ risk: 'high' }))).toBe(false);
  expect(covers(prefix('make'), command('make x'), place, claim({ privesc: true }))).toBe(false);
  expect(covers(prefix('make'), command('make x'), place, claim({ mutation: true }))).toBe(true);
});

test.each([
  'sudo ls',
  'env FOO=1 ls',
  'bash -c ls',
  'python3.11 x.py',
  '/usr/bin/python3 x.py',
  'xargs rm',
  'ssh web-02 ls',
  'rm -r build',
  '/bin/rm -r build',
  'find . -delete',
  'curl https://example.org',
  'mkfs.ext4 /dev/sdb',
  'exec ls',
  'git -C / log',
  'git clean -fd',
  'git config core.pager x',
  'npm exec x',
  'SUDO ls',
])('of %s only the whole command can be a rule', (text) => {
  const offer = offerFor(command(text), place, claim(), '/home/ann');
  expect(offer?.subjects.map((subject) => subject.kind === 'command' && subject.exact)).toEqual([true]);
  const words = plainWords(text) ?? [];
  for (let count = 1; count <= words.length; count++) {
    const rule = prefix(...words.slice(0, count));
    expect(covers(rule, command(`${text} more`), place, claim())).toBe(false);
    expect(unsound(rule.subject)).not.toBeNull();
  }
});

test('what is offered for a command, from the widest to the narrowest; the program and what it does is proposed', () => {
  const offer = offerFor(command('git log --oneline -5'), place, claim(), '/home/ann');
  expect(offer?.subjects.map(subjectText)).toEqual(['git log …', 'git log --oneline …', 'git log --oneline -5 …', 'git log --oneline -5']);
  expect(offer?.proposed).toBe(0);
  expect(offer?.places.map((where) => where.folder)).toEqual(['/srv/app', null]);
  const plain = offerFor(command('ls -la /srv'), place, claim(), '/home/ann');
  expect(plain?.subjects[plain.proposed]).toEqual({ kind: 'command', words: ['ls', '-la', '/srv'], exact: true });
});

test.each(['constructor x', '__proto__ x', 'toString'])('a program may be called anything: %s', (text) => {
  expect(offerFor(command(text), place, claim(), '/home/ann')?.subjects.length).toBeGreaterThan(1);
});

test('a program that is named from the folder is one of that folder', () => {
  expect(offerFor(command('./deploy staging'), place, claim(), '/home/ann')?.places.map((where) => where.folder)).toEqual(['/srv/app']);
  expect(offerFor(command('./deploy staging'), { ...place, cwd: '' }, claim(), '/home/ann')).toBeNull();
});

test('what the model calls high risk is offered as it is only', () => {
  const offer = offerFor(command('make clean'), place, claim({ risk: 'high' }), '/home/ann');
  expect(offer?.subjects.map(subjectText)).toEqual(['make clean']);
});

describe('writing', () => {
  const write = (path: string): Act => ({ kind: 'write', path });
  const anywhere = { ...here, folder: null };
  const file: Rule = { subject: { kind: 'file', path: '/srv/app/a.txt' }, place: anywhere, saved: false };
  const folder: Rule = { subject: { kind: 'folder', path: '/srv/app' }, place: anywhere, saved: false };

  test('a file is that file', () => {
    expect(covers(file, write('/srv/app/a.txt'), place, null)).toBe(true);
    for (const path of ['/srv/app/a.txt.bak', '/srv/app', '/srv/app/b.txt'])
      expect([path, covers(file, write(path), place, null)]).toEqual([path, false]);
  });

  test('a folder is what is in it and below, but nothing hidden', () => {
    for (const path of ['/srv/app/a', '/srv/app/lib/deep/a.ts'])
      expect([path, covers(folder, write(path), place, null)]).toEqual([path, true]);
    for (const path of ['/srv/app', '/srv/apple/a', '/srv/a', '/srv/app/.git/hooks/pre-commit', '/srv/app/.env', '/srv/app/lib/.x/a', '/'])
      expect([path, covers(folder, write(path), place, null)]).toEqual([path, false]);
  });

  test('neither covers a command, nor does one for a command cover writing', () => {
    expect(covers(folder, command('/srv/app/a'), place, null)).toBe(false);
    expect(covers(prefix('/srv/app/a'), write('/srv/app/a'), place, null)).toBe(false);
  });

  test('what is offered: the file is proposed; no folder that holds the home folder, none at the root', () => {
    const texts = (path: string) => offerFor(write(path), place, null, '/home/ann')?.subjects.map(subjectText);
    expect(texts('/home/ann/app/lib/a.ts')).toEqual([
      'write in /home/ann/app',
      'write in /home/ann/app/lib',
      'write /home/ann/app/lib/a.ts',
    ]);
    expect(texts('/srv/a.txt')).toEqual(['write /srv/a.txt']);
    expect(texts('/home/ann/.bashrc')).toEqual(['write /home/ann/.bashrc']);
    expect(texts('/srv/app/.git/config')).toEqual(['write in /srv/app/.git', 'write /srv/app/.git/config']);
    expect(offerFor(write('/srv/app/a'), place, null, '/home/ann')?.proposed).toBe(1);
  });
});

test.each([
  [{ kind: 'folder', path: '/' }, 'too wide'],
  [{ kind: 'folder', path: '/srv' }, 'too wide'],
  [{ kind: 'folder', path: 'lib' }, 'no absolute path'],
  [{ kind: 'folder', path: '/srv/../etc' }, 'no absolute path'],
  [{ kind: 'command', words: [], exact: true }, 'not the words'],
  [{ kind: 'command', words: ['ls;rm', 'x'], exact: true }, 'not the words'],
  [{ kind: 'command', words: ['ls', "a'b"], exact: true }, 'not the words'],
  [{ kind: 'command', words: ['git'], exact: false }, 'what it does'],
] as const)('no rule: %j', (subject, why) => expect(unsound(subject)).toContain(why));

test('whatever is written behind a command that a rule covers, it is no longer covered when a shell would read more into it', () => {
  const special = fc.constantFrom(...';&|<>()$`\\"\'*?[]#~!{}^\n\r\t=');
  const text = fc.array(fc.oneof(special, fc.constantFrom('a', ' ', '-x', '/')), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (tail) => {
      const whole = `git log ${tail}`;
      if (!covers(prefix('git', 'log'), command(whole), place, claim())) return;
      // What is left outside of quotes is words only.
      const bare = whole.replace(/'[^']*'|"[^"]*"/g, '').replace(/\n$/, '');
      expect(bare).toMatch(/^[a-z/= -]*$/);
      expect(whole).not.toMatch(/[$`\\!]/);
    }),
    { numRuns: 3000, seed: 2026 },
  );
});
