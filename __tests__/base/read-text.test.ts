/** A file of the program's own that is none: it says so, and nobody waits. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileTrouble, readTextIfPresent } from '../../lib/base/files.js';

const folder = mkdtempSync(join(tmpdir(), 'read-text-'));
const path = join(folder, 'file');
afterEach(() => rmSync(path, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** What it says of the file. */
function said(): string | null {
  try {
    return readTextIfPresent(path);
  } catch (thrown) {
    return `trouble: ${fileTrouble(thrown)}`;
  }
}

test('a pipe whose other end nobody opens', () => {
  execFileSync('mkfifo', [path]);
  expect(said()).toBe('trouble: it is no regular file');
});

test('a device without end', () => {
  symlinkSync('/dev/zero', path);
  expect(said()).toBe('trouble: it is no regular file');
});

test('two gigabytes of nothing', () => {
  writeFileSync(path, '');
  truncateSync(path, 2 ** 31);
  expect(said()).toBe('trouble: it is larger than 64 MiB');
});

test('a folder, a link to itself, nothing, and text', () => {
  symlinkSync(folder, path);
  expect(said()).toBe('trouble: it is a folder');
  rmSync(path);
  symlinkSync(path, path);
  expect(said()).toBe('trouble: too many symbolic links');
  rmSync(path);
  expect(said()).toBeNull();
  writeFileSync(path, 'text');
  expect(said()).toBe('text');
  expect(readTextIfPresent('/proc/self/stat')).toContain('node');
});
