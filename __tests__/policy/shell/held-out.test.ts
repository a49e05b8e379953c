/** The held-out set: what the judge was not written against. Its words are in held-out.json; the rows of the judge are never written for them. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeShell } from '../../../lib/policy/shell/judge.js';

interface HeldOut {
  readonly denied: readonly string[];
  readonly evasions: readonly { readonly kind: string; readonly command: string; readonly unverified?: string }[];
  readonly ordinary: readonly string[];
}

const { denied, evasions, ordinary } = JSON.parse(
  readFileSync(join(process.cwd(), '__tests__/policy/shell/held-out.json'), 'utf8'),
) as HeldOut;
const decided = (command: string) => judgeShell(command, { denylist: denied, mode: 'all' }).decision;

/** Those of some commands that come out otherwise than they should, and how much of all that is. */
function share<T>(all: readonly T[], wrong: readonly T[]): { readonly wrong: readonly T[]; readonly of: number; readonly share: number } {
  return { wrong, of: all.length, share: wrong.length / all.length };
}

test('of the ways to a forbidden program that bash was seen to follow at most one in fifty runs unseen', () => {
  const seen = evasions.filter(({ unverified }) => unverified === undefined);
  expect(seen.length).toBeGreaterThanOrEqual(120);
  const missed = share(
    seen,
    seen.filter(({ command }) => decided(command) === 'run'),
  );
  expect(missed.share > 0.02 ? missed : 'few enough').toBe('few enough');
});

test('what it asks about because of the name alone is not asked about by luck: hidden words are seen by how they are built', () => {
  const byName = evasions.filter(
    ({ command }) => decided(command) === 'ask' && judgeShell(command, { denylist: [], mode: 'all' }).decision === 'run',
  );
  expect(byName.length / evasions.length > 0.02 ? byName : 'few enough').toBe('few enough');
});

test('nor of those that could not be tried here', () => {
  const untried = evasions.filter(({ unverified }) => unverified !== undefined);
  const missed = share(
    untried,
    untried.filter(({ command }) => decided(command) === 'run'),
  );
  expect(missed.share > 0.02 ? missed : 'few enough').toBe('few enough');
});

test('of the ordinary commands at most one in twenty is asked about when everything is allowed', () => {
  expect(ordinary.length).toBeGreaterThanOrEqual(80);
  const asked = share(
    ordinary,
    ordinary.filter((command) => decided(command) !== 'run'),
  );
  expect(asked.share > 0.05 ? asked : 'few enough').toBe('few enough');
});

const shared = join(process.cwd(), '../shared/corpora/own/shell-evasions-heldout.json');
(existsSync(shared) ? test : test.skip)('../shared/corpora/own/shell-evasions-heldout.json: at most two run unseen', () => {
  const { samples } = JSON.parse(readFileSync(shared, 'utf8')) as {
    readonly samples: readonly { readonly cmd: string; readonly ran: boolean }[];
  };
  const missed = samples.filter(({ cmd, ran }) => ran && decided(cmd) === 'run');
  expect(missed.length > 2 ? missed : 'few enough').toBe('few enough');
});
