/** All extensions of a run as one: of two things with a name the first counts, and the other one is reported. */

import type { Disposable } from '../base/disposable.js';
import { Emitter } from '../base/emitter.js';
import { BuddyError } from '../base/errors.js';
import type { ExtensionConflict } from '../protocol/extensions.js';
import type { OfferedCommand } from '../protocol/offered.js';
import type { OfferedCommands } from '../runtime/offered-commands.js';
import type { Tool, ToolSource } from '../tools/tool.js';
import type { Extension } from './extension.js';

/** Those of one run, in the order in which they count. */
export class Registry {
  readonly #extensions: Extension[] = [];
  readonly #changed = new Emitter<void>();
  readonly #heard = new Map<Extension, Disposable>();
  readonly tools: ToolSource;
  readonly offered: OfferedCommands;

  /** `isWanted`: may a tool of that name be used, whoever has it. */
  constructor(extensions: readonly Extension[], isWanted: (tool: string) => boolean = () => true) {
    this.tools = {
      list: () =>
        firstOf(this.#extensions, toolsOf, namesOfTool)
          .map(([, tool]) => tool)
          .filter(({ name }) => isWanted(name)),
      ready: async (signal) => {
        await Promise.all(this.#extensions.map(({ tools }) => tools?.ready?.(signal)));
      },
    };
    this.offered = {
      list: () => firstOf(this.#extensions, commandsOf, ({ name }) => [name]).map(([, command]) => command),
      onChange: this.#changed.event,
      invoke: (name, args, signal) => {
        const found = firstOf(this.#extensions, commandsOf, (of) => [of.name]).find(([, command]) => command.name === name);
        const commands = found?.[0].commands;
        if (commands === undefined) return Promise.reject(new BuddyError('command.gone', 'it is not there any more'));
        return commands.invoke(name, args, signal);
      },
    };
    for (const extension of extensions) this.add(extension);
  }

  /** In the order in which they count. */
  get extensions(): readonly Extension[] {
    return this.#extensions;
  }

  /** Behind all others. */
  add(extension: Extension): void {
    // One that is still to say its name is judged by whoever starts it.
    if (extension.describe === undefined && this.#extensions.some(({ name }) => name === extension.name)) return;
    this.#extensions.push(extension);
    const heard = extension.commands?.onChange(() => this.#changed.fire());
    if (heard !== undefined) this.#heard.set(extension, heard);
    this.#changed.fire();
  }

  /** It is no longer one of them. */
  remove(extension: Extension): void {
    const at = this.#extensions.indexOf(extension);
    if (at === -1) return;
    this.#extensions.splice(at, 1);
    this.#heard.get(extension)?.dispose();
    this.#heard.delete(extension);
    this.#changed.fire();
  }

  /** What is left out now because its name is taken. */
  conflicts(): readonly ExtensionConflict[] {
    return [
      ...leftOut(this.#extensions, toolsOf, namesOfTool).map((of) => ({ kind: 'tool', ...of }) as const),
      ...leftOut(this.#extensions, namedCommandsOf, ({ names }) => names).map((of) => ({ kind: 'command', ...of }) as const),
      ...leftOut(this.#extensions, themesOf, ({ name }) => [name]).map((of) => ({ kind: 'theme', ...of }) as const),
    ];
  }
}

const toolsOf = ({ tools }: Extension): readonly Tool[] => tools?.list() ?? [];
const commandsOf = ({ commands }: Extension): readonly OfferedCommand[] => commands?.list() ?? [];
const themesOf = ({ themes = {} }: Extension) => Object.keys(themes).map((name) => ({ name }));
const namedCommandsOf = (of: Extension) => [
  ...(of.slashCommands ?? []).map(({ name, aliases }) => ({ name, names: [name, ...aliases] })),
  ...commandsOf(of).map(({ name }) => ({ name, names: [name] })),
];
const namesOfTool = ({ name, aliases }: Tool): readonly string[] => [name, ...aliases];

type Owned<T> = readonly [Extension, T];

function firstOf<T>(extensions: readonly Extension[], parts: (of: Extension) => readonly T[], names: (part: T) => readonly string[]) {
  return sorted(extensions, parts, names).kept;
}

function leftOut<T extends { readonly name: string }>(
  extensions: readonly Extension[],
  parts: (of: Extension) => readonly T[],
  names: (part: T) => readonly string[],
): readonly { readonly name: string; readonly from: string; readonly first: string }[] {
  return sorted(extensions, parts, names).left.map(([{ from }, { name }, first]) => ({ name, from, first: first.from }));
}

function sorted<T>(
  extensions: readonly Extension[],
  parts: (of: Extension) => readonly T[],
  names: (part: T) => readonly string[],
): { readonly kept: readonly Owned<T>[]; readonly left: readonly (readonly [Extension, T, Extension])[] } {
  const taken = new Map<string, Extension>();
  const kept: Owned<T>[] = [];
  const left: [Extension, T, Extension][] = [];
  for (const extension of extensions) {
    for (const part of parts(extension)) {
      const owner = names(part)
        .map((name) => taken.get(name))
        .find((of) => of !== undefined);
      if (owner !== undefined) left.push([extension, part, owner]);
      else {
        for (const name of names(part)) taken.set(name, extension);
        kept.push([extension, part]);
      }
    }
  }
  return { kept, left };
}
