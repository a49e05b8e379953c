/** What other programs of this machine are shown of the environment: an editor, a browser, the tmux around us. */

import type { Host } from '../base/host.js';
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
