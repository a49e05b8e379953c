/** A place at the other end of a connection: held open by one program there, and made again when it breaks. */

import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import { abortError, asBuddyError, BuddyError } from '../../base/errors.js';
import type { Log } from '../../base/log.js';
import { type Child, startProcess } from '../../base/process.js';
import { settledWithin } from '../../base/settled.js';
import type { FilePiece, FileRange, Looked, LookRequest } from '../target.js';
import { shellWord } from '../tmux/quoting.js';
import { needsLogin, openAnchor } from './anchor.js';
import type { AskOnTerminal, Carrier } from './carrier.js';
import { listenForSilence } from './heartbeat.js';
import { heardOut } from './look.js';
import type { Place, PlaceFacts, PlaceOutput, PlaceState } from './place.js';
import { readRemoteFile, realRemotePath, writeRemoteFile } from './remote-files.js';
import { firstLine, framed, programScript } from './remote-script.js';

export interface RemotePlaceOptions {
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly log: Log;
  /** Of this host, for the program that connects. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names this program in the folders that it makes there. */
  readonly owner: string;
}

/** A session there outlives a lost connection for half a day: a long upgrade must not die with a laptop's lid. */
const GRACE_S = 12 * 3600;
/** Between attempts to come back; the last stands for all further ones. */
const BACK_OFF_MS = [1000, 2000, 4000, 8000, 15_000];
/** Logins that fail again and again get an address locked out: without a person it is tried once a day. */
const WITHOUT_PERSON_MS = 24 * 3600 * 1000;
const CLOSE_PATIENCE_MS = 1000;
/** For an engine's word on its container; the loss must be shown within seconds. */
const EXPLAIN_PATIENCE_MS = 2000;
/** More than the marks around an output are, and what start-up files print before it. */
const FRAME_BYTES = 8000;
const FOLDER = /^\/tmp\/buddy-\w+$/;
/** The same, or a folder inside of it. */
const FOLDER_OR_INNER = /^\/tmp\/buddy-\w+(?:\/\d+)?$/;

const noFacts: PlaceFacts = { host: '', user: '', home: '/', cwd: '/', shells: [], system: '', tmux: null };

export class RemotePlace implements Place {
  readonly #options: RemotePlaceOptions;
  readonly #carrier: Carrier;
  readonly #closing = new AbortController();
  readonly #states = new Emitter<PlaceState>();
  readonly onState = this.#states.event;
  readonly graceS = GRACE_S;
  readonly writeNow = null;
  #anchor: Child | null = null;
  #facts = noFacts;
  #environment: Readonly<Record<string, string>> = {};
  #state: PlaceState = { kind: 'lost', reason: 'not connected yet', retryAtMs: 0, needsLogin: false };
  #nudge: () => void = () => undefined;
  /** A person wants to connect again now. */
  #wish: Wish | null = null;

  constructor(options: RemotePlaceOptions) {
    this.#options = options;
    this.#carrier = options.carrier;
  }

  get kind() {
    return this.#carrier.kind;
  }

  get name(): string {
    return this.#carrier.name;
  }

  get label(): string {
    const { label } = this.#carrier;
    if (this.#state.kind === 'lost') return label.replace(/\)$/, ', connection lost)');
    return this.#state.silent ? label.replace(/\)$/, ', no answer)') : label;
  }

  get facts(): PlaceFacts {
    return this.#facts;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#environment;
  }

  get state(): PlaceState {
    return this.#state;
  }

  async connect(aborted: AbortSignal, ask: AskOnTerminal | null = null): Promise<void> {
    const signal = AbortSignal.any([aborted, this.#closing.signal]);
    try {
      await this.#attempt(ask, signal);
    } catch (thrown) {
      await this.#carrier.release();
      throw thrown;
    }
  }

  async reach(withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) throw abortError();
    const settled = () => this.#state.kind === 'connected' || this.#state.needsLogin;
    if (!settled()) {
      const known = new Promise<void>((resolve) => {
        const listening = this.onState(() => {
          if (!settled()) return;
          listening.dispose();
          resolve();
        });
      });
      this.#nudge();
      await settledWithin(known, withinMs, this.#options.clock, signal);
    }
    return this.#state.kind === 'connected';
  }

  reconnect(ask: AskOnTerminal): Promise<void> {
    if (this.#state.kind === 'connected' && !this.#state.silent) return Promise.resolve();
    this.#wish?.reject(abortError());
    return new Promise((resolve, reject) => {
      this.#wish = { ask, resolve, reject };
      this.#nudge();
      // A silent one is given up: its end begins the new attempt.
      this.#anchor?.kill('SIGKILL');
    });
  }

  start(argv: readonly string[], cwd?: string): Child {
    return this.#launch(programScript(argv, this.#environment, cwd), 'use');
  }

  run(argv: readonly string[], signal: AbortSignal, input?: Uint8Array): Promise<PlaceOutput> {
    return this.#script(programScript(argv, this.#environment), signal, input);
  }

  async makeFolder(signal: AbortSignal): Promise<string> {
    const owner = shellWord(`${this.#options.owner}\n`);
    const script = `umask 077; d=$(mktemp -d /tmp/buddy-XXXXXX) && printf %s ${owner} >"$d/owner" && printf %s "$d"`;
    const { code, stdout, stderr } = await this.#script(script, signal);
    const folder = stdout.toString('utf8');
    if (code === 0 && FOLDER.test(folder)) return folder;
    throw new BuddyError(
      'target.file',
      `no private folder could be made in /tmp on ${this.name}: ${firstLine(stderr) || `exit code ${code}`}`,
    );
  }

  async makeInner(folder: string, signal: AbortSignal): Promise<void> {
    const { code, stderr } = await this.#script(`exec mkdir -m 700 ${shellWord(folder)}`, signal);
    if (code !== 0) throw new BuddyError('target.file', `the folder ${folder} could not be made on ${this.name}: ${firstLine(stderr)}`);
  }

  async removeFolder(folder: string): Promise<void> {
    if (!FOLDER_OR_INNER.test(folder)) return;
    await this.#script(`rm -rf ${shellWord(folder)}`, new AbortController().signal).catch(() => undefined);
  }

  async writePrivate(path: string, text: string): Promise<void> {
    const { code, stderr } = await this.#script(`umask 077; exec cat >${shellWord(path)}`, this.#closing.signal, Buffer.from(text, 'utf8'));
    if (code !== 0) throw new BuddyError('target.file', `cannot write ${path} on ${this.name}: ${firstLine(stderr)}`);
  }

  async readText(path: string): Promise<string | null> {
    try {
      const { code, stdout } = await this.#script(`exec cat ${shellWord(path)}`, this.#closing.signal);
      return code === 0 ? stdout.toString('utf8') : null;
    } catch {
      return null;
    }
  }

  readFile(path: string, range: FileRange, signal: AbortSignal): Promise<FilePiece> {
    return readRemoteFile((script, stop, input) => this.#script(script, stop, input), path, range, signal);
  }

  realPath(path: string, signal: AbortSignal): Promise<string> {
    return realRemotePath((script, stop, input) => this.#script(script, stop, input), path, signal);
  }

  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return writeRemoteFile((script, stop, input) => this.#script(script, stop, input), path, bytes, signal);
  }

  /** The program that connects is ended at once; what runs there is told to end by another one, as it may never notice. */
  async look(request: LookRequest, signal: AbortSignal): Promise<Looked> {
    if (signal.aborted) throw abortError();
    if (this.#state.kind === 'lost') throw this.#lostError(this.#state.reason);
    // The shell leads a group of its own there: whatever lets programs in gives each a session (setsid).
    const { script, read, begun } = framed(`printf '%s\\n' $$\n${programScript(request.argv, this.#environment)}`);
    const child = this.#launch(script, 'use');
    const end = (stdout: Buffer) => {
      const group = /^\d+(?=\n)/.exec(begun(stdout).toString('latin1', 0, 20))?.[0];
      child.kill('SIGKILL');
      if (group !== undefined) void this.signalGroup(Number(group), 'SIGKILL');
    };
    const framing = { ...request, mostBytes: request.mostBytes + FRAME_BYTES };
    const { error, ...heard } = await heardOut(child, framing, end, this.#options.clock, signal);
    const whole = heard.cut === null ? read(heard.stdout) : { code: null, stdout: begun(heard.stdout) };
    if (whole !== null) return { ...heard, code: whole.code, stdout: whole.stdout.subarray(whole.stdout.indexOf(0x0a) + 1) };
    const { reason } = await this.#carrier.explain(error?.message ?? heard.stderr, heard.code);
    throw this.#lostError(reason);
  }

  async signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!Number.isInteger(group) || group < 2) return;
    // The shell's own kill: that of procps takes `-9 -GROUP` for every process there is.
    await this.#script(`kill -s ${signal.slice(3)} -- -${group}`, this.#closing.signal).catch(() => undefined);
  }

  attachLine(argv: readonly string[]): string {
    return this.#carrier.attachLine(argv);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#wish?.reject(abortError());
    const anchor = this.#anchor;
    this.#anchor = null;
    if (anchor !== null) {
      anchor.stdin.end();
      await settledWithin(anchor.ended, CLOSE_PATIENCE_MS, this.#options.clock);
      anchor.kill('SIGKILL');
    }
    await this.#carrier.release();
  }

  #launch(script: string, role: 'anchor' | 'use'): Child {
    const { file, args } = this.#carrier.launch(script, role);
    // A group of its own: Ctrl-C and Ctrl-Z of the user's terminal are not meant for it.
    return startProcess(file, args, { env: this.#options.environment, ownGroup: true });
  }

  /** Runs a script to its end. Throws `target.lost` when the connection is or gets lost, or an AbortError. */
  async #script(body: string, signal: AbortSignal, input?: Uint8Array): Promise<PlaceOutput> {
    if (signal.aborted) throw abortError();
    if (this.#state.kind === 'lost') throw this.#lostError(this.#state.reason);
    const { script, read } = framed(body);
    const child = this.#launch(script, 'use');
    const onAbort = () => child.kill('SIGKILL');
    signal.addEventListener('abort', onAbort, { once: true });
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => {
      stderr = `${stderr}${bytes.toString('utf8')}`.slice(-4000);
    });
    child.stdin.end(input);
    const { code, error } = await child.ended;
    signal.removeEventListener('abort', onAbort);
    if (signal.aborted) throw abortError();
    const done = read(Buffer.concat(stdout));
    if (done !== null) return { ...done, stderr };
    const { reason } = await this.#carrier.explain(error?.message ?? stderr, code);
    throw this.#lostError(reason);
  }

  #lostError(reason: string): BuddyError {
    return new BuddyError('target.lost', `the connection to ${this.name} is lost (${reason})`, { retryable: true });
  }

  /** One attempt; afterwards the state is `connected`. Throws `target.connect`, `target.login`. */
  async #attempt(ask: AskOnTerminal | null, signal: AbortSignal): Promise<void> {
    const anchor = await openAnchor(this.#options, ask, signal);
    this.#anchor = anchor.child;
    this.#facts = anchor.facts;
    this.#environment = { PAGER: 'cat', GIT_PAGER: 'cat', ...(anchor.locale === '' ? { LANG: 'C.UTF-8' } : {}) };
    void anchor.child.ended.then(({ code }) => this.#broken(anchor.child, anchor.said(), code));
    this.#enter({ kind: 'connected', silent: false });
    listenForSilence(anchor.child, this.#options.clock, (silent) => {
      if (this.#anchor === anchor.child) this.#enter({ kind: 'connected', silent });
    });
  }

  async #broken(child: Child, said: string, code: number | null): Promise<void> {
    if (this.#anchor !== child || this.#closing.signal.aborted) return;
    this.#anchor = null;
    const explained = this.#carrier.explain(said, code);
    // The state holds from now on; it is told with the better words when they come soon.
    const reason = firstLine(said) || 'the connection broke';
    this.#state = { kind: 'lost', reason, retryAtMs: this.#options.clock.now(), needsLogin: false };
    const soon = await settledWithin(explained, EXPLAIN_PATIENCE_MS, this.#options.clock, this.#closing.signal);
    await this.#comeBack(soon ? (await explained).reason : reason);
  }

  /** Tries again until it works or the place is closed. */
  async #comeBack(firstReason: string): Promise<void> {
    const { clock, log } = this.#options;
    let reason = firstReason;
    let asks = false;
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const waitMs = asks ? WITHOUT_PERSON_MS : (BACK_OFF_MS[Math.min(attempt, BACK_OFF_MS.length - 1)] ?? 0);
      const nudged = new Promise<void>((resolve) => {
        this.#nudge = resolve;
      });
      this.#enter({ kind: 'lost', reason, retryAtMs: clock.now() + waitMs, needsLogin: asks });
      if (this.#wish === null) await settledWithin(nudged, waitMs, clock, this.#closing.signal);
      this.#nudge = () => undefined;
      const wish = this.#wish;
      this.#wish = null;
      try {
        await this.#attempt(wish?.ask ?? null, this.#closing.signal);
        wish?.resolve();
        return;
      } catch (thrown) {
        wish?.reject(thrown);
        if (this.#closing.signal.aborted) return;
        asks = needsLogin(thrown);
        reason = asBuddyError(thrown, 'target.connect').message;
        log.write('info', reason);
      }
    }
  }

  #enter(state: PlaceState): void {
    this.#state = state;
    this.#states.fire(state);
  }
}

/** A person who waits for the connection. */
interface Wish {
  readonly ask: AskOnTerminal;
  resolve(): void;
  reject(thrown: unknown): void;
}
