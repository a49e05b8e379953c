/** Builds what every mode runs on: configuration, target, tools, models and the runtime over them. */

import { randomBytes } from 'node:crypto';
import { BuddyError } from '../base/errors.js';
import { mkdirSync } from '../base/files.js';
import type { Host } from '../base/host.js';
import { createFileLog, type Log, type LogLevel, silentLog } from '../base/log.js';
import type { Options } from '../cli-options.js';
import { type LoadedConfig, loadConfig } from '../config/load.js';
import type { ModelProfile } from '../config/profiles.js';
import { createRedactor } from '../policy/redaction.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';
import type { ModelSummary } from '../protocol/events.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import { Runtime } from '../runtime/runtime.js';
import { Trace, traced } from '../runtime/trace.js';
import { createTarget, probeTmux } from '../targets/index.js';
import type { ExecutionTarget } from '../targets/target.js';
import { tools } from '../tools/index.js';

/** What a mode says about itself. */
export interface AssemblyOptions {
  readonly options: Options;
  readonly policy: ApprovalPolicy;
  readonly interactive: boolean;
  /** Size of the shared pane in cells. */
  readonly pane: { readonly cols: number; readonly rows: number };
  /** Told when the trace can no longer be written. */
  onTraceTrouble(message: string): void;
}

export interface Assembly {
  readonly config: LoadedConfig;
  readonly runtime: Runtime;
  /** The runtime, traced when a trace was asked for. */
  readonly port: RuntimePort;
  readonly trace: Trace | null;
  readonly log: Log;
  /** Sentences for the user, gathered on the way here. */
  readonly notices: readonly string[];
}

/** Everything but the start of the target. Throws BuddyError `config.*`, `trace.*`, `target.*` before anything runs. */
export async function assemble(host: Host, assembling: AssemblyOptions): Promise<Assembly> {
  const { options } = assembling;
  const config = await loadConfig({
    host,
    path: options.config,
    overrides: { model: options.model, baseUrl: options.baseUrl, tmux: options.tmux, color: options.color ? undefined : false },
  });
  const log = logOf(host, options);
  const { target, notice } = await targetOf(host, config, options, assembling.pane, log);
  const notices = [...config.warnings, ...(notice === null ? [] : [notice])];
  const { settings } = config;
  const { describeProfiles, openModel, renderInstructions } = await import('./models-of.js');
  const profiles: readonly ModelSummary[] = await describeProfiles(host, config.profiles);
  const enabled = tools.filter((tool) => isEnabled(tool.name, config));
  const runtime = new Runtime({
    clock: host.clock,
    version: host.version,
    agent: settings['agent.name'],
    target,
    tools: enabled,
    profiles,
    profile: config.profile.name,
    policy: assembling.policy,
    interactive: assembling.interactive,
    maxIterations: settings['agent.max_iterations'],
    review: {
      denylist: settings['tools.shell_denylist'],
      allowedPaths: settings['tools.files_allowed_paths'],
      homeDir: host.homeDir,
      confirmShell: settings['tools.shell_confirm'],
    },
    openModel: (name) => openModel(host, profileNamed(config, name), settings),
    instructions: (names) => renderInstructions(host, names, settings['agent.system_prompt']),
    newSessionId: () =>
      randomBytes(8)
        .toString('hex')
        .replace(/(.{4})(?=.)/g, '$1-'),
  });
  const trace =
    options.trace === undefined
      ? null
      : new Trace(options.trace, createRedactor(secretsOf(host, config)), (message) => assembling.onTraceTrouble(message));
  const port = trace === null ? runtime : traced(runtime, trace, () => host.clock.now());
  return { config, runtime, port, trace, log, notices };
}

function profileNamed(config: LoadedConfig, name: string): ModelProfile {
  const profile = config.profiles.find((candidate) => candidate.name === name);
  if (profile === undefined) throw new BuddyError('config.value', `there is no model profile "${name}"`);
  return profile;
}

/** Settings switch tools off by the family they belong to. */
function isEnabled(tool: string, { settings }: LoadedConfig): boolean {
  if (tool === 'run_shell' || tool === 'send-keys') return settings['tools.shell_enabled'];
  if (tool === 'read_file' || tool === 'write_file') return settings['tools.files_enabled'];
  return true;
}

/** Values that must never be written anywhere: keys in the configuration and in the environment. */
function secretsOf(host: Host, config: LoadedConfig): readonly string[] {
  const literal = config.profiles.flatMap(({ key }) => (key?.kind === 'literal' ? [key.value] : []));
  const named = Object.entries(host.env).flatMap(([name, value]) =>
    value !== undefined && /(_KEY|_TOKEN|_SECRET|PASSWORD)$/.test(name) ? [value] : [],
  );
  return [...literal, ...named];
}

/** The pane when there is a usable tmux; else the plain shell, with a sentence saying so. An explicit --tmux without tmux is an error. */
async function targetOf(
  host: Host,
  config: LoadedConfig,
  options: Options,
  pane: { readonly cols: number; readonly rows: number },
  log: Log,
): Promise<{ readonly target: ExecutionTarget; readonly notice: string | null }> {
  const { settings } = config;
  const make = (via: 'tmux' | 'direct') =>
    createTarget({
      via,
      host,
      agentName: settings['agent.name'],
      socket: settings['tmux.socket'],
      ...(settings['tmux.session'] === '' ? {} : { session: settings['tmux.session'] }),
      cols: pane.cols,
      rows: pane.rows,
      log,
    });
  if (options.direct) return { target: make('direct'), notice: null };
  const found = await probeTmux(host, AbortSignal.timeout(10_000));
  if (found.ok) return { target: make('tmux'), notice: null };
  const problem = found.version === '' ? 'tmux is not installed' : `tmux ${found.version} is too old (3.2 or newer is needed)`;
  const remedy = 'Install it, for example with "apt-get install tmux".';
  if (options.tmux !== undefined) throw new BuddyError('target.tmux', `${problem}, and --tmux asks for it`, { hint: remedy });
  return { target: make('direct'), notice: `${problem}: commands run without a pane that you can watch. ${remedy}` };
}

/** The log in the state directory (XDG Base Directory Specification); nothing by default, more with each -v. */
function logOf(host: Host, options: Options): Log {
  if (options.verbose === 0) return silentLog;
  const level: LogLevel = options.verbose === 1 ? 'info' : 'debug';
  const state = host.env['XDG_STATE_HOME'];
  const folder = `${state?.startsWith('/') ? state : `${host.homeDir}/.local/state`}/buddy`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return silentLog;
  }
  return createFileLog(`${folder}/buddy.log`, level, () => host.clock.now());
}
