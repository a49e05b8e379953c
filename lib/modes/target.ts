/** Chooses where commands run and how, from the command line and the settings. */

import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import type { Secrets } from '../policy/redaction.js';
import { createTarget, type FoundTmux, type Place, probeTmux, unservedShell } from '../targets/index.js';
import type { ExecutionTarget } from '../targets/target.js';
import { logOf } from './log.js';

/** A target that is not started yet. */
export interface ChosenTarget {
  readonly target: ExecutionTarget;
  /** Of another host or a container: its name for the model; null for this host. */
  readonly remote: string | null;
  /** Sentences for the user. */
  readonly notices: readonly string[];
}

/** How long `tmux -V` may take (milliseconds). */
const PROBE_LIMIT_MS = 10_000;

/**
 * The pane where there is a usable tmux; else the plain shell, with a sentence saying so. With a `place` it is there and nowhere else, and
 * the place is closed when there can be no target. Throws `target.tmux` for --tmux without tmux.
 */
export async function chooseTarget(
  host: Host,
  config: LoadedConfig,
  options: Options,
  {
    place,
    pane,
    adopt,
    secrets: { redact },
  }: {
    readonly place: Place | null;
    readonly pane: { readonly cols: number; readonly rows: number };
    readonly adopt: boolean;
    readonly secrets: Pick<Secrets, 'redact'>;
  },
): Promise<ChosenTarget> {
  const log = logOf(host, options, redact);
  try {
    return await targetAt(place);
  } catch (thrown) {
    await place?.close();
    throw thrown;
  }

  async function targetAt(there: Place | null): Promise<ChosenTarget> {
    const { settings } = config;
    const remote = there === null ? null : `${there.name} (${there.facts.user}@${there.facts.host}, ${there.kind})`;
    const make = (via: 'tmux' | 'direct', notice: string | null): ChosenTarget => {
      const target = createTarget({
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
      });
      const own = there === null ? null : unservedShell(there, via);
      const other =
        own === null ? [] : [`commands run in ${target.summary.shell}: your shell on ${there?.name}, ${own}, is not one to work in`];
      return { remote, target, notices: [...(notice === null ? [] : [notice]), ...other] };
    };
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
