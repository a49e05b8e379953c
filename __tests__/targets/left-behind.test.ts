/** What may be cleared away in /tmp: nothing of which it is not known that nobody needs it. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { leftBehind } from '../../lib/targets/places/left-behind.js';
import { dropAbandonedFolders } from '../../lib/targets/places/local-folders.js';
import { KEPT_RECORD } from '../../lib/targets/tmux/kept-record.js';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The folder of a session that a program kept which is gone by now. */
function left(panes: readonly { readonly pid: number }[] | null): void {
  folder = mkdtempSync('/tmp/buddy-');
  writeFileSync(join(folder, 'owner'), `${spawnSync('true').pid}\n`);
  writeFileSync(join(folder, KEPT_RECORD), panes === null ? '{"form":1,"panes":[{"pi' : JSON.stringify({ form: 1, panes }));
}

const found = async () => (await leftBehind(userInfo().uid, 'here')).find(({ path }) => path === folder);

test.each([
  ['the ids of its shells are not known', [{ pid: 0 }]],
  ['the record was never finished', null],
])('a kept session stays: %s', async (_why, panes) => {
  left(panes);
  expect(await found()).toMatchObject({ state: 'unknown', why: 'of a kept session, and it does not say which shells are in it' });
  await dropAbandonedFolders();
  expect(existsSync(folder)).toBe(true);
});

test('one whose shells are gone goes', async () => {
  left([{ pid: spawnSync('true').pid }]);
  expect(await found()).toMatchObject({ state: 'stale' });
  await dropAbandonedFolders();
  expect(existsSync(folder)).toBe(false);
});
