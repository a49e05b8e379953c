/** The sessions of this program on one tmux server, and their panes: found by name, made and ended within limits. */

import { BuddyError } from '../../base/errors.js';
import type { PaneId } from '../../protocol/panes.js';
import { sessionWord } from '../options.js';
import type { MadePane, PaneSelector, TargetEnd } from '../target.js';
import type { ManagedPane } from './managed-pane.js';
import type { ManagedSession } from './managed-session.js';
import { SHARED_TITLE } from './pane-home.js';

export interface SessionSetOptions {
  /** All sessions, the default one included. */
  readonly maxSessions: number;
  /** Panes of each session, the shared one included. */
  readonly maxPanes: number;
  /** Makes a session that is not open yet; '' is the default one. */
  make(name: string): ManagedSession;
}

/** Names that mean what is there from the beginning (those of earlier versions as well). */
const DEFAULT_NAMES: readonly string[] = ['', 'default', 'shared', 'shared-pane', 'default-pane'];

/** A pane with the session that it belongs to. */
export interface OwnedPane {
  readonly session: ManagedSession;
  readonly pane: ManagedPane;
}

export class SessionSet {
  readonly default: ManagedSession;
  readonly #options: SessionSetOptions;
  /** By the name that was asked for. */
  readonly #others = new Map<string, ManagedSession>();
  /** One thing is made or ended at a time: limits hold also for calls at the same moment. */
  #busy: Promise<unknown> = Promise.resolve();

  constructor(options: SessionSetOptions) {
    this.#options = options;
    this.default = options.make('');
  }

  /** The default one first. */
  get sessions(): readonly ManagedSession[] {
    return [this.default, ...[...this.#others.values()].filter((session) => !session.isLost)];
  }

  /** All panes that tmux knows, the shared one of the default session first. */
  get panes(): readonly OwnedPane[] {
    const all = this.sessions.flatMap((session) => session.panes.map((pane) => ({ session, pane })));
    return all.filter(({ pane }) => pane.id !== '');
  }

  /** The pane with that tmux id. Throws `target.pane`. */
  byId(id: PaneId): OwnedPane {
    const found = this.panes.find(({ pane }) => pane.id === id);
    if (found === undefined) throw this.#unknown(`there is no pane ${id} of this program`);
    return found;
  }

  /** Throws `target.pane`. */
  find({ session, pane }: PaneSelector): OwnedPane {
    const named = pane?.trim() ?? '';
    const at = session === undefined && named.startsWith('%') ? null : this.#session(session ?? '');
    if (named.startsWith('%')) {
      const found = this.byId(named);
      if (at !== null && found.session !== at) throw this.#unknown(`the pane ${named} is not in the session ${session}`);
      return found;
    }
    const home = at ?? this.default;
    const title = paneTitle(named);
    const found = home.panes.find((candidate) => candidate.title === title);
    if (found === undefined) throw this.#unknown(`there is no pane "${named}" of this program`);
    return { session: home, pane: found };
  }

  createSession(name: string, signal: AbortSignal): Promise<MadePane> {
    return this.#alone(async () => {
      const known = this.#known(name);
      if (known !== null) return madeOf({ session: known, pane: known.shared }, false);
      const { maxSessions } = this.#options;
      if (this.sessions.length >= maxSessions) {
        throw limit(`at most ${maxSessions} ${maxSessions === 1 ? 'session is' : 'sessions are'} allowed`, 'max_sessions');
      }
      const word = sessionWord(name);
      const session = this.#options.make(word);
      this.#others.set(word, session);
      try {
        await session.open(signal);
      } catch (thrown) {
        this.#others.delete(word);
        await session.close();
        throw thrown;
      }
      return madeOf({ session, pane: session.shared }, true);
    });
  }

  killSession(name: string): Promise<void> {
    return this.#alone(async () => {
      const session = this.#session(name);
      if (session === this.default)
        throw new BuddyError('target.pane', 'the default session cannot be killed: it is the one the user watches');
      for (const [word, other] of this.#others) if (other === session) this.#others.delete(word);
      await session.end();
    });
  }

  createPane({ session, pane }: PaneSelector, signal: AbortSignal): Promise<MadePane> {
    return this.#alone(async () => {
      const home = this.#session(session ?? '');
      const title = paneTitle(pane ?? '');
      const known = home.panes.find((candidate) => candidate.title === title);
      if (known !== undefined) return madeOf({ session: home, pane: known }, false);
      const { maxPanes } = this.#options;
      if (home.panes.length >= maxPanes) {
        throw limit(`at most ${maxPanes} ${maxPanes === 1 ? 'pane is' : 'panes are'} allowed in a session`, 'max_panes');
      }
      return madeOf({ session: home, pane: await home.addPane(title, signal) }, true);
    });
  }

  killPane(selector: PaneSelector): Promise<void> {
    return this.#alone(async () => {
      const { session, pane } = this.find(selector);
      if (pane === session.shared) {
        throw new BuddyError('target.pane', 'the shared pane of a session cannot be killed', {
          hint: session === this.default ? 'It is the one the user watches.' : 'Kill the session instead.',
        });
      }
      await session.removePane(pane);
    });
  }

  /** Ends all sessions; with `keep` it leaves the default one behind, and others in which something runs. True when that one was left. */
  async close(how: TargetEnd = 'end'): Promise<boolean> {
    const [first] = await Promise.all(
      this.sessions.map((session) => session.close(session === this.default || session.isWorking ? how : 'end')),
    );
    return first === true;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#busy.then(work);
    this.#busy = next.catch(() => undefined);
    return next;
  }

  #session(name: string): ManagedSession {
    const found = this.#known(name);
    if (found === null) throw this.#unknown(`there is no session "${name}" of this program`);
    return found;
  }

  #known(name: string): ManagedSession | null {
    const wanted = name.trim();
    if (DEFAULT_NAMES.includes(wanted.toLowerCase())) return this.default;
    const exact = this.sessions.find(({ session }) => session?.name === wanted);
    const named = this.#others.get(sessionWord(wanted));
    return exact ?? (named?.isLost === false ? named : null);
  }

  #unknown(what: string): BuddyError {
    const known = this.sessions.flatMap(({ session, panes }) =>
      panes.map((pane) => `${pane.title} (${pane.id}) in ${session?.name ?? 'a session that is lost'}`),
    );
    return new BuddyError('target.pane', what, { hint: `Panes: ${known.join(', ')}.` });
  }
}

function paneTitle(name: string): string {
  return DEFAULT_NAMES.includes(name.trim().toLowerCase()) ? SHARED_TITLE : sessionWord(name);
}

function madeOf({ session, pane }: OwnedPane, created: boolean): MadePane {
  return { session: session.session?.name ?? '', pane: pane.id, title: pane.title, created };
}

function limit(what: string, setting: string): BuddyError {
  return new BuddyError('target.limit', what, { hint: `Use one that is there, end one, or ask the user to raise [tmux] ${setting}.` });
}
