/** Process groups of a terminal: who is in the foreground, whether it hides what is typed. */

import type { Place } from './places/place.js';

/** The foreground group of the terminal that process `pid` belongs to, or null. */
export async function foregroundGroup(place: Place, pid: number, signal: AbortSignal): Promise<number | null> {
  const group = (await statGroup(place, pid, signal)) ?? Number(await printed(place, ['ps', '-o', 'tpgid=', '-p', String(pid)], signal));
  return Number.isInteger(group) && group >= 2 ? group : null;
}

/** The eighth field of /proc/PID/stat (proc(5)); the second, a name in brackets, may hold anything. Null where there is no /proc. */
async function statGroup(place: Place, pid: number, signal: AbortSignal): Promise<number | null> {
  if (place.facts.system !== 'Linux') return null;
  const stat = await printed(place, ['cat', `/proc/${pid}/stat`], signal);
  const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5];
  return field === undefined ? null : Number(field);
}

/** Signals whatever is in the foreground of the pane, unless that is the pane's own shell. */
export async function endForeground(place: Place, shellPid: number, name: 'SIGTERM' | 'SIGKILL', signal: AbortSignal): Promise<void> {
  if (shellPid < 2) return;
  const group = await foregroundGroup(place, shellPid, signal);
  if (group !== null && group !== shellPid) await place.signalGroup(group, name);
}

/** How a terminal takes what is typed. */
export interface TerminalInput {
  readonly echo: boolean;
  /** It reads whole lines. */
  readonly lines: boolean;
}

/** Whole lines without echo: the sign of a password prompt. */
export function hidesInput({ echo, lines }: TerminalInput): boolean {
  return lines && !echo;
}

/** Keys one by one, which a program echoes itself: what a line editor, such as a shell's, asks for. */
export function readsKeys({ echo, lines }: TerminalInput): boolean {
  return !lines && !echo;
}

/** Asks the terminal; null when it cannot be told. */
export async function terminalInput(place: Place, tty: string, signal: AbortSignal): Promise<TerminalInput | null> {
  if (!tty.startsWith('/dev/')) return null;
  const flag = place.facts.system === 'Linux' ? '-F' : '-f';
  const shown = await printed(place, ['env', 'LC_ALL=C', 'stty', flag, tty, '-a'], signal);
  return shown === '' ? null : { echo: !/ -echo\b/.test(shown), lines: /(^|\s)icanon\b/.test(shown) };
}

/** Standard output of a short program; '' when it failed. */
async function printed(place: Place, argv: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    return (await place.run(argv, signal)).stdout.toString('utf8');
  } catch {
    return '';
  }
}
