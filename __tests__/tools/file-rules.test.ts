/** What is read and written is judged by where it really is: links, hard links, devices, other spellings; here and at the other end. */

import { execFile, execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLocalFile, realLocalPath, writeLocalFile } from '../../lib/targets/places/local-files.js';
import { absolutePath } from '../../lib/targets/places/paths.js';
import { type RunScript, readRemoteFile, realRemotePath, writeRemoteFile } from '../../lib/targets/places/remote-files.js';
import type { ExecutionTarget } from '../../lib/targets/target.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
  mkdirSync(join(folder, '.ssh'));
  writeFileSync(join(folder, '.ssh/id_ed25519'), 'a private key\n');
  writeFileSync(join(folder, 'notes'), 'only notes\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A script as the other end runs it. */
const run: RunScript = (script, _signal, input) =>
  new Promise((resolve) => {
    const child = execFile('sh', ['-c', script], { encoding: 'buffer' }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr: stderr.toString() }),
    );
    child.stdin?.end(input);
  });

type Files = Pick<ExecutionTarget, 'readFile' | 'realPath' | 'writeFile'>;
const places: readonly (readonly [string, Files])[] = [
  ['here', { readFile: readLocalFile, realPath: realLocalPath, writeFile: writeLocalFile }],
  [
    'at the other end',
    {
      readFile: (path, range, signal) => readRemoteFile(run, path, range, signal),
      realPath: (path, signal) => realRemotePath(run, path, signal),
      writeFile: (path, bytes, signal) => writeRemoteFile(run, path, bytes, signal),
    },
  ],
];

/** One call under the policy that allows everything; `seen` when it was asked about. */
async function call(files: Files, name: string, args: object, whenAsked: 'once' | 'deny' | (() => void) = 'deny') {
  const fake = fakeTarget();
  // As every target does it first.
  const whole = (path: string) => absolutePath(path, folder, folder);
  const target: ExecutionTarget = {
    ...fake.target,
    homeDir: folder,
    readFile: (path, range, signal) => files.readFile(whole(path), range, signal),
    realPath: (path, signal) => files.realPath(whole(path), signal),
    writeFile: (path, bytes, signal) => files.writeFile(whole(path), bytes, signal),
  };
  const calls = [{ id: 'c1', name, argsText: JSON.stringify({ ...args, why: 'to test' }) }];
  const bench = await startRuntime(
    [{ calls }, { text: 'done' }],
    { ...fake, target },
    {
      policy: { kind: 'all' },
      review: { denylist: [], allowedPaths: [], homeDir: folder, confirmShell: true },
    },
  );
  let asked: string | null = null;
  bench.runtime.onEvent(({ event }) => {
    if (event.type !== 'approval.requested') return;
    asked = [event.request.title, ...(event.request.computed?.reasons ?? [])].join(': ');
    if (typeof whenAsked === 'function') whenAsked();
    bench.answer(typeof whenAsked === 'function' ? 'once' : whenAsked);
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  return { asked, told: bench.find('tool.ended')[0]?.text ?? '' };
}
const read = (files: Files, path: string, whenAsked?: 'once' | 'deny' | (() => void)) => call(files, 'read_file', { path }, whenAsked);

describe.each(places)('%s', (_, files) => {
  test('a file is read; one that holds secrets is asked about even when all is allowed, by whatever way it is reached', async () => {
    symlinkSync(join(folder, '.ssh'), join(folder, 'keys'));
    symlinkSync(join(folder, '.ssh/id_ed25519'), join(folder, 'harmless.txt'));
    expect(await read(files, join(folder, 'notes'))).toEqual({ asked: null, told: 'only notes\n' });
    const ways = ['.ssh/id_ed25519', 'keys/id_ed25519', 'harmless.txt', 'keys/../.ssh/id_ed25519', './/.ssh/./id_ed25519'];
    for (const way of [...ways.map((of) => join(folder, of)), '~/.ssh/id_ed25519', '~/harmless.txt']) {
      const { asked, told } = await read(files, way);
      expect([way, asked]).toEqual([way, expect.stringContaining(`${folder}/.ssh/id_ed25519`)]);
      expect(asked).toContain('it opens a file that holds secrets');
      expect(told).not.toContain('a private key');
    }
    expect((await read(files, join(folder, 'harmless.txt'), 'once')).told).toBe('a private key\n');
  });

  test.each([
    ['/proc/self/root/etc/shadow', 'asked'],
    ['/proc/self/environ', 'asked'],
    ['/proc/1/root/etc/passwd', 'asked'],
    ['/etc/shadow', 'asked'],
    ['/dev/zero', 'refused'],
    ['/dev/tty', 'refused'],
    ['/dev/fd/0', 'refused'],
  ])('%s is %s', async (path, how) => {
    const { asked, told } = await read(files, path);
    expect([asked === null ? 'refused' : 'asked', /not read|refused|cannot|denied|No\b|said no/.test(told)]).toEqual([how, true]);
    expect(told).not.toMatch(/root:|PATH=/);
  });

  test('the logins and the key of sessions of the program are read by nobody, also through a link', async () => {
    mkdirSync(join(folder, '.config/buddy'), { recursive: true });
    writeFileSync(join(folder, '.config/buddy/auth.json'), 'a login');
    symlinkSync(join(folder, '.config/buddy/auth.json'), join(folder, 'x.json'));
    for (const path of ['.config/buddy/auth.json', 'x.json']) {
      const { asked, told } = await read(files, join(folder, path), 'once');
      expect([asked, told]).toEqual([null, expect.stringContaining('the program keeps its own logins and keys there')]);
    }
  });

  test('a NUL is refused, and what cannot be seen where there is a question; a name with it is a name; composed and decomposed names are two files', async () => {
    writeFileSync(join(folder, 'caf\u00e9'), 'composed');
    writeFileSync(join(folder, 'cafe\u0301'), 'decomposed');
    expect((await read(files, join(folder, 'caf\u00e9'))).told).toBe('composed');
    expect((await read(files, join(folder, 'cafe\u0301'))).told).toBe('decomposed');
    writeFileSync(join(folder, 'no\u200btes\x1b[0m'), 'with a hidden name');
    expect((await read(files, join(folder, 'no\u200btes\x1b[0m'))).told).toBe('with a hidden name');
    for (const path of ['notes\0.txt', '.ssh/id_ed25519\0.txt', '.aws/credentials\u202e/../../.ssh/id_ed25519'])
      expect((await read(files, `${folder}/${path}`)).told).not.toContain('a private key');
    symlinkSync(join(folder, '.ssh/id_ed25519'), join(folder, 'cat\u202eid.txt'));
    expect((await read(files, join(folder, 'cat\u202eid.txt'))).told).toContain('refused because');
  });

  test('a file with other names is asked about before it is replaced, and they keep what they have', async () => {
    linkSync(join(folder, 'notes'), join(folder, 'other-name'));
    const args = { path: join(folder, 'notes'), content: 'new\n' };
    expect((await call(files, 'write_file', args)).asked).toContain('it has 2 names, hard links: the others keep the old content');
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('only notes\n');
    const edit = { path: join(folder, 'notes'), old_text: 'only', new_text: 'my' };
    expect((await call(files, 'edit_file', edit, 'once')).asked).toContain('2 names');
    expect([readFileSync(join(folder, 'notes'), 'utf8'), readFileSync(join(folder, 'other-name'), 'utf8')]).toEqual([
      'my notes\n',
      'only notes\n',
    ]);
    rmSync(join(folder, 'other-name'));
    expect((await call(files, 'write_file', args)).asked).toBeNull();
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('new\n');
  });

  test('what is asked about when a command writes it is asked about here, even when all is allowed and by whatever link', async () => {
    mkdirSync(join(folder, '.local/bin'), { recursive: true });
    writeFileSync(join(folder, '.local/bin/ls'), 'old\n');
    symlinkSync(join(folder, '.local/bin/ls'), join(folder, 'harmless'));
    const later = 'it sets up what runs later by itself';
    for (const [name, why] of Object.entries({
      '.env': 'it opens a file that holds secrets',
      '.bash_aliases': later,
      '.config/nvim/init.lua': later,
      harmless: later,
    })) {
      const { asked } = await call(files, 'write_file', { path: join(folder, name), content: 'new\n' });
      expect([name, asked]).toEqual([name, expect.stringContaining(why)]);
    }
    const edit = { path: join(folder, 'harmless'), old_text: 'old', new_text: 'new' };
    expect((await call(files, 'edit_file', edit)).asked).toContain(later);
    expect(readFileSync(join(folder, 'harmless'), 'utf8')).toBe('old\n');
    expect((await call(files, 'edit_file', edit, 'once')).told).toContain('edited');
  });

  test('an edit keeps the mode, the byte order mark and the line ends; what is no text file says what it is', async () => {
    const path = join(folder, 'run.sh');
    writeFileSync(path, '\ufeff#!/bin/sh\r\necho “a”  \r\nlast', { mode: 0o750 });
    const edits = [{ oldText: 'echo "a"\nlast\n', newText: 'echo "a"\necho b\nlast\n' }];
    expect((await call(files, 'edit_file', { path, edits })).told).toContain(`edited ${path}: 1 place, from line 3`);
    expect(readFileSync(path, 'utf8')).toBe('\ufeff#!/bin/sh\r\necho “a”  \r\necho b\r\nlast');
    expect(statSync(path).mode & 0o777).toBe(0o750);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'disk.img'), '');
    truncateSync(join(folder, 'disk.img'), 2_000_000_000);
    writeFileSync(join(folder, 'program'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
    const told = async (name: string) => (await call(files, 'edit_file', { path: join(folder, name), edits })).told;
    mkdirSync(join(folder, 'src'));
    expect(await told('src')).toContain('it is a folder');
    expect(await told('pipe')).toContain('it is no regular file');
    expect(await told('gone')).toContain('no such file or folder. write_file makes one');
    expect(await told('disk.img')).toContain('it has 2.0 GB, and at most 8.0 MB can be. Use a command such as sed');
    expect(await told('program')).toContain('it is binary: it holds a NUL');
  });

  test('a large or binary file that changes while it is asked about is not overwritten', async () => {
    linkSync(join(folder, 'notes'), join(folder, 'other-name'));
    writeFileSync(join(folder, 'notes'), Buffer.from([0, 1, 2]));
    const change = () => writeFileSync(join(folder, 'notes'), Buffer.from([0, 1, 3]));
    const { told } = await call(files, 'write_file', { path: join(folder, 'notes'), content: 'new\n' }, change);
    expect(told).toContain('has been changed since the user was asked');
    expect(readFileSync(join(folder, 'notes'))).toEqual(Buffer.from([0, 1, 3]));
  });
});

test('a link that is turned back and forth while it is read never gives the secret away', async () => {
  const [, files] = places[0] ?? [];
  if (files === undefined) throw new Error('no place');
  const link = join(folder, 'link');
  const turn = (to: string) => {
    symlinkSync(join(folder, to), `${link}.next`);
    renameSync(`${link}.next`, link);
  };
  turn('notes');
  let isOver = false;
  let turns = 0;
  const turning = (async () => {
    while (!isOver) {
      turn(turns++ % 2 === 0 ? '.ssh/id_ed25519' : 'notes');
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const told = new Set<string>();
  for (let tries = 0; tries < 120; tries++) told.add((await read(files, link)).told.replace(/\/\S+/g, 'PATH'));
  isOver = true;
  await turning;
  expect(turns).toBeGreaterThan(120);
  expect([...told].filter((text) => text.includes('private key'))).toEqual([]);
  expect([...told]).toContain('only notes\n');
});
