/** The way back to a tmux session elsewhere whose connection broke: attached to again, and what was missed is learnt. */

import { type Clock, delay } from '../../base/clock.js';
import { asBuddyError } from '../../base/errors.js';
import type { Log } from '../../base/log.js';
import { settledWithin } from '../../base/settled.js';
import { type Place, whenConnected } from '../places/place.js';
import type { ManagedPane } from './managed-pane.js';
import type { Session } from './session.js';

/** For the place to notice its own loss. */
const REASON_PATIENCE_MS = 1000;
/** Between attempts to attach again while the connection itself stands. */
const RECOVERY_PAUSE_MS = 500;

/** What is to be found again. */
export interface Recoverable {
  readonly place: Place;
  readonly clock: Clock;
  readonly log: Log;
  /** The one that is attached to, or was. */
  session(): Session | null;
  panes(): readonly ManagedPane[];
  /** Nobody wants it any more. */
  readonly closing: AbortSignal;
  /** Attaches to `lost` again; null when it is gone. Throws `target.*`. */
  reattach(lost: Session): Promise<Session | null>;
  /** `session` is the one from now on. */
  attached(session: Session): void;
  /** A pane is not there any more. */
  vanished(pane: ManagedPane): void;
  /** There is nothing to come back to. */
  gone(reason: string): void;
  notice(message: string): void;
  /** It is attached again, and all is known. */
  back(): void;
}

/** Tries until it is attached again, the session is known to be gone, or nobody wants it any more. Never rejects. */
export async function recoverSession(of: Recoverable, lost: Session, reason: string): Promise<void> {
  const told = tellLoss(of, reason);
  for (let failures = 0; !of.closing.aborted; failures++) {
    try {
      if (failures > 0) await delay(of.clock, RECOVERY_PAUSE_MS, of.closing);
      await whenConnected(of.place, of.closing);
      for (const pane of of.panes()) pane.deafen(true);
      const session = await of.reattach(lost);
      if (session === null) {
        await told;
        return of.gone('the tmux session is gone');
      }
      of.attached(session);
      await catchUpAll(of, session);
      await told;
      if (!session.channel.open) continue;
      of.notice(`Connected to ${of.place.name} again.`);
      of.back();
      return;
    } catch (thrown) {
      if (of.closing.aborted) return;
      if (of.session() !== lost) of.session()?.channel.kill();
      of.log.write('info', `reattaching: ${asBuddyError(thrown, 'target.lost').message}`);
    } finally {
      for (const pane of of.panes()) pane.deafen(false);
    }
  }
}

/** Tells of a lost connection; of the place's own, and its reason, when that is lost as well. */
async function tellLoss({ place, clock, closing, notice }: Recoverable, reason: string): Promise<void> {
  let lost: () => void = () => undefined;
  const known = new Promise<void>((resolve) => {
    lost = resolve;
  });
  const listening = place.onState((state) => {
    if (state.kind === 'lost') lost();
  });
  await settledWithin(known, REASON_PATIENCE_MS, clock, closing);
  listening.dispose();
  if (closing.aborted) return;
  const { state, name } = place;
  if (state.kind === 'lost') notice(`The connection to ${name} was lost (${state.reason}). What runs there goes on; connecting again.`);
  else notice(`tmux on ${name} let go of the session (${reason}); attaching again.`);
}

/** Learns what happened while nobody listened. Throws when the connection is lost again. */
async function catchUpAll(of: Recoverable, session: Session): Promise<void> {
  for (const pane of of.panes()) {
    const there = await pane.catchUp(session);
    if (!there) of.vanished(pane);
  }
}
