/** The door of the extensions room: the one way in which anything that the program can do is brought in, built in or not. */

import type { OfferedCommands } from '../runtime/offered-commands.js';
import type { ToolSource } from '../tools/tool.js';

/** What belongs together: its parts are there from the start or come and go. */
export interface Extension {
  /** Letters, digits, `-` and `_`; of two with one name the first counts. */
  readonly name: string;
  /** Who brings it, for people: `built in`, a path. */
  readonly from: string;
  readonly tools?: ToolSource;
  readonly commands?: OfferedCommands;
}

/** A thing that was left out because another one has its name. */
export interface Conflict {
  readonly kind: 'extension' | 'tool' | 'command';
  readonly name: string;
  /** Whose it is, and who has the name already. */
  readonly from: string;
  readonly first: string;
}
