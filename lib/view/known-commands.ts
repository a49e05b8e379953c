/** Every slash command that can be typed: the built-in ones, and what skills, templates, extensions and servers offer. */

import type { OfferedCommand } from '../protocol/offered.js';
import type { CommandInfo, State } from './state.js';

/** The built-in ones first; of two with a name the first counts. */
export function knownCommands({ commands, offered }: Pick<State, 'commands' | 'offered'>): readonly CommandInfo[] {
  if (offered.length === 0) return commands;
  return [...commands, ...offered.filter(({ name }) => !isTaken(commands, name)).map(infoOf)];
}

/** The offered one of that name, when no built-in one has it. */
export function offeredCommand({ commands, offered }: Pick<State, 'commands' | 'offered'>, name: string): OfferedCommand | null {
  return isTaken(commands, name) ? null : (offered.find((known) => known.name === name) ?? null);
}

function isTaken(commands: readonly CommandInfo[], name: string): boolean {
  return commands.some((known) => known.name === name || known.aliases.includes(name));
}

function infoOf({ name, args, says }: OfferedCommand): CommandInfo {
  return { name, aliases: [], args, says, whileBusy: true };
}
