/** Which commands are about kept sessions. */

import type { RuntimeCommand } from '../../protocol/commands.js';

const types = [
  'session.new',
  'session.resume',
  'session.fork',
  'session.list',
  'session.rename',
  'session.delete',
  'session.preview',
  'session.export',
  'session.import',
  'tree.tell',
  'tree.go',
  'tree.label',
] as const;

/** One of them. */
export type SessionCommand = Extract<RuntimeCommand, { type: (typeof types)[number] }>;

/** One about the tree of the session in use. */
export type TreeCommand = Extract<SessionCommand, { type: `tree.${string}` }>;

/** True for a command that the keeper of sessions performs. */
export function isOnSessions(command: RuntimeCommand): command is SessionCommand {
  return types.some((type) => type === command.type);
}
