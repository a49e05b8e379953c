/** Which files nobody reads for a model: judged on the absolute path with its links followed, without touching the disk. */

/** The logins and the key of the sessions of this program, wherever its folders are. */
const OWN_SECRETS = /\/buddy\/(?:auth\.json(?:\.\w+)?|session-key)$/i;
/** Devices, and what a process has open: to open one may do something already. What is shared in memory are files. */
const DEVICES = /^\/dev\/(?!shm\/)|^\/proc\/[^/]+\/fd\//i;

/** Why reading `path` is refused, or null. */
export function readRefusal(path: string): string | null {
  if (OWN_SECRETS.test(path)) return `${path} is not read: the program keeps its own logins and keys there`;
  return DEVICES.test(path) ? `${path} is not read: it is a device, or an open file of a process` : null;
}
