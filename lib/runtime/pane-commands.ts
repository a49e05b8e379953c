/** The commands about panes: whose keyboard it is, what is looked at, how large it is. */

import { asBuddyError } from '../base/errors.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { TmuxClient } from '../targets/target.js';
import type { Keyboard } from './keyboard.js';

/** Those of them. */
export type CommandOnPane = Extract<RuntimeCommand, { type: `pane.${string}` }>;

/** What they act on. */
export interface PaneCommandContext {
  readonly keyboard: Keyboard;
  /** Null: there is no pane. */
  readonly tmux: TmuxClient | null;
  /** Fires when the program ends; nobody is warned any more then. */
  readonly signal: AbortSignal;
  /** Told when something that was started has failed. */
  warn(message: string): void;
}

/** Is it about a pane? */
export function isOnPane(command: RuntimeCommand): command is CommandOnPane {
  return command.type.startsWith('pane.');
}

/** Does what can be done now and starts what takes long. Answers why a command is refused, or null. */
export function performOnPane(command: CommandOnPane, context: PaneCommandContext): string | null {
  const { keyboard, tmux } = context;
  switch (command.type) {
    case 'pane.takeover':
      return keyboard.take(command.pane);
    case 'pane.input':
      return keyboard.type(command.pane, command.bytes);
    case 'pane.paste':
      return keyboard.paste(command.pane, command.text);
    case 'pane.handback':
      keyboard.giveBack(command.pane);
      return null;
    case 'pane.resize':
      tmux?.resize(command.pane, command.cols, command.rows);
      return null;
    case 'pane.integrate':
      if (tmux === null) return 'there is no pane here';
      tmux.integrate(command.pane, context.signal).catch((thrown: unknown) => {
        const { message, hint } = asBuddyError(thrown, 'target.shell');
        if (!context.signal.aborted) context.warn([message, hint].filter((part) => part !== undefined).join('. '));
      });
      return null;
    case 'pane.watch':
      tmux?.watch(command.pane);
      return null;
    case 'pane.scrollback':
      tmux?.scrollBack(command.pane);
      return null;
  }
}
