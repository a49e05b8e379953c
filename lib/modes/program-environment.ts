/** What other programs of this machine are shown of the environment: an editor, a browser, the tmux around us. */

import type { Host } from '../base/host.js';
import type { ModelProfile } from '../config/profiles.js';
import type { Settings } from '../config/settings.js';
import type { Secrets } from '../policy/redaction.js';

/** Variables that are called a secret. */
const SECRET_NAME = /(?:(?:^|_)(?:KEY|TOKEN|SECRET|PASSPHRASE)|PASSWORD|PASSWD|CREDENTIALS)$/i;
/** A proxy's address may hold its password; whoever reaches the network needs it. */
const PROXY_NAME = /_proxy$/i;

/** Is a variable of that name a secret? */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The same host, without the variables that are or hold a secret. */
export function hostOfPrograms(host: Host, secrets: Pick<Secrets, 'redact'>): Host {
  return { ...host, env: environmentOfPrograms(host.env, secrets) };
}

/** That environment without the variables that are or hold a secret. */
export function environmentOfPrograms(env: Host['env'], { redact }: Pick<Secrets, 'redact'>): Host['env'] {
  const shown = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !isSecretName(name) && (PROXY_NAME.test(name) || redact(value) === value),
  );
  return Object.fromEntries(shown);
}

/** The part of a configuration that names variables with keys in them. */
interface KeyPlaces {
  readonly profiles: readonly Pick<ModelProfile, 'key'>[];
  readonly settings: Pick<Settings, 'search.api_key_env'>;
}

/** Where the key of the profile that is started with may stand as well. */
const START_KEYS = ['BUDDY_API_KEY', 'AGENT_API_KEY'];

/**
 * The same host for ssh and the engines of containers: without the variables that this program has its keys from. What a ProxyCommand or an
 * engine logs in with, whatever it is called, is theirs.
 */
export function hostOfConnections<T extends Pick<Host, 'env'>>(host: T, { profiles, settings }: KeyPlaces): T {
  const ours = profiles.flatMap(({ key }) => (key?.kind === 'env' ? [key.name] : []));
  const left = new Set([...START_KEYS, ...ours, settings['search.api_key_env']]);
  return { ...host, env: Object.fromEntries(Object.entries(host.env).filter(([name]) => !left.has(name))) };
}
