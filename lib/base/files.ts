/** The only file that imports node:fs. Paths are absolute; everything is UTF-8 or bytes. */

import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BuddyError, hasText, messageOf } from './errors.js';

export {
  closeSync,
  constants as fileConstants,
  existsSync,
  type FileHandle,
  fstatSync,
  linkSync,
  lstat,
  lstatSync,
  mkdir,
  mkdirSync,
  mkdtemp,
  mkdtempSync,
  open as openFile,
  openSync,
  readdir,
  readdirSync,
  readFile,
  readFileSync,
  realpath,
  realpathSync,
  rm,
  rmSync,
  stat,
  statSync,
  unlink,
  utimesSync,
  writeFile,
  writeFileSync,
  writeSync,
};

/** The system's error code (`ENOENT`, `ENOSPC`) of a thrown value, or null. */
export function systemCode(thrown: unknown): string | null {
  return hasText(thrown, 'code') ? thrown.code : null;
}

/** What went wrong with a file, in words for people. */
export function fileTrouble(thrown: unknown): string {
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'part of the path is not a folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
    ELOOP: 'too many symbolic links',
    ENAMETOOLONG: 'the name is too long',
    EDQUOT: 'the disk quota is used up',
    ENXIO: 'it is no regular file',
    'file.irregular': 'it is no regular file',
    'file.large': 'it is larger than 64 MiB',
  };
  const code = systemCode(thrown);
  if (code !== null) return words[code] ?? code;
  return messageOf(thrown);
}

/** Nothing that is read whole comes near it. */
const LARGEST_WHOLE = 64 * 1024 * 1024;

/**
 * All of a file, which anybody may have put there: it never waits for the other end of a pipe, and reads no device but the empty one. Throws
 * the system's error, `file.irregular` or `file.large` (above 64 MiB).
 */
export function readWhole(path: string): Buffer {
  const descriptor = openSync(path, WITHOUT_WAITING);
  try {
    mayBeRead(path, fstatSync(descriptor));
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of such a file, read while others go on. Throws what `readWhole` throws. */
export async function readText(path: string): Promise<string> {
  const file = await open(path, WITHOUT_WAITING);
  try {
    mayBeRead(path, await file.stat());
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
/** /dev/null on Linux and on macOS. */
const NOTHING = [0x103, 0x3000002];

function mayBeRead(path: string, found: Stats): void {
  const isNothing = found.isCharacterDevice() && NOTHING.includes(found.rdev);
  // That of a folder is the system's error.
  if (!found.isFile() && !found.isDirectory() && !isNothing) throw new BuddyError('file.irregular', `${path} is no regular file`);
  if (found.isFile() && found.size > LARGEST_WHOLE) throw new BuddyError('file.large', `${path} is larger than 64 MiB`);
}

/** The text of a file, or null when there is none. Throws what `readWhole` throws for everything else. */
export function readTextIfPresent(path: string): string | null {
  return readWholeIfPresent(path)?.toString('utf8') ?? null;
}

/** The bytes of a file, or null when there is none. Throws what `readWhole` throws for everything else. */
export function readWholeIfPresent(path: string): Buffer | null {
  try {
    return readWhole(path);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return null;
    throw thrown;
  }
}

/**
 * Replaces the file whole or not at all: a temporary file beside it, synced, then renamed over it. An existing file keeps
 * its mode, and its owner where that is allowed; a new one gets `newMode`. A symbolic link is followed. Throws the system's error; the old content then stands.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, newMode = 0o644): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const old = await stat(real).catch(() => null);
  const mode = old === null ? newMode : old.mode & 0o7777;
  const temporary = join(dirname(real), `.${basename(real).slice(0, 200)}.${crypto.randomUUID().slice(0, 13)}`);
  const file = await open(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
    // Before the mode: a change of owner takes set-user-id away, and without the owner that bit must not be given.
    const isTheirs = old === null || (await owned(file, old));
    await file.close();
    await chmod(temporary, isTheirs ? mode : mode & 0o1777);
    await rename(temporary, real);
  } catch (thrown) {
    await file.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
    throw thrown;
  }
}

/** Gives a file an owner and a group; false when that is not allowed. */
async function owned(file: FileHandle, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<boolean> {
  try {
    await file.chown(uid, gid);
    return true;
  } catch {
    return false;
  }
}

/** A file that is only ever appended to, each line at once and whole; 0600 from the first byte, also when it was there before. */
export class AppendFile {
  readonly #path: string;
  readonly #descriptor: number;

  /**
   * `access`: `read` when `content` is to be asked for. Throws the system's error when the file cannot be opened. A pipe is never waited
   * for: without a reader it cannot be opened (ENXIO).
   */
  constructor(path: string, access: 'write' | 'read' = 'write') {
    this.#path = path;
    const mode = access === 'read' ? constants.O_RDWR : constants.O_WRONLY;
    this.#descriptor = openSync(path, constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK | mode, 0o600);
    const found = fstatSync(this.#descriptor);
    if (!found.isFile() || (found.mode & 0o077) === 0) return;
    try {
      fchmodSync(this.#descriptor, 0o600);
    } catch {
      // Somebody else's file: they decide who reads it.
    }
  }

  /** Writes all of it before it returns. Throws the system's error (disk full) after a part may have been written. */
  append(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
  }

  /** What its path leads to now: this file, nothing, or another one. Throws the system's error when that cannot be seen. */
  place(): 'here' | 'gone' | 'other' {
    try {
      const [there, own] = [lstatSync(this.#path), fstatSync(this.#descriptor)];
      return there.ino === own.ino && there.dev === own.dev ? 'here' : 'other';
    } catch (thrown) {
      if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return 'gone';
      throw thrown;
    }
  }

  /** The first bytes of it, also when its path leads to it no more. Throws the system's error. */
  content(length: number): Buffer {
    return readPart(this.#descriptor, 0, length);
  }

  /** Bytes in the file now. */
  get length(): number {
    return fstatSync(this.#descriptor).size;
  }

  /** Cuts the file to so many bytes. Throws the system's error. */
  cut(length: number): void {
    ftruncateSync(this.#descriptor, length);
  }

  /** Resolves when what was appended is on the disk; rejects with the system's error. Do not close the file before. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Opens a file that somebody else may have put there, to read it: never follows a link in the last part, never waits for the other end of a
 * pipe. Throws the system's error, or `file.irregular` for what is no regular file.
 */
export function openRegular(path: string): { readonly descriptor: number; readonly size: number; readonly modifiedMs: number } {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = fstatSync(descriptor);
  if (found.isFile()) return { descriptor, size: found.size, modifiedMs: found.mtimeMs };
  closeSync(descriptor);
  throw new BuddyError('file.irregular', `${path} is no regular file`);
}

/** The bytes from `offset` on, at most `length`; fewer at the end of the file. Throws the system's error. */
export function readPart(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, offset + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

/** Takes the file away from everybody but its owner. Throws the system's error. */
export function makePrivateSync(path: string): void {
  chmodSync(path, 0o600);
}

/** Renames; for moving a finished file into place. */
export function moveFileSync(from: string, to: string): void {
  renameSync(from, to);
}
