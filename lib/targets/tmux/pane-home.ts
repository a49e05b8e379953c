/** What a pane is told by the session that it lives in, and what the two say to each other. */

import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import type { Place } from '../places/place.js';
import type { ShellChoice } from '../shells/index.js';
import type { TargetEvent } from '../target.js';
import type { EmulatorFactory } from '../terminal-emulator.js';
import type { Session } from './session.js';
import type { ShellPane } from './shell-pane.js';

/** What a pane needs of the session that it belongs to. */
export interface PaneHome {
  readonly host: Host;
  readonly place: Place;
  readonly choice: ShellChoice;
  readonly log: Log;
  /** Emulators for pictures and typed lines; null when nobody looks. */
  readonly emulators: (() => Promise<EmulatorFactory>) | null;
  /** As it stands; null while there is none. */
  readonly session: Session | null;
  /** Stands before the titles that people are shown. */
  readonly titlePrefix: string;
  /** Fires when everything is being closed. */
  readonly closing: AbortSignal;
  /** Asks tmux what it knows of all panes. */
  look(): Promise<void>;
  /** Told at once, synchronously. */
  tell(event: TargetEvent): void;
  /** The shell of the pane of that title is in another folder. */
  moved(title: string): void;
}

/** A shell that is about to be started. */
export interface NextShell {
  /** For `/bin/sh`. */
  readonly commandLine: string;
  readonly shell: ShellPane;
  readonly nonce: string;
}

/** Title of the pane that every session begins with. */
export const SHARED_TITLE = 'shared';

/** As it stands in a sentence. */
export function paneName(title: string): string {
  return title === SHARED_TITLE ? 'the pane' : `the pane "${title}"`;
}
