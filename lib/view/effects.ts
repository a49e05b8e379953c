/** What the view wants done that it cannot do itself. */

import type { RuntimeCommand } from '../protocol/commands.js';
import type { PaneId } from '../protocol/panes.js';
import type { Arrangements } from './arrangement.js';
import type { ProjectAnswer } from './project.js';
import type { SettingsAsk } from './settings-view.js';
import type { State } from './state.js';

/** One thing to be done outside. */
export type Effect =
  | { readonly type: 'send'; readonly command: RuntimeCommand }
  /** A line that begins with `/`, for the table of commands. */
  | { readonly type: 'slash'; readonly line: string }
  /** A prompt for the history that outlives this run. */
  | { readonly type: 'remember'; readonly text: string }
  /** Leave the program; the tmux session is kept, or ended with it. */
  | { readonly type: 'quit'; readonly keep: boolean }
  | { readonly type: 'suspend' }
  /** Paint everything anew: something else wrote on the terminal. */
  | { readonly type: 'repaint' }
  | { readonly type: 'copy'; readonly text: string }
  /** Lend the terminal to this attach line of that pane until the person detaches. */
  | { readonly type: 'attach'; readonly pane: PaneId; readonly line: string }
  /** Make a lost connection again, with the terminal lent to what it asks. */
  | { readonly type: 'reconnect' }
  /** Lend the terminal to a login at that provider ('': the person is asked). */
  | { readonly type: 'login'; readonly provider: string }
  /** Forget the login and the key of that provider, or all of them (''). */
  | { readonly type: 'logout'; readonly provider: string }
  /** Look at what the working folder brings along, or do what was answered to that; it comes back as actions. */
  | { readonly type: 'trust'; readonly answer: ProjectAnswer | 'look' }
  /** Look at the settings or change one in the person's own file; it comes back as actions. */
  | { readonly type: 'settings'; readonly ask: SettingsAsk }
  /**
   * Wear that theme, while it is looked at or from now on (`keep`); it comes back as the action `theme`. `configured`: the file names it from now
   * on, so nothing need be kept beside it.
   */
  | { readonly type: 'theme'; readonly name: string; readonly keep: boolean; readonly configured?: true }
  /** Look for the files below that folder; they come back as the action `files`. Null: stop looking. */
  | { readonly type: 'files'; readonly folder: string | null }
  /** Start with the panes arranged like this from now on. */
  | { readonly type: 'arrangements.keep'; readonly arrangements: Arrangements }
  /** The mouse is ours, or the terminal's. */
  | { readonly type: 'mouse'; readonly on: boolean }
  /** Load what draws charts; it comes back as the action `charts`. */
  | { readonly type: 'charts' }
  /** Let the draft be written in $EDITOR; it comes back as the action `draft`. */
  | { readonly type: 'editor.external'; readonly text: string };

/** A new state and what is to be done besides. */
export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** A step. */
export function step(state: State, ...effects: readonly Effect[]): Step {
  return { state, effects };
}

/** The effect that sends a command to the runtime. */
export function send(command: RuntimeCommand): Effect {
  return { type: 'send', command };
}
