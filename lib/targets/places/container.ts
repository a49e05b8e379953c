/** Places in containers, through the command line of docker or podman. */

import { abortError, BuddyError, messageOf } from '../../base/errors.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import { runProcess } from '../../base/process.js';
import type { Carrier } from './carrier.js';
import type { Place } from './place.js';
import { RemotePlace } from './remote-place.js';
import { firstLine } from './remote-script.js';

export type Engine = 'docker' | 'podman';

export interface ContainerPlaceOptions {
  readonly host: Host;
  /** Name or id. */
  readonly container: string;
  /** `auto`: the one that knows the container. */
  readonly engine: Engine | 'auto';
  readonly log: Log;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the engines themselves allow (moby `RestrictedNamePattern`); it cannot be taken for an option. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** Throws `usage.container` for what cannot be a container's name. */
export function assertContainerName(name: string): void {
  if (NAME.test(name)) return;
  throw new BuddyError('usage.container', `--container must be the name or id of a container, not ${JSON.stringify(name)}`, {
    hint: 'See "docker ps" or "podman ps".',
  });
}

/** A place in a container; the engines are asked who knows it. Throws `target.connect`, `usage.container`. */
export async function containerPlace({ host, container, engine, log }: ContainerPlaceOptions, signal: AbortSignal): Promise<Place> {
  assertContainerName(container);
  const { TMUX, TMUX_PANE, ...environment } = host.env;
  const chosen = engine === 'auto' ? await detectEngine(container, environment, signal) : engine;
  const carrier = containerCarrier(chosen, container, environment);
  return new RemotePlace({ carrier, clock: host.clock, log, environment, owner: `${host.hostname}/${host.pid}` });
}

async function detectEngine(container: string, environment: Environment, signal: AbortSignal): Promise<Engine> {
  const answers: string[] = [];
  for (const engine of ['docker', 'podman'] as const) {
    const looked = await look(engine, container, environment, signal);
    if (looked.kind === 'found') return engine;
    answers.push(`${engine}: ${looked.reason}`);
  }
  throw new BuddyError('target.connect', `no container ${container} was found (${answers.join('; ')})`, {
    hint: 'Give its name as "docker ps" or "podman ps" shows it; [container] engine in buddy.toml names the engine.',
  });
}

type Look =
  | { readonly kind: 'found'; readonly status: string }
  | { readonly kind: 'none'; readonly reason: string; readonly hint?: string };

/** What an engine says of a container. Rejects only when cancelled. */
async function look(engine: Engine, container: string, environment: Environment, signal: AbortSignal): Promise<Look> {
  const question = ['inspect', '--type', 'container', '--format', '{{.State.Status}}', container];
  try {
    const { code, stdout, stderr } = await runProcess(engine, question, { env: environment }, signal);
    if (code === 0) return { kind: 'found', status: stdout.trim() };
    const said = firstLine(stderr);
    if (/cannot connect to the docker daemon|is the docker daemon running/i.test(said)) {
      return { kind: 'none', reason: 'its daemon is not running', hint: 'Start it, for example with "systemctl start docker".' };
    }
    return { kind: 'none', reason: /no such (container|object)/i.test(said) ? 'there is no such container' : said || `exit code ${code}` };
  } catch (thrown) {
    if (signal.aborted) throw abortError();
    const said = messageOf(thrown);
    return { kind: 'none', reason: said.includes('ENOENT') ? 'not installed' : said };
  }
}

function containerCarrier(engine: Engine, container: string, environment: Environment): Carrier {
  const state = async (signal: AbortSignal) => {
    const looked = await look(engine, container, environment, signal);
    if (looked.kind === 'none') return { reason: `${engine}: ${looked.reason}`, hint: looked.hint ?? `Look with "${engine} ps -a".` };
    if (looked.status === 'running') return null;
    const hint = looked.status === 'paused' ? `${engine} unpause ${container}` : `${engine} start ${container}`;
    return { reason: `the container is not running (${looked.status})`, hint: `Start it with "${hint}".` };
  };
  return {
    kind: 'container',
    name: `the container ${container}`,
    label: `${container} (container)`,
    async prepare(signal) {
      const wrong = await state(signal);
      if (wrong === null) return;
      throw new BuddyError('target.connect', `cannot connect to the container ${container}: ${wrong.reason}`, { hint: wrong.hint });
    },
    launch: (script) => ({ file: engine, args: ['exec', '-i', container, 'sh', '-c', script] }),
    login: null,
    async explain(complaint, code) {
      const wrong = await state(new AbortController().signal);
      if (wrong !== null) return wrong;
      const said = firstLine(complaint);
      if (/executable file.*not found|no such file or directory/i.test(said)) return { reason: `there is no shell in it (${said})` };
      return { reason: said || `${engine} ended with exit code ${code ?? 'unknown'}` };
    },
    attachLine: (argv) => [engine, 'exec', '-it', container, ...argv].join(' '),
    release: () => Promise.resolve(),
  };
}
