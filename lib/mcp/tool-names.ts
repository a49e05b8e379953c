/** What models call the tools of servers: `server__tool`, in letters that every provider takes. */

import { createHash } from 'node:crypto';

/** Of the name of a tool, by all providers that there are. */
const MOST = 64;
const HASH = 8;

/** The same for the same server and tool, whatever else there is; names that would look alike are told apart by a hash. */
export function toolName(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  const safe = plain.replace(/[^a-zA-Z0-9_-]/g, '_');
  // What stands before the first __ is the server: a_ with b, and a with _b, are two.
  const isPlain = safe === plain && safe.length <= MOST && !server.includes('__') && !server.endsWith('_');
  if (isPlain) return safe;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, HASH);
  return `${safe.slice(0, MOST - HASH - 1)}_${hash}`;
}

/** Can a tool of that server be called `name`? */
export function isNameOf(server: string, name: string): boolean {
  return name.startsWith(`${server}__`.replace(/[^a-zA-Z0-9_-]/g, '_'));
}
