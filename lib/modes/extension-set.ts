/** The extensions of a run: those that are built in, and the person's own, as the command line and the settings want them. */

import { join } from 'node:path';
import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { nearest } from '../base/nearest.js';
import type { Options } from '../cli-options.js';
import { configDir, type LoadedConfig } from '../config/load.js';
import { profileFrom } from '../config/profiles.js';
import { findProject, projectWarnings } from '../config/project.js';
import { builtInExtensions } from '../extensions/built-in.js';
import { builtInCommands } from '../extensions/built-in-commands.js';
import type { Extension } from '../extensions/extension.js';
import { Registry } from '../extensions/registry.js';
import { extensionsIn, namedExtensions, projectExtensions } from '../extensions/user/discovery.js';
import type { ManifestProvider } from '../extensions/user/manifest.js';
import type { FoundExtension } from '../extensions/user/user-extension.js';
import { UserExtensions } from '../extensions/user/user-extensions.js';
import { isNameOf } from '../mcp/tool-names.js';
import type { ModelProvider } from '../models/provider.js';
import type { Recording } from './assembly-config.js';
import { logOf } from './log.js';
import { stateFolder } from './state-folder.js';
import { readTrust } from './trust-store.js';

/** What is known where a run begins. */
interface Beginning extends Recording {
  readonly options: Options;
  readonly config: LoadedConfig;
}

/** All of a run, not started, with `more` behind what is built in. Rejects with `usage.tools` and `usage.extension` for what is not there. */
export async function extensionsOf(
  host: Host,
  beginning: Beginning,
  more: readonly Extension[],
): Promise<{ readonly registry: Registry; readonly extensions: UserExtensions }> {
  const { options, config, programs, secrets } = beginning;
  const registry = new Registry(
    [...builtInExtensions, builtInCommands, ...more].map((extension) => wantedOf(extension, options)),
    // The name of a tool that is switched off stays its own: nothing else is called so.
    (name) => isWanted(name, options) && isEnabled(name, config),
  );
  const named = await namedExtensions(options.extensionPaths ?? [], host.cwd);
  const isOn = options.extensions !== false && config.settings['extensions.enabled'];
  const lookedAt = () => (isOn ? extensionsIn(ownFolder(host)) : Promise.resolve({ found: [], faults: [] }));
  let own = await lookedAt();
  const log = logOf(host, options, secrets.redact);
  const bundle = join(host.packageDir, 'dist', 'bundle');
  let first: readonly FoundExtension[] | null = [...named, ...own.found];
  let ignored: readonly string[] = [];
  const isAlone = first.length === 0 && !config.project.found.some(({ holds }) => holds === 'extension' || holds === 'mcp');
  const unknown = unknownTools(registry, options, config);
  if (isAlone && unknown[0] !== undefined) throw new BuddyError('usage.tools', unknown[0]);
  const extensions = new UserExtensions({
    ...{ clock: host.clock, registry, cwd: host.cwd },
    script: join(bundle, 'extensions', 'user', 'thread.js'),
    api: join(bundle, 'extension.js'),
    env: () => programs().env,
    log: (text) => log.write('info', text),
    profiles: config.profiles.map(({ name }) => name),
    openServer: (provider) => openServer(host, beginning, provider),
    doubts: () => [...unknownTools(registry, options, config), ...own.faults, ...ignored],
    async find() {
      const isFirst = first !== null;
      if (!isFirst) own = await lookedAt();
      const found = first ?? [...named, ...own.found];
      first = null;
      const project = isFirst ? config.project : findProject(host, config.file, (folder) => readTrust(host).records.get(folder) ?? null);
      // At the start that is told with the configuration.
      if (!isFirst) ignored = projectWarnings(project, { lines: [] });
      if (!isOn || project.trust !== 'trusted') return found;
      return [...found, ...(await projectExtensions(project.found, join(stateFolder(host), 'extensions'), host.clock.now()))];
    },
  });
  return { registry, extensions };
}

/** A model behind a server that an extension names. Only the extension's own key is sent there. */
async function openServer(host: Host, { config, secrets }: Beginning, provider: ManifestProvider): Promise<ModelProvider> {
  const { createProvider } = await import('../models/index.js');
  const { name, model, contextTokens, server } = provider;
  const values = { api_base_url: server?.baseUrl ?? '', model, context_limit: contextTokens, api_key: server?.apiKey ?? 'none' };
  const profile = profileFrom(name, values, `extension model ${name}`, host.homeDir);
  const { settings, catalogue } = config;
  return createProvider({ profile, host, clock: host.clock, settings, catalogue, learn: secrets.learn });
}

function ownFolder(host: Host): string {
  return join(configDir(host), 'extensions');
}

/** A sentence for each name on the command line that no tool has. */
function unknownTools(registry: Registry, { tools = [], excludeTools = [] }: Options, { mcp }: LoadedConfig): readonly string[] {
  const known = registry.extensions.flatMap((extension) => extension.tools?.list() ?? []).map(({ name }) => name);
  const all = [...builtInExtensions.flatMap((extension) => extension.tools?.list() ?? []).map(({ name }) => name), ...known];
  return [...tools, ...excludeTools].flatMap((name) => {
    // What a server has is known once it is started.
    if (all.includes(name) || mcp.some((server) => isNameOf(server.name, name))) return [];
    const near = nearest(name, all);
    return [`there is no tool "${name}"${near === null ? `; there are ${[...new Set(all)].join(', ')}` : `; did you mean "${near}"?`}`];
  });
}

function isWanted(tool: string, { tools, excludeTools = [] }: Options): boolean {
  return (tools === undefined || tools.includes(tool)) && !excludeTools.includes(tool);
}

/** Without the built-in tools, where the command line wants none of them. */
function wantedOf(extension: Extension, options: Options): Extension {
  const { tools } = extension;
  if (tools === undefined || options.builtinTools !== false || extension.name === 'mcp') return extension;
  return { ...extension, tools: { ...tools, list: () => [] } };
}

/** Settings switch tools off by the family they belong to. */
function isEnabled(tool: string, { settings }: LoadedConfig): boolean {
  if (tool === 'run_shell' || tool === 'send-keys') return settings['tools.shell_enabled'];
  if (['read_file', 'read_skill', 'write_file', 'edit_file', 'grep', 'find', 'ls'].includes(tool)) return settings['tools.files_enabled'];
  if (tool === 'fetch_url') return settings['tools.fetch_enabled'];
  if (tool === 'web_search') return settings['tools.search_enabled'];
  return true;
}
