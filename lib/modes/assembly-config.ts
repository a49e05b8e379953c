/** The part of the assembly that comes before the screen: configuration and trace. Light, for a fast first picture. */

import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { type LoadedConfig, loadConfig } from '../config/load.js';
import { createRedactor } from '../policy/redaction.js';
import { Trace } from '../runtime/trace.js';

/** The configuration that the options ask for. Throws `config.*`. */
export function configOf(host: Host, options: Options): Promise<LoadedConfig> {
  return loadConfig({
    host,
    path: options.config,
    overrides: { model: options.model, baseUrl: options.baseUrl, tmux: options.tmux, color: options.color ? undefined : false },
  });
}

/** The trace that the options ask for, or null. Throws `trace.open`. */
export function traceOf(host: Host, options: Options, config: LoadedConfig, onTrouble: (message: string) => void): Trace | null {
  if (options.trace === undefined) return null;
  return new Trace(options.trace, createRedactor(secretsOf(host, config)), onTrouble);
}

/** Values that must never be written anywhere: keys in the configuration and in the environment. */
function secretsOf(host: Host, config: LoadedConfig): readonly string[] {
  const literal = config.profiles.flatMap(({ key }) => (key?.kind === 'literal' ? [key.value] : []));
  const named = Object.entries(host.env).flatMap(([name, value]) =>
    value !== undefined && /(_KEY|_TOKEN|_SECRET|PASSWORD)$/.test(name) ? [value] : [],
  );
  return [...literal, ...named];
}
