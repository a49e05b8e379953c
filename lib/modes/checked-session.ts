/** Whether a session can be opened here, found out before anything is started for it. */

import { asBuddyError, BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { LoadedConfig } from '../config/load.js';
import { readImport } from '../runtime/sessions/imports/index.js';
import { foreignWords } from '../runtime/sessions/session-keeper.js';
import { lastSession, sessionRefusal } from '../runtime/sessions/session-list.js';
import { openSessionPlace } from './session-place.js';

/**
 * Throws `usage.session` when that session, or `last`, cannot be opened in the working directory, and for any wish (`new`, or '' for a
 * list) when the settings keep none. Only looks.
 */
export function checkSession(host: Host, { settings }: LoadedConfig, session: string): void {
  if (!settings['sessions.save']) {
    throw new BuddyError('usage.session', 'sessions are not kept: sessions.save is false', {
      hint: 'Set save = true under [sessions], or go on without a session.',
    });
  }
  if (session === 'new' || session === '') return;
  // What is only looked at needs no redactor.
  const { place } = openSessionPlace(host, (text) => text);
  if (session !== 'last') {
    const refusal = sessionRefusal(place, session);
    if (refusal !== null) {
      const hint = 'List them with "buddy-tui resume"; a copy of what can be read of another one is made with --import FILE.';
      throw new BuddyError('usage.session', refusal, { hint });
    }
    return;
  }
  const { session: found, foreign } = lastSession(place, null);
  if (found !== null) return;
  const others = foreign === 0 ? '' : ` ${foreignWords(foreign)}`;
  throw new BuddyError('usage.session', `there is no earlier session of yours in this folder.${others}`, {
    hint: 'Begin a new one with "buddy-tui".',
  });
}

/** Throws `usage.session` when no session can be made of that file. Only looks. */
export function checkImport(path: string): void {
  try {
    readImport(path);
  } catch (thrown) {
    throw new BuddyError('usage.session', asBuddyError(thrown, 'session.import').message, {
      hint: 'A session of buddy (JSON), of pi (JSON lines) or of this program can be imported.',
    });
  }
}
