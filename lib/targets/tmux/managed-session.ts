/** A tmux session of ours with its panes: opened, watched over, found again after a lost connection, ended. */

import type { Disposable } from '../../base/disposable.js';
import { abortError, BuddyError } from '../../base/errors.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import type { Place } from '../places/place.js';
import type { ShellChoice } from '../shells/index.js';
import type { TargetEnd, TargetEvent } from '../target.js';
import type { EmulatorFactory } from '../terminal-emulator.js';
import { type Continued, continued } from './continuation.js';
import type { KeptContent, KeptRecord } from './kept-record.js';
import { ManagedPane } from './managed-pane.js';
import { newWindowLine, windowOptionLines } from './pane-commands.js';
import { type NextShell, type PaneHome, paneName, SHARED_TITLE } from './pane-home.js';
import { toKeep } from './pane-keeping.js';
import { PaneList } from './pane-list.js';
import { listPanes, parsePaneStatus } from './pane-status.js';
import { adoptSession, openSession, reattach, type Session } from './session.js';
import { type Recoverable, recoverSession } from './session-recovery.js';

export interface ManagedSessionOptions {
  readonly host: Host;
  readonly place: Place;
  /** The session is called `buddy-<name>`, or `-2` … when there is one. */
  readonly name: string;
  /** Stands before the titles of its panes; '' for none. */
  readonly label: string;
  /** The one that is there from the beginning: its shared pane is watched, and it comes back when it was lost. */
  readonly isDefault: boolean;
  /** Continue in a session of that name that an earlier run kept. */
  readonly adopt: boolean;
  readonly socket: string;
  readonly choice: ShellChoice;
  readonly cols: number;
  readonly rows: number;
  readonly log: Log;
  /** Emulators for pictures and typed lines; null when nobody looks. */
  readonly emulators: (() => Promise<EmulatorFactory>) | null;
  /** Told at once, synchronously. */
  tell(event: TargetEvent): void;
  /** The shell of the shared pane is in another folder, or there is another session to attach to. */
  moved(): void;
}

const POLL_MS = 1000;

export class ManagedSession {
  /** The pane that it begins with; it is there as long as the session is. */
  readonly shared: ManagedPane;
  readonly #options: ManagedSessionOptions;
  readonly #host: Host;
  readonly #place: Place;
  readonly #home: PaneHome;
  readonly #closing = new AbortController();
  readonly #panes: PaneList;
  #session: Session | null = null;
  #poll: Disposable | null = null;
  #recovery: Promise<void> | null = null;
  #hasOpened = false;
  /** A kept session is being taken over: until that is done it is not ours to end. */
  #taking: KeptContent | null = null;
  /** Commands of the run before that ended while nobody was there. */
  endedMeanwhile: Continued['ended'] = [];
  #ended: Promise<boolean> | null = null;
  #isLost = false;

  constructor(options: ManagedSessionOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#place = options.place;
    const { host, place, choice, log, emulators } = options;
    const current = () => this.#session;
    this.#home = {
      ...{ host, place, choice, log, emulators },
      get session() {
        return current();
      },
      titlePrefix: options.label === '' ? '' : `${options.label}/`,
      closing: this.#closing.signal,
      look: () => this.look(),
      tell: (event) => options.tell(event),
      moved: (title) => {
        if (title === SHARED_TITLE) options.moved();
      },
    };
    this.shared = new ManagedPane(SHARED_TITLE, options, this.#home);
    this.#panes = new PaneList(this.shared, this.#home);
  }

  /** The shared one first. */
  get panes(): readonly ManagedPane[] {
    return this.#panes.all;
  }

  /** Null before `open` and while there is none. */
  get session(): Session | null {
    return this.#session;
  }

  /** Gone for good; the default one never is. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Settles when a lost connection is back, or there is nothing to come back to; null while it stands. Never rejects. */
  get recovery(): Promise<void> | null {
    return this.#recovery;
  }

  /** Fires when the session is being closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** A new session with a new shell, ready at its prompt. Throws `target.*`. */
  async open(aborted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([aborted, this.#closing.signal]);
    if (signal.aborted) throw abortError();
    this.#poll ??= this.#host.clock.every(POLL_MS, () => void this.look());
    const pane = this.shared;
    if (this.#options.isDefault) await pane.watch();
    const isFirst = !this.#hasOpened;
    this.#hasOpened = true;
    if (isFirst && this.#options.adopt && (await this.#continue(signal))) return;
    const wanted = {
      agent: this.#options.name,
      cols: pane.cols,
      rows: pane.rows,
      commandLine: async (folder: string) => {
        const next = await pane.nextShell(folder);
        pane.started(next, '');
        return next.commandLine;
      },
    };
    const session = await openSession(this.#sessionPlace(), wanted, this.#listener(), signal);
    if (signal.aborted) {
      await session.close();
      throw abortError();
    }
    this.#session = session;
    pane.opened(session.pane);
    this.#options.moved();
    await pane.ready(signal);
  }

  /** Brings a lost or dead shell back. Its working directory and environment are gone; a notice says so. Throws `target.*`. */
  async revive(pane: ManagedPane, signal: AbortSignal): Promise<void> {
    const phase = pane.shell?.phase;
    const session = this.#session;
    if (session === null || !session.channel.open) {
      if (phase === 'lost' || session === null) await this.#reopen(signal);
    } else if (phase === 'lost' || phase === 'dead') await this.#renew(session, pane, signal);
  }

  /** A further pane in a window of its own, ready at its prompt. Throws `target.*`. */
  async addPane(title: string, signal: AbortSignal): Promise<ManagedPane> {
    const session = this.#session;
    if (session === null || !session.channel.open) {
      throw new BuddyError('target.lost', 'there is no tmux session at the moment', { retryable: true });
    }
    const pane = this.#panes.make(title);
    const folder = this.#panes.nextFolder(session.folder);
    await this.#place.makeInner(folder, signal);
    try {
      const next = await pane.nextShell(folder);
      signal.throwIfAborted();
      await this.#newWindow(session, pane, next, (id) => {
        pane.started(next, id);
        this.#panes.add(pane);
        pane.opened(id);
      });
      await pane.ready(signal);
      return pane;
    } catch (thrown) {
      if (this.panes.includes(pane)) await this.removePane(pane);
      else await this.#place.removeFolder(folder);
      throw thrown;
    }
  }

  /** Ends a pane and what runs in it; never the shared one. Resolves when it is gone. */
  async removePane(pane: ManagedPane): Promise<void> {
    if (pane === this.shared || !this.panes.includes(pane)) return;
    this.#panes.forget(pane, 'the pane was closed');
    await this.#session?.channel.request(`kill-pane -t ${pane.id}`).catch(() => undefined);
    await this.#place.removeFolder(pane.folder);
  }

  /** Ends the session while the others go on: its panes are told of. */
  async end(): Promise<void> {
    for (const pane of this.panes) pane.lost('the session was ended');
    await this.close();
  }

  /** Ends the session, or leaves it to the next run where that can be; true when it was left. The first call decides. */
  close(how: TargetEnd = 'end'): Promise<boolean> {
    this.#ended ??= this.#end(how);
    return this.#ended;
  }

  async #end(how: TargetEnd): Promise<boolean> {
    this.#closing.abort();
    this.#poll?.dispose();
    const session = this.#session;
    this.#session = null;
    const kept = session !== null && (how === 'keep' || this.#taking !== null) && (await this.#keep(session));
    for (const pane of this.panes) pane.close('the target was closed');
    if (!kept) await session?.close();
    return kept;
  }

  /** Does anything run in it, as far as is known? */
  get isWorking(): boolean {
    return this.#panes.isWorking;
  }

  async #keep(session: Session): Promise<boolean> {
    const { name, choice } = this.#options;
    const [shared, ...others] = await Promise.all(this.panes.map((pane) => toKeep(pane, session, this.#host.clock)));
    if (this.#taking === null && (shared === null || shared === undefined)) return false;
    const panes = [shared, ...others].filter((pane) => pane !== null && pane !== undefined);
    return session.keep(this.#taking ?? { agent: name, shell: choice.program, panes });
  }

  /** Takes over a session that was kept under this name; false when there is none. Throws `target.*`. */
  async #continue(signal: AbortSignal): Promise<boolean> {
    const { name, choice } = this.#options;
    const listening = ({ panes }: KeptRecord) => {
      this.#panes.resume(panes);
      return this.#listener();
    };
    const adopted = await adoptSession(this.#sessionPlace(), { agent: name, shell: choice.program }, listening, signal);
    if (adopted === null) {
      this.#panes.startAnew();
      return false;
    }
    const { session, record } = adopted;
    [this.#taking, this.#session] = [record, session];
    try {
      signal.throwIfAborted();
      const { said, ended } = await continued({
        session,
        record,
        panes: this.panes,
        clock: this.#host.clock,
        speech: choice.shell,
        signal,
        told: () => {
          this.#taking = null;
          for (const pane of this.panes) pane.resumed();
          this.#options.moved();
        },
        look: () => this.look(),
      });
      this.endedMeanwhile = ended;
      this.#notice(said);
    } catch (thrown) {
      // Closed before there was a session here: then nobody else leaves it as it was.
      if (this.#session === session && this.#taking !== null) {
        this.#session = null;
        if (!(await this.#keep(session))) await session.close();
      }
      throw thrown;
    }
    return true;
  }

  /** Asks tmux what it knows of the panes. */
  async look(): Promise<void> {
    const session = this.#session;
    if (session === null || !session.channel.open) return;
    await session.channel
      .request(listPanes(session.name), ({ ok, lines }) => {
        if (!ok || this.#session !== session) return;
        const known = lines.map(parsePaneStatus);
        for (const pane of this.panes) {
          const status = known.find((line) => line?.pane === pane.id) ?? null;
          if (status === null) this.#vanished(pane);
          else pane.learn(status);
        }
      })
      .catch(() => undefined);
    await Promise.all(this.panes.map((pane) => pane.lookAtTerminal()));
  }

  async #reopen(signal: AbortSignal): Promise<void> {
    const old = this.#session;
    this.#session = null;
    await old?.close();
    await this.open(signal);
    this.#notice('A new tmux session was started; the working directory and the environment of the old shell are lost.');
  }

  /**
   * A new shell in a new window, in place of the dead one. (respawn-pane would keep the window, but tmux 3.3a then loses the first
   * bytes for a control client that had not yet read the last ones.)
   */
  async #renew(session: Session, pane: ManagedPane, signal: AbortSignal): Promise<void> {
    const old = pane.id;
    const next = await pane.nextShell(pane.folder);
    try {
      await this.#newWindow(session, pane, next, (id) => pane.replaced(next, id));
    } catch (thrown) {
      if (pane !== this.shared) throw thrown;
      return this.#reopen(signal);
    }
    session.channel.request(`kill-pane -t ${old}`).catch(() => undefined);
    pane.forgetFolder();
    await pane.ready(signal);
    this.#notice(`A new shell was started in ${paneName(pane.title)}; the working directory and the environment of the old one are lost.`);
  }

  /** `told` gets the id before any byte of the new pane is looked at. */
  async #newWindow(session: Session, pane: ManagedPane, next: NextShell, told: (id: string) => void): Promise<void> {
    const window = { title: pane.title, cwd: this.#place.facts.cwd, commandLine: next.commandLine, current: pane === this.shared };
    const reply = await session.channel.request(newWindowLine(session.name, window), ({ ok, lines }) => {
      const id = lines[0] ?? '';
      if (!ok || id === '') return;
      told(id);
      session.channel.requestAll(windowOptionLines(id, pane)).catch(() => undefined);
    });
    if (!reply.ok) throw new BuddyError('target.refused', `tmux did not make a pane: ${reply.lines.join(' ')}`);
  }

  #sessionPlace() {
    const { host, place, socket, log } = this.#options;
    return { place, socket, hostname: host.hostname, pid: host.pid, clock: host.clock, log };
  }

  #listener() {
    return {
      output: (from: string, bytes: Buffer) => this.#panes.heard(from)?.output(bytes),
      notification: (name: string, rest: string) => {
        if (name === '%pause') this.panes.find((pane) => pane.id === rest)?.paused();
      },
      closed: (reason: string) => this.#disconnected(reason),
    };
  }

  /** The channel has ended. On this host nothing can be saved; elsewhere the session may well live on. */
  #disconnected(reason: string): void {
    if (this.#closing.signal.aborted) return;
    if (this.shared.shell?.phase === 'lost' && this.panes.length === 1) return;
    if (this.#place.kind === 'local' || this.#session === null) this.#lost(reason);
    else {
      this.#recovery ??= recoverSession(this.#recoverable(), this.#session, reason).finally(() => {
        this.#recovery = null;
      });
    }
  }

  #recoverable(): Recoverable {
    const { moved, log } = this.#options;
    return {
      ...{ place: this.#place, clock: this.#host.clock, log, closing: this.#closing.signal },
      session: () => this.#session,
      panes: () => this.panes,
      reattach: (lost) => reattach(this.#sessionPlace(), lost, this.#listener(), this.#closing.signal),
      attached: (session) => {
        this.#session = session;
      },
      vanished: (pane) => this.#vanished(pane),
      gone: (reason) => this.#lost(reason),
      notice: (message) => this.#notice(message),
      back: () => moved(),
    };
  }

  /** The connection is gone for good, and all panes with it. */
  #lost(reason: string): void {
    if (this.#closing.signal.aborted) return;
    for (const pane of this.#panes.added) this.#panes.forget(pane, 'the connection to tmux was lost');
    const known = `the connection to tmux was lost (${reason}); whether the command has ended is not known`;
    const isNews = this.shared.lost(known);
    if (this.#options.isDefault) {
      if (isNews) this.#notice(`The connection to tmux was lost (${reason}). The next command starts a new session.`);
      return;
    }
    this.#notice(`The session ${this.#session?.name ?? ''} was lost (${reason}).`);
    this.#isLost = true;
    void this.close();
  }

  /** Somebody closed the pane; the session is still there. */
  #vanished(pane: ManagedPane): void {
    if (this.#closing.signal.aborted) return;
    if (pane !== this.shared) {
      this.#panes.forget(pane, 'the pane was closed');
      this.#notice(`The pane "${pane.title}" was closed.`);
    } else if (pane.lost('the pane was closed; whether the command has ended is not known')) {
      this.#notice('The pane was closed. The next command opens a new one.');
    }
  }

  #notice(message: string): void {
    this.#options.log.write('warn', message);
    this.#options.tell({ type: 'notice', message });
  }
}
