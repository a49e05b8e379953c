/** The built program on disks that refuse: full, read-only, without room for files, and a folder that is taken away. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readSessionLines } from '../../lib/runtime/sessions/session-lines.js';
import { until } from '../support/until.js';
import { type Eye, freshHome, type Home, openEye, programPath } from './eye.js';

jest.setTimeout(120_000);

/** May a file system be put somewhere here? */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder], { stdio: 'ignore' }).status === 0;
  if (isMounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}

const mounting = canMount() ? test : test.skip;
if (mounting === test.skip) process.stderr.write('full-disk: no file system can be mounted here; those tests are skipped\n');

const authOf = (home: Home) => join(home.folder, '.config', 'buddy', 'auth.json');

/** All of the program's files are on a disk of 256 kB: its home, and in it configuration, state and sessions. */
async function onSmallDisk(options: string, test: (eye: Eye, home: Home) => Promise<void>): Promise<void> {
  const home = freshHome();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=256k,${options}`, 'none', home.folder]);
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  const eye = await openEye(home);
  try {
    await test(eye, home);
  } finally {
    eye.close();
    await until('its sessions are gone', async () => (await home.tmux('ls')) === '').catch(() => undefined);
    execFileSync('umount', ['-l', home.folder]);
    await home.dispose();
  }
}

/** What every session file says: prompts in order; each line is sound. */
function promptsIn(home: Home): readonly string[] {
  const folder = join(home.folder, '.buddyx', 'sessions');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const { records, damaged, wholeLength } = readSessionLines(readFileSync(join(folder, name)));
      expect([damaged, wholeLength]).toEqual([0, statSync(join(folder, name)).size]);
      return records.flatMap((record) => (record.type === 'message' && record.message.role === 'user' ? record.message.text : []));
    });
}

/** Says it and waits until it was answered. */
async function ask(eye: Eye, text: string): Promise<void> {
  await eye.line(text);
  await eye.sees(new RegExp(`✓ #\\d+ prompt ${text.replace('?', '\\?')} +done`));
}

mounting('a disk of 256 kB that is full: a banner, no crash, and what was said is written once there is room', () =>
  onSmallDisk('nr_inodes=1k', async (eye, home) => {
    await eye.start();
    await ask(eye, 'what time is it?');
    await eye.line('!head -c 1m /dev/zero > fill');
    await eye.sees(/▶ ! {2}head[\s\S]*exit 1/);
    expect(() => writeFileSync(join(home.folder, 'more'), 'x'.repeat(8192))).toThrow('ENOSPC');
    await ask(eye, 'what time is it now?');
    await eye.sees('not saved: the disk is full');
    // Typing, commands and more prompts go on.
    await eye.line('/status');
    await eye.sees(/session +\S+/);
    await ask(eye, 'what time is it then?');
    await eye.line('/export md /dev/shm/../../dev/null/x');
    await eye.sees('is not written');
    expect((await eye.screen()).split('\n')[0]).toContain('not saved: the disk is full');
    await eye.line('!rm fill more');
    await eye.sees('The session is saved again.');
    expect(await eye.screen()).not.toContain('not saved: the disk is full ');
    expect(promptsIn(home).filter((text) => text.startsWith('what'))).toEqual([
      'what time is it?',
      'what time is it now?',
      'what time is it then?',
    ]);
    await eye.leave();
    await eye.sees('Go on in this session');
  }),
);

mounting('a full disk: a key that is stored now leaves auth.json as it was', () =>
  onSmallDisk('nr_inodes=1k', async (eye, home) => {
    const login = (key: string) =>
      spawnSync(process.execPath, [programPath(), 'login', 'groq'], {
        env: home.env,
        cwd: home.folder,
        input: `${key}\n`,
        encoding: 'utf8',
      });
    expect(login('gsk_first-key-for-tests').status).toBe(0);
    const before = readFileSync(authOf(home), 'utf8');
    expect(JSON.parse(before)).toBeTruthy();
    spawnSync('sh', ['-c', 'head -c 1m /dev/zero > fill'], { cwd: home.folder });
    const refused = login('gsk_second-key-for-tests');
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('the disk is full');
    expect(readFileSync(authOf(home), 'utf8')).toBe(before);
    expect(statSync(authOf(home)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home.folder, '.config', 'buddy'))).toEqual(['auth.json']);
    await eye.line('rm fill');
    await until('there is room', () => !existsSync(join(home.folder, 'fill')));
    expect(login('gsk_second-key-for-tests').status).toBe(0);
  }),
);

mounting('read-only and back again, with the program running', () =>
  onSmallDisk('nr_inodes=1k', async (eye, home) => {
    await eye.start();
    // The kernel does so only while nothing is open for writing.
    execFileSync('mount', ['-o', 'remount,ro', home.folder]);
    await ask(eye, 'what time is it?');
    await ask(eye, 'what time is it now?');
    await eye.sees('not saved: the file system is read-only');
    execFileSync('mount', ['-o', 'remount,rw', home.folder]);
    await eye.sees('The session is saved again.');
    expect(promptsIn(home)).toEqual(['what time is it?', 'what time is it now?']);
    await eye.leave();
    await eye.sees('Go on in this session');
  }),
);

mounting('in lines as well: not saved, and saved again', () =>
  onSmallDisk('nr_inodes=1k', async (eye, home) => {
    await eye.start('--plain', /help lists the commands/);
    execFileSync('mount', ['-o', 'remount,ro', home.folder]);
    await eye.line('what time is it?');
    await eye.sees('This session is not saved: the file system is read-only.');
    execFileSync('mount', ['-o', 'remount,rw', home.folder]);
    await eye.sees('This session is saved again.');
    expect(promptsIn(home)).toEqual(['what time is it?']);
    await eye.line('/quit');
  }),
);

mounting('no room for another file: the session begins once there is', () =>
  onSmallDisk('nr_inodes=64', async (eye, home) => {
    await eye.start();
    await eye.line('!for i in $(seq 100); do : > f$i; done');
    await eye.sees(/▶ ! {2}for[\s\S]*exit 1/);
    await ask(eye, 'what time is it?');
    await eye.sees('not saved: the disk is full');
    await eye.line('!rm f*');
    await eye.sees('The session is saved again.');
    expect(promptsIn(home).filter((text) => text.startsWith('what'))).toEqual(['what time is it?']);
    await eye.leave();
    await eye.sees('Go on in this session');
  }),
);

test('the folder of the sessions is removed in mid-run: it is made again, with all that was said', async () => {
  const home = freshHome();
  const eye = await openEye(home);
  try {
    await eye.start();
    await ask(eye, 'what time is it?');
    await eye.line('!rm -rf .buddyx');
    await eye.sees(/▶ ! {2}rm[\s\S]*exit 0/);
    await ask(eye, 'what time is it now?');
    expect(promptsIn(home).filter((text) => text.startsWith('what'))).toEqual(['what time is it?', 'what time is it now?']);
    expect(await eye.screen()).not.toContain('not saved');
    await eye.leave();
    await eye.sees('Go on in this session');
  } finally {
    eye.close();
    await home.dispose();
  }
});

/** Whom modes bind: this user, or nobody in the place of root. */
const bound: { readonly uid?: number; readonly gid?: number } = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const canRead = spawnSync('cat', [programPath()], { ...bound, stdio: 'ignore' }).status === 0 ? test : test.skip;

canRead('a folder that may not be written to: the answer comes, and that it is not saved is said', async () => {
  const home = freshHome();
  const work = join(home.folder, 'work');
  mkdirSync(work, { mode: 0o555 });
  if (bound.uid !== undefined) for (const folder of [home.folder, work]) chownSync(folder, bound.uid, bound.uid);
  try {
    const args = [programPath(), 'exec', '--direct', '--session', 'new', 'what time is it?'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...bound, env: home.env, cwd: work, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/It is .*20\d\d/)]);
    expect(stderr).toContain('is not saved to its end (permission denied)');
    expect(readdirSync(work)).toEqual([]);
  } finally {
    await home.dispose();
  }
});
