/** Chooses where commands run and how, from the command line and the settings. */

import { join } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { mkdirSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import { createFileLog, type Log, type LogLevel, silentLog } from '../base/log.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import { connectPlace, createTarget, type FoundTmux, type Place, probeTmux } from '../targets/index.js';
import type { ExecutionTarget } from '../targets/target.js';
import { stateFolder } from './state-folder.js';

/** A target that is not started yet. */
export interface ChosenTarget {
  readonly target: ExecutionTarget;
  /** Of another host or a container: its name for the model; null for this host. */
  readonly remote: string | null;
  /** A sentence for the user. */
  readonly notice: string | null;
}

/** How long `tmux -V` may take (milliseconds). */
const PROBE_LIMIT_MS = 10_000;

/**
 * The pane where there is a usable tmux; else the plain shell, with a sentence saying so. With --ssh or --container it is there and
 * nowhere else. Throws `target.tmux` for --tmux without tmux, `target.connect`, `usage.*`.
 */
export async function chooseTarget(
  host: Host,
  config: LoadedConfig,
  options: Options,
  { pane, adopt }: { readonly pane: { readonly cols: number; readonly rows: number }; readonly adopt: boolean },
): Promise<ChosenTarget> {
  const log = logOf(host, options);
  const place = await placeOf(host, config, options, log);
  try {
    return await targetAt(place);
  } catch (thrown) {
    await place?.close();
    throw thrown;
  }

  async function targetAt(there: Place | null): Promise<ChosenTarget> {
    const { settings } = config;
    const remote = there === null ? null : `${there.name} (${there.facts.user}@${there.facts.host}, ${there.kind})`;
    const make = (via: 'tmux' | 'direct', notice: string | null): ChosenTarget => ({
      remote,
      notice,
      target: createTarget({
        via,
        host,
        ...(there === null ? {} : { place: there }),
        agentName: settings['tmux.session'] === '' ? settings['agent.name'] : settings['tmux.session'],
        socket: settings['tmux.socket'],
        cols: pane.cols,
        rows: pane.rows,
        log,
        mirror: pane.cols > 0,
        adopt,
        maxSessions: settings['tmux.max_sessions'],
        maxPanes: settings['tmux.max_panes'],
      }),
    });
    if (options.direct) return make('direct', null);
    const probe = there === null ? await probed(host) : { tmux: there.facts.tmux };
    if (probe === null && options.tmux === undefined) {
      const slow = `tmux did not tell its version within ${PROBE_LIMIT_MS / 1000} seconds`;
      return make('direct', `${slow}: commands run without a pane that you can watch. See what "tmux -V" does.`);
    }
    const found = probe?.tmux ?? null;
    const shared = settings['tmux.socket'] === 'default';
    if (found?.ok === true) return make('tmux', shared ? 'commands run on your own tmux server: they can reach your other panes' : null);
    const problem = tmuxProblem(found, there);
    if (options.tmux !== undefined) throw new BuddyError('target.tmux', `${problem}, and --tmux asks for it`, { hint: REMEDY });
    const lost = there === null ? '' : ', and do not go on when the connection is lost';
    return make('direct', `${problem}: commands run without a pane that you can watch${lost}. ${REMEDY}`);
  }
}

/** The installed tmux; null when it did not answer in time. */
async function probed(host: Host): Promise<{ readonly tmux: FoundTmux | null } | null> {
  const limit = new AbortController();
  const timer = host.clock.after(PROBE_LIMIT_MS, () => limit.abort());
  try {
    return { tmux: await probeTmux(host, limit.signal) };
  } catch (thrown) {
    if (limit.signal.aborted) return null;
    throw thrown;
  } finally {
    timer.dispose();
  }
}

const REMEDY = 'Install it, for example with "apt-get install tmux".';

function tmuxProblem(found: FoundTmux | null, place: Place | null): string {
  const where = place === null ? '' : place.kind === 'ssh' ? ` on ${place.name}` : ` in ${place.name}`;
  return found === null ? `tmux is not installed${where}` : `tmux ${found.version}${where} is too old (3.2 or newer is needed)`;
}

/** Another host or a container, connected; null for this host. */
async function placeOf(host: Host, { settings }: LoadedConfig, { ssh, container }: Options, log: Log): Promise<Place | null> {
  if (ssh !== undefined && container !== undefined) {
    throw new BuddyError('usage.target', '--ssh and --container cannot be given together', {
      hint: 'For a container on another host, start buddy-tui there, or set DOCKER_HOST or CONTAINER_HOST.',
    });
  }
  return connectPlace(
    {
      host,
      log,
      ssh,
      container,
      connectTimeoutS: settings['ssh.connect_timeout_secs'],
      engine: settings['container.engine'],
    },
    new AbortController().signal,
  );
}

/** The log in the state folder; nothing by default, more with each -v. */
function logOf(host: Host, options: Options): Log {
  if (options.verbose === 0) return silentLog;
  const level: LogLevel = options.verbose === 1 ? 'info' : 'debug';
  const folder = stateFolder(host);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return silentLog;
  }
  return createFileLog(join(folder, 'buddy.log'), level, () => host.clock.now());
}
