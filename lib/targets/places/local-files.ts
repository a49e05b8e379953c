/** Files of this host for the model: regular files only, looked at through the open descriptor. */

import { basename, dirname, join } from 'node:path';
import { abortError, BuddyError } from '../../base/errors.js';
import {
  type FileHandle,
  fileConstants,
  fileTrouble,
  mkdir,
  openFile,
  realpath,
  stat,
  systemCode,
  writeAtomically,
} from '../../base/files.js';
import type { FilePiece, FileRange } from '../target.js';

function trouble(path: string, doing: string, words: string, cause?: unknown): BuddyError {
  return new BuddyError('target.file', `cannot ${doing} ${path}: ${words}`, cause === undefined ? {} : { cause });
}

/** Bytes of a regular file. Devices, pipes and sockets are refused before a byte is read. Throws `target.file`. */
export async function readLocalFile(path: string, range: FileRange, signal: AbortSignal): Promise<FilePiece> {
  if (signal.aborted) throw abortError();
  // O_NONBLOCK: opening a pipe without a writer must not wait.
  const file = await openFile(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK).catch((thrown: unknown) => {
    throw trouble(path, 'read', fileTrouble(thrown), thrown);
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw trouble(path, 'read', found.isDirectory() ? 'it is a folder' : 'it is no regular file');
    const line = range.line === undefined ? null : await lineStart(file, range.line, signal);
    const offset = range.offset + (line?.start ?? 0);
    const wanted = Math.max(0, Math.min(range.limit, (found.size > 0 ? found.size : range.limit + offset) - offset));
    const bytes = Buffer.alloc(wanted);
    let length = 0;
    while (length < wanted) {
      if (signal.aborted) throw abortError();
      const { bytesRead } = await file.read(bytes, length, Math.min(1 << 20, wanted - length), offset + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    // Files of /proc say size 0 and still have a content.
    const size = Math.max(found.size, length === 0 ? 0 : offset + length);
    return { bytes: bytes.subarray(0, length), size, names: found.nlink, real: await openedPath(file.fd, path), ...line };
  } catch (thrown) {
    if (thrown instanceof BuddyError || signal.aborted) throw thrown;
    throw trouble(path, 'read', fileTrouble(thrown), thrown);
  } finally {
    await file.close();
  }
}

/** Where that line begins; when there are fewer, how many there are. */
async function lineStart(
  file: FileHandle,
  line: number,
  signal: AbortSignal,
): Promise<{ readonly start: number; readonly lines?: number }> {
  const piece = Buffer.alloc(1 << 18);
  let lines = 0;
  for (let offset = 0; line > 1; ) {
    if (signal.aborted) throw abortError();
    const { bytesRead } = await file.read(piece, 0, piece.length, offset);
    const read = piece.subarray(0, bytesRead);
    for (let at = read.indexOf(0x0a); at >= 0; at = read.indexOf(0x0a, at + 1)) {
      if (++lines === line - 1) {
        const isLast = (await file.read(Buffer.alloc(1), 0, 1, offset + at + 1)).bytesRead === 0;
        return { start: offset + at + 1, ...(isLast ? { lines } : {}) };
      }
    }
    offset += bytesRead;
    if (bytesRead > 0) continue;
    const isOpen = offset > 0 && (await file.read(piece, 0, 1, offset - 1)).bytesRead === 1 && piece[0] !== 0x0a;
    return { start: offset, lines: isOpen ? lines + 1 : lines };
  }
  return { start: 0 };
}

/** Where the open file is: as the system knows it (Linux), else where its path leads now. */
async function openedPath(descriptor: number, path: string): Promise<string> {
  return realpath(`/proc/self/fd/${descriptor}`).catch(() => realpath(path));
}

/** Where `writeLocalFile` puts `path`. Throws `target.file`. */
export async function realLocalPath(path: string, signal: AbortSignal): Promise<string> {
  if (signal.aborted) throw abortError();
  try {
    return await realpath(path);
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT' || dirname(path) === path) throw trouble(path, 'find', fileTrouble(thrown), thrown);
    return join(await realLocalPath(dirname(path), signal), basename(path));
  }
}

/** Replaces a regular file whole or not at all. Throws `target.file`. */
export async function writeLocalFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw abortError();
  try {
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isFile()) throw trouble(path, 'write', found.isDirectory() ? 'it is a folder' : 'it is no regular file');
    await makeFolders(dirname(path));
    if (signal.aborted) throw abortError();
    await writeAtomically(path, bytes);
  } catch (thrown) {
    if (thrown instanceof BuddyError || signal.aborted) throw thrown;
    throw trouble(path, 'write', fileTrouble(thrown), thrown);
  }
}

/** Makes a folder and what is missing above it. (Node's own way never ends where a folder cannot be made below one that is there, as in /proc.) */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return;
    if (systemCode(thrown) !== 'ENOENT' || (await stat(dirname(folder)).catch(() => null)) !== null) throw thrown;
    await makeFolders(dirname(folder));
    await mkdir(folder);
  }
}
