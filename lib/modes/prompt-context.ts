/** The context of a run as options, settings and the folder ask for it. */

import { dirname, resolve } from 'node:path';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import { configDir, ownSkillFolders } from '../config/own-folders.js';
import { findProject } from '../config/project.js';
import { PromptContext } from '../context/prompt-context.js';
import type { ExecutionTarget } from '../targets/target.js';
import { readTrust } from './trust-store.js';

/** `remote`: commands run on another host, or in a container. Not read yet: `load` does that. */
export function promptContext(
  host: Host,
  { options, config }: { readonly options: Options; readonly config: LoadedConfig },
  { target, isRemote }: { readonly target: ExecutionTarget; readonly isRemote: boolean },
): PromptContext {
  const { settings, file } = config;
  const isWanted = options.contextFiles !== false;
  const home = (path: string) => path.replace(/^~(?=\/|$)/, host.homeDir);
  let isFirst = true;
  return new PromptContext({
    configDir: configDir(host),
    namedSkills: (options.skills ?? []).map((path) => resolve(host.cwd, home(path))),
    settingsSkills: settings['context.skills'].map((path) => resolve(file === null ? configDir(host) : dirname(file), home(path))),
    skillFolders: ownSkillFolders(host),
    system: options.systemPrompt ?? null,
    append: options.appendSystemPrompt ?? null,
    files: isWanted && settings['context.files'],
    remote: isWanted && isRemote && settings['context.remote'] ? target : null,
    project() {
      // What the configuration was made of is used; what a person says later is looked at anew.
      if (!isFirst) return findProject(host, file, (folder) => readTrust(host).records.get(folder) ?? null);
      isFirst = false;
      return config.project;
    },
    builtInCommands: async () => {
      const { slashCommands } = await import('../commands/index.js');
      return slashCommands.flatMap(({ name, aliases }) => [name, ...aliases]);
    },
  });
}
