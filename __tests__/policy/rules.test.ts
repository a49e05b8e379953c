/** Approval policies, write paths and redaction. */

import { parseApprovalPolicy, putInForce, standingOf } from '../../lib/policy/approval-policy.js';
import { createRedactor, createSecrets } from '../../lib/policy/redaction.js';
import { writeRefusal } from '../../lib/policy/write-path.js';

describe('the approval policy', () => {
  test('is a word or a duration', () => {
    expect(parseApprovalPolicy(' ASK ', 0)).toEqual({ kind: 'ask' });
    expect(parseApprovalPolicy('10m', 1000)).toEqual({ kind: 'until', untilMs: 601_000 });
    expect(() => parseApprovalPolicy('sometimes', 0)).toThrow('"sometimes" is not a duration');
  });

  test('for a time ends at the earlier of both clocks', () => {
    const inForce = putInForce({ kind: 'until', untilMs: 1000 }, 0, 500);
    expect(standingOf(inForce, 999, 1400)).toBe('allow');
    expect(standingOf(inForce, 1000, 600)).toBe('ask');
    expect(standingOf(inForce, 0, 1500)).toBe('ask');
    const long = putInForce({ kind: 'until', untilMs: 600_000 }, 0, 500);
    expect(standingOf(long, 10_000, 10_500)).toBe('allow');
    expect(standingOf(long, 14_000, 10_500)).toBe('allow');
    expect(standingOf(long, 16_000, 10_500)).toBe('ask');
    expect(standingOf(long, 4000, 10_500)).toBe('ask');
  });
});

describe('writing', () => {
  const rules = { homeDir: '/home/ann', allowedPaths: [] };
  test.each([
    ...['/etc/hosts', '/usr/bin/x', '/dev/sda'],
    // As file systems find them that do not tell small letters from capitals.
    ...['/ETC/hosts', '/home/ann/.SSH/config', '/srv/app/.GIT/Hooks/pre-commit'],
    ...[
      '/home/ann/.ssh/config',
      '/home/ann/.config/buddy/buddy.toml',
      '/home/ann/.agents/skills/a/SKILL.md',
      '/home/ann/.kube/config',
      '/home/ann/.netrc',
    ],
    ...['/home/ann/.bashrc', '/home/ann/.zshenv', '/home/ann/.config/fish/conf.d/x.fish', '/home/ann/.config/systemd/user/x.service'],
    // A file of that name leads git to another folder with settings of its own.
    ...['/srv/app/.git', '/srv/app/.git/config.worktree', '/srv/app/.git/worktrees/x/config.worktree', '/srv/app/.hg/hgrc'],
    ...['/srv/app/.git/hooks/pre-commit', '/srv/app/.git/config', '/srv/app/.git/modules/lib/hooks/post-checkout'],
  ])('is refused: %s', (path) => expect(writeRefusal(path, rules)).toContain('sensitive'));
  test('is refused where sessions are kept', () => {
    const path = '/srv/app/.buddyx/sessions/x.jsonl';
    expect(writeRefusal(path, rules)).toContain('keeps its sessions there');
    expect(writeRefusal(path, { ...rules, allowedPaths: ['/srv'] })).toContain('keeps its sessions there');
  });
  test.each([
    '/home/ann/notes',
    '/home/ann/.bashrc.d/x',
    '/srv/app/etc/x',
    '/srv/app/.github/hooks/x',
    '/srv/app/.git/info/exclude',
    '/etcetera',
    '/tmp/a',
  ])('is allowed: %s', (path) => expect(writeRefusal(path, rules)).toBeNull());
  test('a list of allowed paths is a jail and opens what it names', () => {
    const jail = { homeDir: '/home/ann', allowedPaths: ['/etc/nginx/'] };
    expect(writeRefusal('/etc/nginx/nginx.conf', jail)).toBeNull();
    expect(writeRefusal('/tmp/x', jail)).toContain('files_allowed_paths');
    expect(writeRefusal('/etc/nginx-old/x', jail)).not.toBeNull();
  });
});

describe('redaction', () => {
  const redact = createRedactor(['p@ss word"1']);
  test.each(['p@ss word"1', 'p%40ss%20word%221', Buffer.from('p@ss word"1').toString('base64').replace(/=+$/, ''), 'p@ss word\\"1'])(
    'hides the secret as %s and keeps what is around it',
    (form) => expect(redact(`before ${form} after`)).toBe('before [redacted] after'),
  );
  test('hides what looks like a secret', () => {
    expect(redact('Authorization: Bearer abcdef0123456789')).toBe('Authorization: [redacted]');
    expect(redact('-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- x')).toBe('[redacted] x');
    expect(redact('nothing here')).toBe('nothing here');
  });
});

test('what a run learns on the way is masked from then on, and what it knows at first is looked for once', () => {
  let looked = 0;
  const { learn, redact } = createSecrets(() => {
    looked++;
    return ['known-at-first'];
  });
  expect(looked).toBe(0);
  expect(redact('known-at-first, found-later')).toBe('[redacted], found-later');
  learn('found-later');
  learn('');
  expect(redact('known-at-first, found-later')).toBe('[redacted], [redacted]');
  expect(looked).toBe(1);
});
