/** The table of targets: where commands can run, and how. */

import type { Host } from '../base/host.js';
import { runProcess } from '../base/process.js';
import { DirectTarget } from './direct/direct-target.js';
import { commandEnvironment } from './environment.js';
import { sessionWord, type TargetOptions } from './options.js';
import { chooseShell } from './shells/index.js';
import type { ExecutionTarget } from './target.js';
import { TmuxTarget } from './tmux/tmux-target.js';

export type { TargetOptions } from './options.js';

/** Name of our private tmux server. */
export const DEFAULT_SOCKET = 'buddy';

/** Cells of a pane that nobody gave a size. */
const UNSEEN_COLS = 120;
const UNSEEN_ROWS = 40;

/** A target for this host; nothing is started before `start`. */
export function createTarget(options: TargetOptions): ExecutionTarget {
  const { host } = options;
  const environment = commandEnvironment(host.env, options.passEnvironment);
  const wanted = [options.shell, host.env['SHELL']];
  if (options.via === 'direct') return new DirectTarget({ host, environment, shell: chooseShell(wanted, { posix: true }).program });
  const choice = chooseShell(wanted);
  return new TmuxTarget({
    host,
    agent: sessionWord(options.agentName),
    tmux: options.tmuxBinary ?? 'tmux',
    socket: options.socket ?? DEFAULT_SOCKET,
    choice,
    cols: options.cols > 0 ? options.cols : UNSEEN_COLS,
    rows: options.rows > 0 ? options.rows : UNSEEN_ROWS,
    log: options.log,
    environment,
    mirror: options.mirror ?? true,
  });
}

/** The installed tmux: its version, and whether it is new enough (3.2, for `pause-after`). Rejects only when cancelled. */
export async function probeTmux(
  host: Host,
  signal: AbortSignal,
  tmuxBinary = 'tmux',
): Promise<{ readonly version: string; readonly ok: boolean }> {
  try {
    const shown = await runProcess(tmuxBinary, ['-V'], { env: commandEnvironment(host.env) }, signal);
    const version = shown.stdout.trim().replace(/^tmux\s+/, '');
    const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
    return { version, ok: version === 'master' || Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 2) };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { version: '', ok: false };
  }
}
