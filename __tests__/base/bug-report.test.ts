/** The report of a bug: the stack without what a terminal obeys, no secret, and the trace by its whole path. */

import { bugReport } from '../../lib/base/bug-report.js';

const host = {
  cwd: '/srv/app',
  masked: (text: string) => text.split('hunter2').join('[redacted]'),
  recordedIn: (): string | null => null,
};

test('says what it is, masks secrets and shows what a terminal would obey', () => {
  const fault = Object.assign(new Error(), { stack: 'Error: hunter2 \u001b]0;title\u0007\n    at here' });
  expect(bugReport(host, fault)).toBe('buddy-tui: this is a bug:\nError: [redacted] ␛]0;title␇\n    at here\n');
});

test('names the trace, by its whole path', () => {
  const recorded = { ...host, recordedIn: () => 'logs/t.jsonl' };
  expect(bugReport(recorded, 'no error')).toBe(
    'buddy-tui: this is a bug:\nthrown: no error\nWhat happened is in the trace /srv/app/logs/t.jsonl\n',
  );
});
