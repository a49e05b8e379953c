/** The door of the commands room: a slash command is a record and a pure function. */

import type { RuntimeCommand } from '../protocol/commands.js';
import type { Effect } from '../view/effects.js';
import type { Action } from '../view/reducer.js';
import type { CommandInfo, State } from '../view/state.js';
import type { NoticeLevel } from '../view/transcript.js';

/** A line for the conversation. */
export interface Notice {
  readonly level: NoticeLevel;
  readonly text: string;
}

/** What a command wants done, in this order. */
export interface Outcome {
  readonly notices: readonly Notice[];
  readonly actions: readonly Action[];
  readonly sends: readonly RuntimeCommand[];
  readonly effects: readonly Effect[];
}

/** One slash command. */
export interface SlashCommand extends CommandInfo {
  /** Pure. `args` is what stands behind the name, without blanks around it. Bad arguments give a notice that says what to write. */
  run(args: string, state: State): Outcome;
}

const nothing: Outcome = { notices: [], actions: [], sends: [], effects: [] };

/** An outcome of the parts given. */
export function outcome(parts: Partial<Outcome>): Outcome {
  return { ...nothing, ...parts };
}

/** Only says something. */
export function says(text: string, level: NoticeLevel = 'info'): Outcome {
  return outcome({ notices: [{ level, text }] });
}

/** Only sends commands to the runtime; it answers with events. */
export function sends(...commands: readonly RuntimeCommand[]): Outcome {
  return outcome({ sends: commands });
}
