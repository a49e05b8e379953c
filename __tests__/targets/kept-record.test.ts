/** The record of a kept session is found again whatever ran in it, and however large the one beside it is. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_RECORD, type KeptRecord, keptRecords, keptRecordText } from '../../lib/targets/tmux/kept-record.js';
import { never } from './local-target.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Asked of a real shell. */
const place = {
  run: ([file = '', ...args]: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(file, args, { maxBuffer: 64 * 1024 * 1024 });
    return Promise.resolve({ code: status, stdout, stderr: String(stderr) });
  },
};

/** A folder with the record of a session whose panes each run that command. */
function keep(letter: string, keptMs: number, panes: number, command: string): KeptRecord {
  const folder = mkdtempSync(`/tmp/buddy-${letter}test`);
  folders.push(folder);
  const one = { title: '', nonce: 'n', pid: process.pid, cwd: '/', prompt: 1, promptLine: '', running: { id: 'i', command, sinceMs: 1 } };
  const record = {
    ...{ agent: `kept-test-${process.pid}`, shell: '/bin/sh', name: 'buddy-test', owner: 'here/7/a', socket: 'none', keptMs },
    panes: Array.from({ length: panes }, (_, at) => ({ ...one, pane: `%${at}`, folder: at === 0 ? folder : `${folder}/${at}` })),
  };
  writeFileSync(join(folder, KEPT_RECORD), keptRecordText(record));
  return { ...record, folder };
}

const found = async () => (await keptRecords(place, never)).filter(({ agent }) => agent === `kept-test-${process.pid}`);

test('as many panes as there may be, each with the longest command in letters of any script', async () => {
  const records = [keep('b', 2, 64, '"漢"'.repeat(500)), keep('a', 1, 5, 'п'.repeat(2000))];
  expect(await found()).toEqual(records);
});

test('a record that is beyond reason is left out, and the one behind it is found', async () => {
  const [small] = [keep('z', 1, 1, 'ls'), writeFileSync(join(keep('a', 2, 1, 'ls').folder, KEPT_RECORD), 'x'.repeat(5_000_000))];
  expect(await found()).toEqual([small]);
});
