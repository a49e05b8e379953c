/** The door of the extensions room: the one way in which anything that the program can do is brought in, built in or not. */

import type { SlashCommand } from '../commands/command.js';
import type { ExtensionInfo, OfferedKey } from '../protocol/extensions.js';
import type { Hooked } from '../runtime/hooks.js';
import type { OfferedCommands } from '../runtime/offered-commands.js';
import type { ToolSource } from '../tools/tool.js';

/** What belongs together: its parts are there from the start or come and go. */
export interface Extension {
  /** Letters, digits, `-` and `_`; of two with one name the first counts. */
  readonly name: string;
  /** Who brings it, for people: `built in`, a path. */
  readonly from: string;
  readonly tools?: ToolSource;
  /** Commands that are run where the runtime is. */
  readonly commands?: OfferedCommands;
  /** Commands that are pure functions of the screen's state. */
  readonly slashCommands?: readonly SlashCommand[];
  readonly hooks?: Hooked;
  readonly keys?: readonly Omit<OfferedKey, 'from'>[];
  /** By name, each as a file in themes/ says it. */
  readonly themes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** How it stands; left out: it runs. */
  describe?(): ExtensionInfo;
  /** Looks anew at the files that it comes from (`/reload`); `tell` is given sentences about what is wrong with them. */
  reload?(signal: AbortSignal, tell: (warning: string) => void): Promise<void>;
}

/** The pure commands of these, the first of each name. */
export function slashCommandsOf(extensions: readonly Extension[]): readonly SlashCommand[] {
  const taken = new Set<string>();
  return extensions
    .flatMap(({ slashCommands = [] }) => slashCommands)
    .filter(({ name, aliases }) => {
      const isFree = ![name, ...aliases].some((of) => taken.has(of));
      for (const of of [name, ...aliases]) taken.add(of);
      return isFree;
    });
}
