/** What is done with the sessions of the folder that are not in use: listed, looked into, named, moved out of the way. */

import type { Clock } from '../../base/clock.js';
import { asBuddyError, isAbort } from '../../base/errors.js';
import { settledWithin } from '../../base/settled.js';
import type { RuntimeEvent } from '../../protocol/events.js';
import type { SessionId } from '../../protocol/sessions.js';
import { renameSession, trashSession } from './session-change.js';
import type { SessionPlace } from './session-folder.js';
import { listSessions } from './session-list.js';
import { previewOf } from './session-preview.js';

/** Characters of a name, and of a label. */
const LONGEST_NAME = 80;
/** A session that was left is let go of within that, unless the disk refuses (milliseconds). */
const CLOSING_MS = 500;

/** What a person wrote as one short line. */
export function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
}

/** Where they are, which one is in use, and who is told. */
export interface OtherSessionsOptions {
  readonly place: SessionPlace;
  readonly clock: Clock;
  inUse(): SessionId;
  emit(event: RuntimeEvent): void;
}

/** The files are read anew each time: other programs write them. */
export class OtherSessions {
  readonly #options: OtherSessionsOptions;

  constructor(options: OtherSessionsOptions) {
    this.#options = options;
  }

  /**
   * `session.listed`, once all of them have been looked through and unless the signal has fired. `closing`: one that was just left is let
   * go of with it; for a moment it is waited for, so that it is not told as open.
   */
  list(closing: Promise<void>, signal: AbortSignal): void {
    const { place, clock, inUse, emit } = this.#options;
    settledWithin(closing, CLOSING_MS, clock)
      .then(() => listSessions(place, inUse(), clock, signal))
      .then(
        (sessions) => emit({ type: 'session.listed', sessions }),
        (thrown: unknown) => {
          if (!isAbort(thrown)) throw thrown;
        },
      );
  }

  /** `session.previewed`. Throws `session.*` for one that cannot be read. */
  preview(session: SessionId): void {
    const { place, emit } = this.#options;
    emit({ type: 'session.previewed', preview: previewOf(place, session) });
  }

  /** `session.renamed` or a warning, before the promise resolves; it never rejects. */
  rename(session: SessionId, name: string): Promise<void> {
    const { place, emit } = this.#options;
    return renameSession(place, session, name).then(
      (trouble) => emit(trouble === null ? { type: 'session.renamed', name, session } : { type: 'warning', message: trouble }),
      (thrown: unknown) => emit({ type: 'warning', message: asBuddyError(thrown, 'session.rename').message }),
    );
  }

  /** `session.deleted`; or why not. Throws `session.*` for one that cannot be moved. */
  delete(session: SessionId): string | null {
    const { place, inUse, emit } = this.#options;
    if (session === inUse()) return 'that is the session you are in';
    emit({ type: 'session.deleted', session, movedTo: trashSession(place, session) });
    return null;
  }
}
