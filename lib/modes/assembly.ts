/** Builds what every mode runs on: target, tools, models and the runtime over them. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { readFile } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { Limits } from '../config/limits.js';
import type { LoadedConfig } from '../config/load.js';
import { type ModelProfile, profileNamed } from '../config/profiles.js';
import type { UserExtensions } from '../extensions/user/user-extensions.js';
import { resourceSource } from '../mcp/mentions.js';
import { parseCompactPrompt, renderCompactPrompt } from '../models/compact-prompt.js';
import { createProvider, summarize, summarizeWithEfforts } from '../models/index.js';
import { parseSystemPrompt, renderSystemPrompt } from '../models/system-prompt.js';
import type { ApprovalPolicy } from '../protocol/approvals.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import type { CompactionSettings } from '../runtime/compactor.js';
import { Runtime } from '../runtime/runtime.js';
import type { DrawSession } from '../runtime/sessions/session-drawing.js';
import type { SessionPlace } from '../runtime/sessions/session-folder.js';
import { traced } from '../runtime/trace.js';
import type { Place } from '../targets/index.js';
import type { ExecutionTarget } from '../targets/target.js';
import type { Recording } from './assembly-config.js';
import { extensionsOf } from './extension-set.js';
import { openMcpServers } from './mcp.js';
import { pictureFitter } from './picture-fitter.js';
import { isUntrustedFolder } from './project.js';
import { promptContext } from './prompt-context.js';
import { openSavedRules } from './saved-rules.js';
import { openSessionPlace } from './session-place.js';
import { type ChosenTarget, chooseTarget } from './target.js';
import { Themes } from './themes.js';
import { createWebAccess } from './web-access.js';

/** What a mode says about itself. */
export interface AssemblyOptions extends Recording {
  readonly options: Options;
  readonly config: LoadedConfig;
  readonly policy: ApprovalPolicy;
  readonly interactive: boolean;
  /** Where, already connected; null for this host. It is closed with the target. */
  readonly place: Place | null;
  /** Size of the shared pane in cells. */
  readonly pane: { readonly cols: number; readonly rows: number };
  /** Continue in a session that an earlier run kept. */
  readonly adopt: boolean;
  /** Keep the conversation, when the settings do not say otherwise, and open earlier ones. */
  readonly keepsSession: boolean;
}

export interface Assembly {
  readonly runtime: Runtime;
  /** The runtime, traced when a trace was asked for. */
  readonly port: RuntimePort;
  readonly target: ExecutionTarget;
  readonly config: LoadedConfig;
  readonly extensions: UserExtensions;
  /** Sentences for the user, gathered on the way here. */
  readonly notices: readonly string[];
}

/** Everything but the start of the target. Throws BuddyError `config.*`, `target.*` before anything runs. */
export async function assemble(host: Host, assembling: AssemblyOptions): Promise<Assembly> {
  const { options, config } = assembling;
  const chosen = await chooseTarget(host, config, options, assembling);
  try {
    const assembly = await assembleAt(host, assembling, chosen);
    host.timing?.mark('runtime');
    return assembly;
  } catch (thrown) {
    await chosen.target.close();
    throw thrown;
  }
}

async function assembleAt(host: Host, assembling: AssemblyOptions, { target, remote, notices }: ChosenTarget): Promise<Assembly> {
  const { config, trace, secrets } = assembling;
  const { settings } = config;
  const templatePath = join(host.packageDir, 'templates', 'system_prompt.template');
  const template = parseSystemPrompt(await readFile(templatePath, 'utf8'), templatePath);
  const { store, problem } = await openSavedRules(host);
  const sessions = assembling.keepsSession && settings['sessions.save'] ? openSessionPlace(host, secrets.redact) : null;
  const limits = new Limits(settings);
  const servers = openMcpServers(host, config, secrets, assembling.programs);
  const context = promptContext(host, assembling, { target, isRemote: assembling.place !== null });
  const contextNotices = await context.load(new AbortController().signal);
  const { registry, extensions } = await extensionsOf(host, assembling, [context.extension, servers.extension]);
  const runtime = new Runtime({
    clock: host.clock,
    secrets,
    version: host.version,
    agent: settings['agent.name'],
    target,
    tools: registry.tools,
    offered: registry.offered,
    servers,
    mentions: [resourceSource(servers)],
    extensions,
    hookTimeoutMs: settings['extensions.hook_timeout_ms'],
    pictures: pictureFitter(host),
    profiles: await (assembling.interactive ? summarizeWithEfforts : summarize)(config.profiles, host, config.catalogue),
    profile: config.profile.name,
    offeredProfiles: () => extensions.models(),
    policy: assembling.policy,
    interactive: assembling.interactive,
    exposureNarrows: settings['tools.exposure_narrows'],
    rules: store,
    ...(sessions === null ? {} : { sessions: { ...sessions.place, ...drawingOf(host, assembling) } }),
    limits,
    queue: { steering: settings['queue.steering'], followUp: settings['queue.follow_up'] },
    compaction: await compactionOf(host, config),
    review: {
      denylist: settings['tools.shell_denylist'],
      allowedPaths: settings['tools.files_allowed_paths'],
      get homeDir() {
        return target.homeDir;
      },
      confirmShell: settings['tools.shell_confirm'],
      web: createWebAccess(host, settings, secrets),
    },
    openModel: (name) =>
      extensions.openModel(name) ??
      createProvider({
        profile: chosenProfile(config, name),
        host,
        clock: host.clock,
        settings,
        catalogue: config.catalogue,
        learn: secrets.learn,
        limits,
      }),
    instructions(toolNames) {
      const values = { remoteTarget: remote, toolNames, customInstructions: settings['agent.system_prompt'], general: context.general };
      const appended = context.appended(toolNames);
      return `${renderSystemPrompt(template, values)}${appended === '' ? '' : `\n${appended}\n`}`;
    },
    told: () => context.told(),
    strangers: () => context.strangers(),
    untrustedFolder: () => assembling.place === null && isUntrustedFolder(host, config),
    newSessionId: () =>
      randomBytes(8)
        .toString('hex')
        .replace(/(.{4})(?=.)/g, '$1-'),
  });
  const port = trace === null ? runtime : traced(runtime, trace, () => host.clock.now(), secrets.find);
  return {
    runtime,
    port,
    target,
    config,
    extensions,
    notices: [...config.warnings, ...notices, ...contextNotices, ...[problem, sessions?.problem ?? null].filter((of) => of !== null)],
  };
}

/** What draws a session, where there is a screen or lines of one. It is loaded while other things begin: nothing waits for it. */
function drawingOf(host: Host, { interactive, config }: AssemblyOptions): Pick<SessionPlace, 'drawing'> {
  if (!interactive) return {};
  const setting = config.sources.has('display.theme') ? config.settings['display.theme'] : null;
  let draw: DrawSession | null = null;
  void import('./session-cast.js').then(({ sessionDrawing }) => {
    draw = sessionDrawing(() => new Themes(host, config).chosen(setting, () => undefined));
  });
  return {
    drawing(...about) {
      if (draw === null) throw new Error('what draws it is still being loaded');
      return draw(...about);
    },
  };
}

/** The settings under [context]. Throws `config.value` for a profile that there is not. */
async function compactionOf(host: Host, { settings, profiles }: LoadedConfig): Promise<CompactionSettings> {
  const profile = settings['context.compact_profile'];
  if (profile !== '' && profileNamed(profile, profiles) === null) {
    throw new BuddyError('config.value', `context.compact_profile: there is no model profile "${profile}"`, {
      hint: `There are: ${profiles.map(({ name }) => name).join(', ')}.`,
    });
  }
  const path = join(host.packageDir, 'templates', 'compact.template');
  const template = parseCompactPrompt(await readFile(path, 'utf8'), path);
  return {
    auto: settings['context.auto_compact'],
    profile,
    keepTokens: settings['context.keep_tokens'],
    startPercent: settings['context.compact_at'],
    instructions: (wishes, words) => renderCompactPrompt(template, { wishes, words }),
  };
}

function chosenProfile(config: LoadedConfig, name: string): ModelProfile {
  const profile = profileNamed(name, config.profiles);
  if (profile === null) throw new BuddyError('config.value', `there is no model profile "${name}"`);
  return profile;
}
