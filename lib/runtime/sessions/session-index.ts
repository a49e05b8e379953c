/**
 * What is known of the session files of a folder, so that a list need not read them all again. It is believed only where the person's key proves
 * that this program wrote it, and of a file only while that is the very same; without it, everything is read.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { closeSync, lstatSync, moveFileSync, openRegular, readPart, rmSync, writeFileSync } from '../../base/files.js';
import type { SessionId, SessionSummary } from '../../protocol/sessions.js';
import { type SessionPlace, sessionsFolder } from './session-folder.js';

/** Of the file. One of another format is written anew. */
const FORMAT = 1;
/** A larger one is not of ours (bytes). */
const LARGEST = 32 * 1024 * 1024;
const MAC_LENGTH = 64;

/** What a file says of itself: all of a summary but what changes without it. */
export type IndexedSummary = Omit<SessionSummary, 'open'>;

/** A file at a moment, and what it said then. */
export interface IndexEntry {
  /** Size, times and number of the file. */
  readonly stamp: string;
  readonly about: IndexedSummary;
}

/** By the ids of sessions. */
export type SessionIndex = ReadonlyMap<SessionId, IndexEntry>;

/** The file, now; null for what is no regular file or cannot be looked at. */
export function stampOf(path: string): string | null {
  try {
    const found = lstatSync(path);
    return found.isFile() ? [found.size, found.mtimeMs, found.ctimeMs, found.ino].join(' ') : null;
  } catch {
    return null;
  }
}

/** What was written last; empty when there is none, or none that is ours and whole. Never throws. */
export function readIndex(place: SessionPlace): SessionIndex {
  try {
    const { descriptor, size } = openRegular(indexPath(place));
    try {
      if (size > LARGEST) return new Map();
      const text = readPart(descriptor, 0, size).toString('utf8');
      const body = text.slice(MAC_LENGTH + 1);
      if (!isSame(text.slice(0, MAC_LENGTH), proof(place, body))) return new Map();
      return new Map(JSON.parse(body) as [SessionId, IndexEntry][]);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return new Map();
  }
}

/** Writes it, whole or not at all, and into no folder that somebody else's link leads to. What cannot be written is done without. */
export function writeIndex(place: SessionPlace, index: SessionIndex): void {
  const folder = sessionsFolder(place.cwd);
  const temporary = join(folder, `.index.${randomBytes(6).toString('hex')}`);
  try {
    if (![join(place.cwd, '.buddyx'), folder].every((path) => lstatSync(path).isDirectory())) return;
    const body = JSON.stringify([...index]);
    writeFileSync(temporary, `${proof(place, body)}\n${body}`, { mode: 0o600, flag: 'wx' });
    moveFileSync(temporary, indexPath(place));
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The next list reads the files: that is all that is lost.
    }
  }
}

function indexPath({ cwd }: SessionPlace): string {
  return join(sessionsFolder(cwd), 'index');
}

/** HMAC-SHA-256 (RFC 2104) of format, folder and content. */
function proof({ key, cwd }: SessionPlace, body: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['index', FORMAT, cwd]))
    .update(body)
    .digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
