/** A place through managed tmux panes that people can watch and join. */

import { Emitter } from '../../base/emitter.js';
import { BuddyError } from '../../base/errors.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import { settledWithin } from '../../base/settled.js';
import type { TargetSummary } from '../../protocol/panes.js';
import { OutputCleaner } from '../output/cleaning.js';
import { KeptOutputs } from '../output/kept-outputs.js';
import { absolutePath } from '../places/paths.js';
import { loginNotice, type Place } from '../places/place.js';
import type { ShellChoice } from '../shells/index.js';
import type {
  ExecutionTarget,
  FileRange,
  LookRequest,
  RunIo,
  RunOutcome,
  RunRequest,
  TargetEnd,
  TargetEvent,
  TmuxClient,
} from '../target.js';
import { type EmulatorFactory, loadEmulator } from '../terminal-emulator.js';
import type { ManagedPane } from './managed-pane.js';
import { ManagedSession } from './managed-session.js';
import { createTmuxClient } from './pane-client.js';
import { PaneRunner } from './pane-runner.js';
import { type OwnedPane, SessionSet } from './session-set.js';

export interface TmuxTargetOptions {
  readonly host: Host;
  readonly place: Place;
  readonly agent: string;
  readonly socket: string;
  readonly choice: ShellChoice;
  readonly cols: number;
  readonly rows: number;
  readonly log: Log;
  readonly mirror: boolean;
  readonly adopt: boolean;
  readonly maxSessions: number;
  readonly maxPanes: number;
}

/** Longer than a shell may take to start. */
const OPENING_MS = 60_000;

export class TmuxTarget implements ExecutionTarget {
  readonly #host: Host;
  readonly #place: Place;
  readonly #options: TmuxTargetOptions;
  readonly #events = new Emitter<TargetEvent>();
  readonly #cleaner: OutputCleaner;
  readonly #kept: KeptOutputs;
  readonly #sessions: SessionSet;
  readonly #runners = new WeakMap<ManagedPane, PaneRunner>();
  readonly onEvent = this.#events.event;
  readonly tmux: TmuxClient;
  /** The first opening of the pane: commands wait for it, and so does the end. */
  #opening: Promise<void> | null = null;

  constructor(options: TmuxTargetOptions) {
    this.#host = options.host;
    this.#place = options.place;
    this.#options = options;
    let loading: Promise<EmulatorFactory> | null = null;
    const emulators = () => {
      loading ??= loadEmulator();
      return loading;
    };
    this.#cleaner = new OutputCleaner(emulators);
    this.#kept = new KeptOutputs(options.host.pid);
    const { maxSessions, maxPanes, agent } = options;
    const tellSummary = () => this.#events.fire({ type: 'summary', summary: this.summary });
    this.#sessions = new SessionSet({
      maxSessions,
      maxPanes,
      make: (name) =>
        new ManagedSession({
          ...options,
          name: name === '' ? agent : `${agent}-${name}`,
          label: name,
          isDefault: name === '',
          emulators: options.mirror ? emulators : null,
          tell: (event) => this.#events.fire(event),
          moved: name === '' ? tellSummary : () => undefined,
        }),
    });
    options.place.onState(() => {
      tellSummary();
      const login = loginNotice(options.place);
      if (login !== null) this.#events.fire({ type: 'notice', message: login });
    });
    this.tmux = createTmuxClient(this.#sessions);
  }

  get summary(): TargetSummary {
    const { kind, label, facts } = this.#place;
    const { session, shared } = this.#sessions.default;
    const program = facts.tmux?.program ?? 'tmux';
    const attach = session === null ? null : this.#place.attachLine([program, '-L', this.#options.socket, 'attach', '-t', session.name]);
    return {
      kind,
      via: 'tmux',
      label,
      host: facts.host,
      user: facts.user,
      cwd: shared.cwd,
      shell: this.#options.choice.shell.name,
      attach,
    };
  }

  get homeDir(): string {
    return this.#place.facts.home;
  }

  start(signal: AbortSignal): Promise<void> {
    this.#opening = this.#open(signal);
    return this.#opening;
  }

  async #open(signal: AbortSignal): Promise<void> {
    if (this.#place.kind === 'local' && (await isManaged(this.#host, this.#place, signal))) {
      throw new BuddyError('target.own-pane', 'this terminal is a pane that buddy-tui manages itself', {
        hint: 'Start buddy-tui in another terminal, outside of its own tmux session.',
      });
    }
    try {
      await this.#sessions.default.open(signal).catch((thrown: unknown) => this.#openAgain(thrown, signal));
      this.#followKept();
    } catch (thrown) {
      await this.#sessions.close();
      throw thrown;
    }
  }

  /**
   * A session that was taken away while its shell started is begun once more: the tmux server of a killed program can fall over in the
   * moment in which that one's session ends (3.3a does). Everything else is thrown again.
   */
  async #openAgain(thrown: unknown, signal: AbortSignal): Promise<void> {
    const home = this.#sessions.default;
    if (signal.aborted || home.closing.aborted || home.shared.shell?.phase !== 'lost') throw thrown;
    await home.revive(home.shared, signal);
  }

  async run(request: RunRequest, io: RunIo): Promise<RunOutcome> {
    const { closing } = this.#sessions.default;
    if (this.#opening !== null) await settledWithin(this.#opening, OPENING_MS, this.#host.clock, AbortSignal.any([io.signal, closing]));
    else throw new BuddyError('target.closed', 'the target has not been started');
    const { default: home } = this.#sessions;
    const owned = request.pane === undefined ? { session: home, pane: home.shared } : this.#sessions.byId(request.pane);
    return this.#runner(owned).run(request, io);
  }

  readOutput(id: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal) {
    return this.#kept.read(id, range, signal);
  }

  readFile(path: string, range: FileRange, signal: AbortSignal) {
    return this.#place.readFile(this.#absolute(path), range, signal);
  }

  look(request: LookRequest, signal: AbortSignal) {
    return this.#place.look(request, signal);
  }

  realPath(path: string, signal: AbortSignal): Promise<string> {
    return this.#place.realPath(this.#absolute(path), signal);
  }

  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#place.writeFile(this.#absolute(path), bytes, signal);
  }

  async close(how?: TargetEnd): Promise<boolean> {
    const kept = await this.#sessions.close(how);
    await this.#kept.close();
    await this.#opening?.catch(() => undefined);
    await this.#place.close();
    return kept;
  }

  dispose(): void {
    void this.close();
  }

  /** Commands of an earlier run in a kept session: those that still run, and those that ended meanwhile. */
  #followKept(): void {
    const session = this.#sessions.default;
    const running = session.panes.map((pane) => ({ pane, run: pane.shell?.run ?? null }));
    for (const { pane, run } of [...session.endedMeanwhile, ...running]) {
      if (run !== null) this.#events.fire({ type: 'background', command: this.#runner({ session, pane }).follow(run) });
    }
  }

  #absolute(path: string): string {
    return absolutePath(path, this.#sessions.default.shared.cwd, this.#place.facts.home);
  }

  #runner({ session, pane }: OwnedPane): PaneRunner {
    const known = this.#runners.get(pane);
    if (known !== undefined) return known;
    const screen = async (of: ManagedPane) => {
      try {
        return await this.tmux.capture({ pane: of.id }, session.closing);
      } catch {
        return '';
      }
    };
    const { clock } = this.#host;
    const speech = this.#options.choice.shell;
    const runner = new PaneRunner({ clock, place: this.#place, speech, session, pane, cleaner: this.#cleaner, kept: this.#kept, screen });
    this.#runners.set(pane, runner);
    return runner;
  }
}

/** True when this program itself runs in a pane that an instance of it manages. */
async function isManaged(host: Host, place: Place, signal: AbortSignal): Promise<boolean> {
  const [socketPath] = host.env['TMUX']?.split(',') ?? [];
  const pane = host.env['TMUX_PANE'];
  if (socketPath === undefined || pane === undefined) return false;
  const program = place.facts.tmux?.program ?? 'tmux';
  try {
    const answer = await place.run([program, '-S', socketPath, 'display-message', '-p', '-t', pane, '#{@buddy_managed}'], signal);
    return answer.stdout.toString('utf8').trim() === '1';
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return false;
  }
}
