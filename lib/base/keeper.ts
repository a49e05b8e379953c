/** Ends a program when we cannot: after SIGKILL, out of memory. */

import { type Child, startProcess } from './process.js';

/**
 * `$1` is the group of the program. It lives in a session of its own and reads a pipe of which only we hold the other end; the end of that
 * without a line before it means that we died.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM
IFS= read -r line && exit 0
kill -TERM "-$1"
sleep 1
kill -KILL "-$1"
`;

/** What keeps one program. */
export interface Keeper {
  /** The program is gone, or is to outlive us. */
  end(): void;
}

/** Keeps `child` and its group from outliving us. It has to be there still; one that was not started is not kept. */
export function startKeeper({ pid }: Child, path: string | undefined): Keeper {
  if (pid === null) return { end: () => undefined };
  const keeper = startProcess('/bin/sh', ['-c', SCRIPT, 'buddy-tui-keeper', String(pid)], { env: { PATH: path }, cwd: '/' });
  return { end: () => void keeper.stdin.end('done\n') };
}
