/** The truth set: ways to run a program that bash was seen to run, and commands of every day. */

import { readFileSync } from 'node:fs';
import { judgeShell } from '../../../lib/policy/shell/judge.js';

const { samples, ordinary } = JSON.parse(readFileSync(new URL('evasions.json', import.meta.url), 'utf8')) as {
  readonly samples: readonly { readonly cat: string; readonly cmd: string; readonly ran: boolean }[];
  readonly ordinary: readonly string[];
};
const judged = (command: string, denylist: readonly string[]) => judgeShell(command, { denylist, mode: 'all' });

test('none of the 178 ways that bash follows to a forbidden program runs unseen when everything is allowed', () => {
  const real = samples.filter(({ ran }) => ran);
  expect(real).toHaveLength(178);
  expect(real.filter(({ cmd }) => judged(cmd, ['evilcmd']).decision === 'run')).toEqual([]);
});

test('the doubt is in how each is built, not in the name: those that are only asked about have another reason, too', () => {
  const asked = samples.filter(({ cmd, ran }) => ran && judged(cmd, ['evilcmd']).decision === 'ask');
  expect(asked.filter(({ cmd }) => judged(cmd, []).decision === 'run')).toEqual([]);
});

test('of the 40 ordinary commands at most two are asked about', () => {
  const asked = ordinary.filter((command) => judged(command, ['evilcmd', 'rm -rf /', 'mkfs', 'reboot']).decision !== 'run');
  expect([ordinary.length, asked.length <= 2]).toEqual([40, true]);
});
