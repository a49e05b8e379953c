/** Which files are not simply read: judged on the absolute path with its links followed, without touching the disk. */

import { known } from './argument.js';
import { isSecret, isTerminal } from './paths.js';

/** The logins and the key of the sessions of this program, wherever its folders are. */
const OWN_SECRETS = /\/buddy\/(?:auth\.json(?:\.\w+)?|session-key)$/i;
/** Devices: to open one may do something already. What is shared in memory are files. */
const DEVICES = /^\/dev\/(?!shm\/)/i;

/** What stands against reading a file. */
interface ReadCaution {
  /** `deny`: nobody is asked. */
  readonly kind: 'ask' | 'deny';
  /** Without a full stop. */
  readonly reason: string;
}

/** Null when nothing does: the same files are asked about as when a command opens them. */
export function readCaution(path: string): ReadCaution | null {
  if (OWN_SECRETS.test(path)) return { kind: 'deny', reason: 'the program keeps its own logins and keys there' };
  if (DEVICES.test(path)) return { kind: 'deny', reason: 'it is a device' };
  const argument = known(path);
  if (isTerminal(argument)) return { kind: 'deny', reason: 'it is a terminal, or an open file of a process' };
  return isSecret(argument) ? { kind: 'ask', reason: 'it is a file that holds secrets' } : null;
}
