/** Goes to the other host or container before the screen is taken, so that a person can answer what ssh asks. */

import { BuddyError, exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visible } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import type { Place } from '../targets/index.js';
import { secretsOf } from './assembly-config.js';
import { hostOfConnections } from './program-environment.js';

/** Signals that give up, and the exit code then. */
const stopSignals = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.hangup],
] as const;

/**
 * The place that --ssh or --container names, connected; null for this host. On a terminal a person is asked what ssh wants to know, without
 * one nothing is asked. A signal ends the program. Throws `usage.*`, `target.connect`, `target.login`.
 */
export async function connectedPlace(host: Host, config: LoadedConfig, options: Options): Promise<Place | null> {
  const { settings } = config;
  const { ssh, container } = options;
  if (ssh === undefined && container === undefined) return null;
  if (ssh !== undefined && container !== undefined) {
    throw new BuddyError('usage.target', '--ssh and --container cannot be given together', {
      hint: 'For a container on another host, start buddy-tui there, or set DOCKER_HOST or CONTAINER_HOST.',
    });
  }
  const { connectPlace } = await import('../targets/index.js');
  const { askOnTerminal } = await import('./ask-on-terminal.js');
  const { logOf } = await import('./log.js');
  const stop = new AbortController();
  let code: number | null = null;
  const listening = stopSignals.map(([signal, number]) =>
    host.on(signal, () => {
      if (code !== null) host.exit(number);
      code = number;
      stop.abort();
    }),
  );
  const seen = host.stdin.isTTY === true && host.stderr.isTTY === true;
  if (seen) host.stderr.write(`buddy-tui: connecting to ${visible(ssh ?? container ?? '')} …\n`);
  const reaching = hostOfConnections(host, config);
  const request = {
    ...{ host: reaching, ssh, container, log: logOf(host, options, secretsOf(host, config).redact) },
    ...{ connectTimeoutS: settings['ssh.connect_timeout_secs'], engine: settings['container.engine'] },
  };
  try {
    const place = await connectPlace(request, seen ? askOnTerminal(reaching) : null, stop.signal);
    host.timing?.mark('connection');
    return place;
  } catch (thrown) {
    if (code === null) throw thrown;
    if (seen) host.stderr.write('\n');
    return host.exit(code);
  } finally {
    for (const end of listening) end();
  }
}
