/** The part of the assembly that comes before the screen: configuration and trace. Light, for a fast first picture. */

import { readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { type LoadedConfig, loadConfig, type Overrides } from '../config/load.js';
import type { ModelProfile } from '../config/profiles.js';
import { secretsIn, storePath } from '../models/auth/credentials.js';
import { asObject, parseJson } from '../models/json.js';
import { createSecrets, type Secrets } from '../policy/redaction.js';
import { Trace } from '../runtime/trace.js';
import { hostOfPrograms, isSecretName } from './program-environment.js';
import { searchKeyVariable } from './search-key.js';
import { readTrust } from './trust-store.js';

/** The configuration that the options ask for. Throws `config.*`. */
export async function configOf(host: Host, options: Options): Promise<LoadedConfig> {
  let problem: string | null = null;
  const config = await loadConfig({
    host,
    path: options.config,
    overrides: overridesOf(options),
    trust(folder) {
      const trust = readTrust(host);
      problem = trust.problem;
      return trust.records.get(folder) ?? null;
    },
  });
  host.timing?.mark('config');
  host.maskReports?.(secretsOf(host, config).redact);
  return problem === null ? config : { ...config, warnings: [...config.warnings, problem] };
}

/** What the options say over the configuration. */
export function overridesOf({ model, baseUrl, tmux, color }: Options): Overrides {
  return { model, baseUrl, tmux, color: color ? undefined : false };
}

/** What of a run is written down, and what of it never. */
export interface Recording {
  /** Null: none was asked for. */
  readonly trace: Trace | null;
  /** One for all that is written or sent; what is asked for a key adds to it. */
  readonly secrets: Secrets;
  /** The host as other programs on this machine are shown it. */
  readonly programs: () => Host;
}

/** With the trace that the options ask for. Throws `trace.open`. */
export function recordingOf(host: Host, options: Options, config: LoadedConfig, onTrouble: (message: string) => void): Recording {
  const secrets = secretsOf(host, config);
  host.maskReports?.(secrets.redact);
  const { trace: path } = options;
  const more = { clock: host.clock, program: host.version, openEnd: secrets.openEnd };
  const trace = path === undefined ? null : new Trace(path, secrets.redact, onTrouble, more);
  if (path !== undefined) host.recordIn?.(path);
  // Whatever ends the process: what is held back is written, and the last of it matters most.
  if (trace !== null) host.on('exit', () => trace.close());
  return { trace, secrets, programs: () => hostOfPrograms(host, secrets) };
}

/** The keys of the profiles, and what the environment calls a secret. Keys that have to be asked for are learnt when they are. */
export function secretsOf(host: Host, config: LoadedConfig): Secrets {
  return createSecrets(() => secretsAtHand(host, config));
}

function secretsAtHand(host: Host, config: LoadedConfig): readonly string[] {
  const keys = config.profiles.flatMap(({ key }) => (key === null ? [] : [keyValue(host, key)]));
  const named = Object.entries(host.env).flatMap(([name, value]) => (value !== undefined && isSecretName(name) ? [value.trim()] : []));
  return [
    ...keys,
    ...named,
    ...config.profiles.flatMap(sentSecrets),
    ...proxySecrets(host),
    ...searchSecrets(host, config),
    ...storedSecrets(host),
  ];
}

/** What a profile sends besides its key: headers that are called a secret, a password in its address. */
function sentSecrets({ extraHeaders, baseUrl }: ModelProfile): readonly string[] {
  const named = Object.entries(extraHeaders).filter(([name]) => /key|token|secret|auth|cookie/i.test(name));
  return [...named.map(([, value]) => value), ...passwordIn(baseUrl)];
}

function proxySecrets({ env }: Host): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && /_proxy$/i.test(name) ? passwordIn(value) : []));
}

function passwordIn(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  return [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
  // These would take a second and a window: they are learnt with the first request that needs them.
  if (key.kind === 'command' || key.kind === 'keyring') return '';
  try {
    return (readTextIfPresent(key.path) ?? '').trim();
  } catch {
    return '';
  }
}
