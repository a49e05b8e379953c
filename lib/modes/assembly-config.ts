/** The part of the assembly that comes before the screen: configuration and trace. Light, for a fast first picture. */

import { readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { type LoadedConfig, loadConfig } from '../config/load.js';
import type { ModelProfile } from '../config/profiles.js';
import { secretsIn, storePath } from '../models/auth/credentials.js';
import { asObject, parseJson } from '../models/json.js';
import { createRedactor, type Redactor } from '../policy/redaction.js';
import { Trace } from '../runtime/trace.js';
import { searchKeyVariable } from './search-key.js';

/** The configuration that the options ask for. Throws `config.*`. */
export async function configOf(host: Host, options: Options): Promise<LoadedConfig> {
  const config = await loadConfig({
    host,
    path: options.config,
    overrides: { model: options.model, baseUrl: options.baseUrl, tmux: options.tmux, color: options.color ? undefined : false },
  });
  host.timing?.mark('config');
  return config;
}

/** The trace that the options ask for, or null. Throws `trace.open`. */
export function traceOf(host: Host, options: Options, config: LoadedConfig, onTrouble: (message: string) => void): Trace | null {
  if (options.trace === undefined) return null;
  return new Trace(options.trace, redactorOf(host, config), onTrouble);
}

/** What every secret passes before it is written: the keys of the profiles, and what the environment calls a secret. */
export function redactorOf(host: Host, config: LoadedConfig): Redactor {
  return createRedactor(secretsOf(host, config));
}

/** Values that must never be written anywhere: the keys of the profiles, and what the environment calls a secret. */
export function secretsOf(host: Host, config: LoadedConfig): readonly string[] {
  const keys = config.profiles.flatMap(({ key }) => (key === null ? [] : [keyValue(host, key)]));
  const named = Object.entries(host.env).flatMap(([name, value]) =>
    value !== undefined && /((^|_)(KEY|TOKEN|SECRET|PASSPHRASE)|PASSWORD|PASSWD)$/i.test(name) ? [value] : [],
  );
  return [...keys, ...named, ...searchSecrets(host, config), ...storedSecrets(host)];
}

function searchSecrets(host: Host, { settings }: LoadedConfig): readonly string[] {
  const path = settings['search.api_key_file'].replace(/^~(?=\/)/, host.homeDir);
  const file = path === '' ? [] : [keyValue(host, { kind: 'file', path })];
  return [...file, (host.env[searchKeyVariable(settings)] ?? '').trim()];
}

function storedSecrets(host: Host): readonly string[] {
  try {
    return secretsIn(asObject(parseJson(readTextIfPresent(storePath(host)) ?? '')) ?? {});
  } catch {
    return [];
  }
}

/** The key as it would be sent; '' when it is not there. */
function keyValue(host: Host, key: NonNullable<ModelProfile['key']>): string {
  if (key.kind === 'literal') return key.value;
  if (key.kind === 'env') return (host.env[key.name] ?? '').trim();
  // These would take a second and a window; what is sent of them never comes near a trace.
  if (key.kind === 'command' || key.kind === 'keyring') return '';
  try {
    return (readTextIfPresent(key.path) ?? '').trim();
  } catch {
    return '';
  }
}
