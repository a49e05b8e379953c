/** Builds what every mode runs on: target, tools, models and the runtime over them. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { mkdirSync, readFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import { createFileLog, type Log, type LogLevel, silentLog } from '../base/log.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import type { ModelProfile } from '../config/profiles.js';
import { createProvider, summarize } from '../models/index.js';
import { parseSystemPrompt, renderSystemPrompt } from '../models/system-prompt.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import { Runtime } from '../runtime/runtime.js';
import { type Trace, traced } from '../runtime/trace.js';
import { createTarget, probeTmux } from '../targets/index.js';
import type { ExecutionTarget } from '../targets/target.js';
import { tools } from '../tools/index.js';
import { stateFolder } from './state-folder.js';

/** What a mode says about itself. */
export interface AssemblyOptions {
  readonly options: Options;
  readonly config: LoadedConfig;
  readonly policy: ApprovalPolicy;
  readonly interactive: boolean;
  /** Size of the shared pane in cells. */
  readonly pane: { readonly cols: number; readonly rows: number };
  readonly trace: Trace | null;
}

export interface Assembly {
  readonly runtime: Runtime;
  /** The runtime, traced when a trace was asked for. */
  readonly port: RuntimePort;
  readonly target: ExecutionTarget;
  /** Sentences for the user, gathered on the way here. */
  readonly notices: readonly string[];
}

/** Everything but the start of the target. Throws BuddyError `config.*`, `target.*` before anything runs. */
export async function assemble(host: Host, assembling: AssemblyOptions): Promise<Assembly> {
  const { options, config, trace } = assembling;
  const { settings } = config;
  const { target, notice } = await targetOf(host, config, options, assembling.pane);
  const templatePath = join(host.packageDir, 'templates', 'system_prompt.template');
  const template = parseSystemPrompt(await readFile(templatePath, 'utf8'), templatePath);
  const runtime = new Runtime({
    clock: host.clock,
    version: host.version,
    agent: settings['agent.name'],
    target,
    tools: tools.filter((tool) => isEnabled(tool.name, config)),
    profiles: await summarize(config.profiles, host),
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
    openModel: (name) => createProvider({ profile: profileNamed(config, name), host, clock: host.clock, settings }),
    instructions: (toolNames) =>
      renderSystemPrompt(template, { remoteTarget: null, toolNames, customInstructions: settings['agent.system_prompt'] }),
    newSessionId: () =>
      randomBytes(8)
        .toString('hex')
        .replace(/(.{4})(?=.)/g, '$1-'),
  });
  const port = trace === null ? runtime : traced(runtime, trace, () => host.clock.now());
  return { runtime, port, target, notices: [...config.warnings, ...(notice === null ? [] : [notice])] };
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

/** How long `tmux -V` may take (milliseconds). */
const PROBE_LIMIT_MS = 10_000;

/** The installed tmux; null when it did not answer in time. */
async function probed(host: Host): Promise<Awaited<ReturnType<typeof probeTmux>> | null> {
  const limit = new AbortController();
  const timer = host.clock.after(PROBE_LIMIT_MS, () => limit.abort());
  try {
    return await probeTmux(host, limit.signal);
  } catch (thrown) {
    if (limit.signal.aborted) return null;
    throw thrown;
  } finally {
    timer.dispose();
  }
}

function problemOf(found: Awaited<ReturnType<typeof probed>>): string {
  if (found === null) return `tmux did not tell its version within ${PROBE_LIMIT_MS / 1000} seconds`;
  return found.version === '' ? 'tmux is not installed' : `tmux ${found.version} is too old (3.2 or newer is needed)`;
}

/** The pane when there is a usable tmux; else the plain shell, with a sentence saying so. Throws `target.tmux` for --tmux without tmux. */
async function targetOf(
  host: Host,
  config: LoadedConfig,
  options: Options,
  pane: { readonly cols: number; readonly rows: number },
): Promise<{ readonly target: ExecutionTarget; readonly notice: string | null }> {
  const { settings } = config;
  const make = (via: 'tmux' | 'direct') =>
    createTarget({
      via,
      host,
      agentName: settings['tmux.session'] === '' ? settings['agent.name'] : settings['tmux.session'],
      socket: settings['tmux.socket'],
      cols: pane.cols,
      rows: pane.rows,
      log: logOf(host, options),
      mirror: pane.cols > 0,
    });
  if (options.direct) return { target: make('direct'), notice: null };
  const found = await probed(host);
  const shared = settings['tmux.socket'] === 'default';
  const warning = shared ? 'commands run on your own tmux server: they can reach your other panes' : null;
  if (found?.ok === true) return { target: make('tmux'), notice: warning };
  const problem = problemOf(found);
  const remedy = found === null ? 'See what "tmux -V" does.' : 'Install it, for example with "apt-get install tmux".';
  if (options.tmux !== undefined) throw new BuddyError('target.tmux', `${problem}, and --tmux asks for it`, { hint: remedy });
  return { target: make('direct'), notice: `${problem}: commands run without a pane that you can watch. ${remedy}` };
}

/** The log in the state folder; nothing by default, more with each -v. */
function logOf(host: Host, options: Options): Log {
  if (options.verbose === 0) return silentLog;
  const level: LogLevel = options.verbose === 1 ? 'info' : 'debug';
  const folder = stateFolder(host);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return silentLog;
  }
  return createFileLog(join(folder, 'buddy.log'), level, () => host.clock.now());
}
