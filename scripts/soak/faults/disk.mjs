/** F7 and F8: a disk that is full, has no inodes left, takes nothing, or loses the folder. The sessions are on a small disk of their own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.mjs';
import { someJob } from '../work.mjs';

/** In the line at the top. */
const UNSAVED = /^[^\n]* not saved/;
const stateOf = (place) => join(place.work, '.buddyx');
const mount = (...args) => spawnSync('mount', args, { encoding: 'utf8' });

function impossible() {
  const folder = '/tmp/buddy-soak-mount';
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? null : `no tmpfs can be mounted (${stderr?.trim() ?? 'no mount'})`;
}

/** Writes files of so many bytes until the disk refuses. */
function fill(folder, bytes) {
  for (let at = 0; ; at++) {
    try {
      writeFileSync(join(folder, `ballast-${at}`), 'x'.repeat(bytes));
    } catch {
      return;
    }
  }
}

/** The disk refuses while a job runs, then takes again: the header says so, and it is all written. */
async function refused(stage, refuse, relent) {
  const folder = stateOf(stage.place);
  refuse(folder);
  await stage.settle(await someJob(stage));
  await stage.sees(UNSAVED, 15_000);
  relent(folder);
  await until('all is saved', () => !UNSAVED.test(stage.screen()), 15_000);
  return [];
}

/** Before the program: the disk. After it: no disk. */
const onDisk = (options) => ({
  prepare({ place }) {
    mkdirSync(stateOf(place));
    mount('-t', 'tmpfs', '-o', options, 'tmpfs', stateOf(place));
  },
  close: (place) => spawnSync('umount', ['-l', stateOf(place)]),
  impossible,
});

const empty = (folder) => spawnSync('sh', ['-c', `rm -f ${folder}/ballast-*`]);
const remount = (how) => (folder) => {
  const { status, stderr } = mount('-o', `remount,${how}`, folder);
  if (status !== 0) throw new Error(`mount: ${stderr}`);
};

export const faults = [
  {
    name: 'F7 full',
    says: 'disk full, then room again',
    ...onDisk('size=256k'),
    run(stage) {
      return refused(
        stage,
        (folder) => {
          fill(folder, 4096);
          fill(folder, 1);
        },
        empty,
      );
    },
  },
  {
    name: 'F7 inodes',
    says: 'no inodes left, then some again',
    ...onDisk('size=512k,nr_inodes=40'),
    async run(stage) {
      fill(stateOf(stage.place), 1);
      await stage.settle(await someJob(stage));
      empty(stateOf(stage.place));
      await until('all is saved', () => !UNSAVED.test(stage.screen()), 15_000);
      return [];
    },
  },
  {
    name: 'F8 read-only',
    says: 'state folder read-only, then writable again',
    ...onDisk('size=512k'),
    // A file that is open for writing keeps the disk from becoming read-only; the program has none open before its first prompt.
    async run(stage) {
      const busy = mount('-o', 'remount,ro', stateOf(stage.place)).status !== 0;
      stage.tell(busy ? 'the disk is in use: it is filled instead' : 'read-only');
      if (busy) return refused(stage, (folder) => fill(folder, 1), empty);
      return refused(stage, () => undefined, remount('rw'));
    },
  },
  {
    name: 'F8 deleted',
    says: 'state folder deleted',
    async run(stage) {
      rmSync(stateOf(stage.place), { recursive: true, force: true });
      // What was in it is gone, as somebody wished.
      stage.acknowledged.length = 0;
      await stage.settle(await someJob(stage));
      return [];
    },
  },
];
