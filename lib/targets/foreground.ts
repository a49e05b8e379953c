/** Process groups of a terminal on this host: who is in the foreground, whether it hides what is typed. */

import type { Host } from '../base/host.js';
import { runProcess, signalGroup } from '../base/process.js';

/** The foreground group of the terminal that process `pid` belongs to, or null. */
export async function foregroundGroup(host: Host, pid: number, signal: AbortSignal): Promise<number | null> {
  try {
    const shown = await runProcess('ps', ['-o', 'tpgid=', '-p', String(pid)], { env: { PATH: host.env['PATH'] } }, signal);
    const group = Number(shown.stdout.trim());
    return Number.isInteger(group) && group >= 2 ? group : null;
  } catch {
    return null;
  }
}

/** Sends SIGTERM to whatever is in the foreground of the pane, unless that is the pane's own shell. */
export async function endForeground(host: Host, shellPid: number, name: 'SIGTERM' | 'SIGKILL', signal: AbortSignal): Promise<void> {
  const group = await foregroundGroup(host, shellPid, signal);
  if (group !== null && group !== shellPid) signalGroup(group, name);
}

/** True when the terminal reads whole lines without echo: the sign of a password prompt. False when it cannot be told. */
export async function hidesInput(host: Host, tty: string, signal: AbortSignal): Promise<boolean> {
  if (!tty.startsWith('/dev/')) return false;
  const flag = host.platform === 'linux' ? '-F' : '-f';
  try {
    const shown = await runProcess('stty', [flag, tty, '-a'], { env: { PATH: host.env['PATH'], LC_ALL: 'C' } }, signal);
    return / -echo\b/.test(shown.stdout) && /(^|\s)icanon\b/.test(shown.stdout);
  } catch {
    return false;
  }
}
