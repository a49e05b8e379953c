/** Finds and reads the configuration: command line over environment over file over defaults. */

import { join, resolve } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { fileTrouble, readWholeIfPresent, stat } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { CatalogueRule } from './catalogue-rules.js';
import { chooseProfile, type Given } from './choose.js';
import { type McpServerConfig, readMcpJson, readMcpServers } from './mcp-servers.js';
import { configDir } from './own-folders.js';
import { bundledProfiles, type ModelProfile, type ProfileValues, profileFrom, profileNamed } from './profiles.js';
import { emptyProject, type FoundProject, findProject, projectWarnings, readProject, type TrustRecord } from './project.js';
import { emptyContent, type FileContent, type KeyEntry, readContent } from './read.js';
import { defaultSettings, type SettingKey, type SettingRow, type Settings, settingRows } from './settings.js';
import { parseToml, tomlText } from './toml.js';

/** What the command line may say over everything else. */
export interface Overrides {
  /** `-m`: a profile, or the name of a model on the chosen profile's server. */
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** `--tmux`: the session to work in, on the user's own tmux server. */
  readonly tmux?: string | undefined;
  /** `--no-color` gives false. */
  readonly color?: boolean | undefined;
}

export interface LoadRequest {
  readonly host: Host;
  /** `-c FILE`; it must exist. Relative to the working folder. */
  readonly path?: string | undefined;
  readonly overrides?: Overrides;
  /** The person's own file as it is to be taken, instead of the one that is looked for. */
  readonly file?: { readonly path: string; readonly source: string } | undefined;
  /** What the person said of a folder (a real path) earlier; left out: nothing was ever said of any. */
  readonly trust?: (folder: string) => TrustRecord | null;
}

export interface LoadedConfig {
  readonly settings: Settings;
  readonly profiles: readonly ModelProfile[];
  /** The one to start with; it is in `profiles`. */
  readonly profile: ModelProfile;
  readonly themes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** `[keys]`, not yet checked against the actions there are. */
  readonly keys: readonly KeyEntry[];
  /** What the file says of models, over what is known of them. */
  readonly catalogue: readonly CatalogueRule[];
  /** The MCP servers, the person's own first; a project's only when it is trusted. */
  readonly mcp: readonly McpServerConfig[];
  /** The file that was read, or null. */
  readonly file: string | null;
  /** What the working folder brings along. */
  readonly project: FoundProject;
  /** What the person's own file says, before all else: what a project's is held against. */
  readonly own: ReadonlyMap<SettingKey, unknown>;
  /** Where a setting that is not the default comes from: a path, a variable, an option. */
  readonly sources: ReadonlyMap<SettingKey, string>;
  /** Sentences for the user, none of them fatal. */
  readonly warnings: readonly string[];
  /** How to get a real model, when the demo was chosen because nothing is configured; else null. */
  readonly demoHint: string | null;
}

export { configDir };

function readOrThrow(path: string): string | null {
  try {
    const bytes = readWholeIfPresent(path);
    return bytes === null ? null : tomlText(bytes, path);
  } catch (thrown) {
    if (thrown instanceof BuddyError && thrown.code === 'config.syntax') throw thrown;
    throw new BuddyError('config.unreadable', `${path} cannot be read: ${fileTrouble(thrown)}`, {
      hint: 'Make it readable for you, or give another file with -c FILE.',
      cause: thrown,
    });
  }
}

interface Found {
  readonly path: string;
  readonly source: string;
  readonly warnings: readonly string[];
}

function findFile(host: Host, path: string | undefined): Found | null {
  if (path !== undefined) {
    const wanted = resolve(host.cwd, path);
    const source = readOrThrow(wanted);
    if (source !== null) return { path: wanted, source, warnings: [] };
    throw new BuddyError('config.unreadable', `${wanted} cannot be read: no such file or folder`, { hint: 'Check the path after -c.' });
  }
  const own = join(configDir(host), 'buddy.toml');
  const source = readOrThrow(own);
  if (source !== null) return { path: own, source, warnings: [] };
  const legacy = join(configDir(host), '..', 'agent', 'agent.toml');
  const old = readOrThrow(legacy);
  return old === null ? null : { path: legacy, source: old, warnings: [`${legacy} is the old place; move it to ${own}`] };
}

/** A variable under its name or its legacy name; an empty one counts as unset. */
class Environment {
  readonly #env: Host['env'];
  readonly legacy: string[] = [];

  constructor(env: Host['env']) {
    this.#env = env;
  }

  read(name: string, legacyName?: string): Given | null {
    const value = this.#env[name];
    if (value !== undefined && value !== '') return { value, by: name };
    const old = legacyName === undefined ? undefined : this.#env[legacyName];
    if (legacyName === undefined || old === undefined || old === '') return null;
    this.legacy.push(legacyName);
    return { value: old, by: legacyName };
  }
}

/** Settings from the environment; `agent.model` is left to the choice of the profile. */
function applyEnvironment(env: Environment, values: Map<SettingKey, unknown>, sources: Map<SettingKey, string>): void {
  for (const [key, row] of Object.entries(settingRows) as [SettingKey, SettingRow<unknown>][]) {
    if (row.env === undefined || key === 'agent.model') continue;
    const given = env.read(row.env, row.legacyEnv);
    if (given === null) continue;
    const value = row.kind.fromText(given.value);
    if (value === undefined) {
      throw new BuddyError('config.value', `${given.by} must be ${row.kind.expected}, not "${given.value}"`, {
        hint: `Correct or unset ${given.by}.`,
      });
    }
    values.set(key, value);
    sources.set(key, given.by);
  }
}

function profilesOf(content: FileContent, file: string, host: Host): ModelProfile[] {
  return [...content.models].map(([name, values]) => profileFrom(name, values as ProfileValues, `${file}: models.${name}`, host.homeDir));
}

/** Others on this machine can read a key file with any of these mode bits. */
const READABLE_BY_OTHERS = 0o044;

async function keyFileWarnings(profiles: readonly ModelProfile[]): Promise<string[]> {
  const warnings: string[] = [];
  for (const { key } of profiles) {
    if (key?.kind !== 'file') continue;
    const mode = await stat(key.path).then(
      (found) => found.mode,
      () => 0,
    );
    if ((mode & READABLE_BY_OTHERS) !== 0) warnings.push(`${key.path} holds a key and can be read by other users; chmod 600 it`);
  }
  return [...new Set(warnings)];
}

/**
 * Loads the configuration. Throws `config.syntax`, `config.value`, `config.unreadable`: each one
 * sentence that names file and line, variable or option. No network, and no TOML parser when there is no file.
 */
export async function loadConfig({ host, path, file, overrides = {}, trust = () => null }: LoadRequest): Promise<LoadedConfig> {
  const found = file === undefined ? findFile(host, path) : { ...file, warnings: [] };
  const content = found === null ? emptyContent : readContent(await parseToml(found.source, found.path), found.source, found.path);
  const project = findProject(host, found?.path ?? null, trust);
  const theirs = project.trust === 'trusted' ? await readProject(project, content.values) : emptyProject;
  const mcp = serversOf(host, content, found?.path ?? '', project);
  const warnings = [...(found?.warnings ?? []), ...content.warnings, ...mcp.warnings, ...projectWarnings(project, theirs)];

  const values = new Map(content.values);
  const sources = new Map<SettingKey, string>([...content.values.keys()].map((key) => [key, found?.path ?? '']));
  for (const [key, { value, path: from }] of theirs.values) {
    values.set(key, value);
    sources.set(key, from);
  }
  const env = new Environment(host.env);
  applyEnvironment(env, values, sources);
  if (overrides.color !== undefined) {
    values.set('display.color', overrides.color);
    sources.set('display.color', 'command line');
  }
  if (overrides.tmux !== undefined) {
    values.set('tmux.session', overrides.tmux).set('tmux.socket', 'default');
    sources.set('tmux.session', '--tmux').set('tmux.socket', '--tmux');
  }

  const given = (value: string | undefined, by: string): Given | null => (value === undefined ? null : { value, by });
  const model = given(overrides.model, '--model') ?? env.read('BUDDY_MODEL', 'AGENT_MODEL');
  const baseUrl = given(overrides.baseUrl, '--base-url') ?? env.read('BUDDY_BASE_URL', 'AGENT_BASE_URL');
  const keyEnv = env.read('BUDDY_API_KEY', 'AGENT_API_KEY')?.by ?? null;
  const named = (values.get('agent.model') as string | undefined) ?? '';
  const configured = profilesOf(content, found?.path ?? '', host);
  if (model !== null) await refuseProjectModel(model, [...configured, ...bundledProfiles], project);
  const chosen = chooseProfile({
    configured,
    named: named === '' ? null : { value: named, by: `${found?.path ?? ''}: agent.model` },
    model,
    baseUrl,
    usable: found === null ? bundledProfiles.filter(({ key }) => key?.kind === 'env' && (host.env[key.name] ?? '').trim() !== '') : [],
    keyEnv,
  });
  if (model !== null) sources.set('agent.model', model.by);
  if (env.legacy.length > 0) warnings.push(`${env.legacy.join(', ')}: AGENT_* variables are the old spelling; write BUDDY_* instead`);
  warnings.push(...chosen.warnings, ...(await keyFileWarnings(chosen.profiles)));

  return {
    settings: { ...defaultSettings(), ...Object.fromEntries(values), 'agent.model': chosen.profile.name } as Settings,
    profiles: chosen.profiles,
    profile: chosen.profile,
    themes: content.themes,
    keys: content.keys,
    catalogue: content.catalogue,
    mcp: mcp.servers,
    file: found?.path ?? null,
    project,
    own: content.values,
    sources,
    warnings,
    demoHint: chosen.profile.api === 'demo' && model === null && named === '' ? demoHint(host, chosen.profiles) : null,
  };
}

/** The MCP servers as the files name them now, and sentences about those that are left out. Rejects as `loadConfig` does. */
export async function mcpServersNow(
  host: Host,
  file: string | null,
  project: FoundProject,
): Promise<{ readonly servers: readonly McpServerConfig[]; readonly warnings: readonly string[] }> {
  const source = file === null ? null : readOrThrow(file);
  const content = file === null || source === null ? emptyContent : readContent(await parseToml(source, file), source, file);
  return serversOf(host, content, file ?? '', project);
}

/** All MCP servers; of two with a name the first counts. */
function serversOf(host: Host, content: FileContent, file: string, project: FoundProject) {
  const servers = new Map<string, McpServerConfig>();
  const warnings: string[] = [];
  const json = join(configDir(host), 'mcp.json');
  const own = readOrThrow(json);
  const theirs = project.trust === 'trusted' ? project.found.filter(({ holds }) => holds === 'mcp') : [];
  const parts = [
    readMcpServers(content.mcp, { from: file, isOwn: true, env: host.env }),
    ...(own === null ? [] : [readMcpJson(own, { from: json, isOwn: true, env: host.env })]),
    ...theirs.flatMap(({ source, path }) => (source === null ? [] : [readMcpJson(source, { from: path, isOwn: false })])),
  ];
  const files = [file, ...(own === null ? [] : [json]), ...theirs.flatMap(({ source, path }) => (source === null ? [] : [path]))];
  for (const [at, part] of parts.entries()) {
    for (const { server, says } of part.faults)
      warnings.push(`${files[at]}: the MCP server ${JSON.stringify(server)} is left out: ${says}`);
    for (const one of part.servers) {
      const first = servers.get(one.name);
      if (first === undefined) servers.set(one.name, one);
      else warnings.push(`${one.from}: the MCP server "${one.name}" is left out: ${first.from} has one of that name`);
    }
  }
  return { servers: [...servers.values()], warnings };
}

/** The files whose settings hold now, the strongest last. */
export function filesInForce({ file, project, sources }: Pick<LoadedConfig, 'file' | 'project' | 'sources'>): readonly string[] {
  const theirs = project.found.map(({ path }) => path).filter((path) => [...sources.values()].includes(path));
  return [...(file === null ? [] : [file]), ...theirs];
}

/** A name that only the project knows was meant for the project's profile: going on with another model would be no answer. Throws `config.value`. */
async function refuseProjectModel({ value, by }: Given, own: readonly ModelProfile[], project: FoundProject): Promise<void> {
  if (project.found.length === 0 || profileNamed(value, own) !== null) return;
  const where = (await readProject(project, new Map())).profiles.get(value);
  if (where === undefined) return;
  throw new BuddyError('config.value', `${by}: there is no model profile "${value}" of yours, and the one in ${where} is never used`, {
    hint: 'A project names no servers and keys. Write a profile of your own when you trust that server.',
  });
}

function demoHint(host: Host, profiles: readonly ModelProfile[]): string {
  if ((host.env['BUDDY_API_KEY'] ?? '') !== '') return 'BUDDY_API_KEY is set: start with -m MODEL (and --base-url) to use it.';
  const usable = profiles.find(({ key }) => key?.kind === 'env' && (host.env[key.name] ?? '') !== '');
  if (usable?.key?.kind === 'env') return `${usable.key.name} is set: /model ${usable.name} uses it.`;
  return 'To use a real model, set OPENAI_API_KEY and choose /model gpt-codex, use /login openai and /model chatgpt, or run "buddy-tui init".';
}
