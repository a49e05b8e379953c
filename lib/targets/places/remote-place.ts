/** A place at the other end of a connection: held open by one program there, and made again when it breaks. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import { abortError, asBuddyError, BuddyError } from '../../base/errors.js';
import type { Log } from '../../base/log.js';
import { type Child, startProcess } from '../../base/process.js';
import { settledWithin } from '../settled.js';
import { shellWord } from '../tmux/quoting.js';
import type { FilePiece, Place, PlaceFacts, PlaceOutput, PlaceState } from './place.js';
import { readRemoteFile, writeRemoteFile } from './remote-files.js';
import { anchorScript, firstLine, framed, programScript, readFacts } from './remote-script.js';

/** A program of this host and its arguments. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
}

/** What differs between the ways to get there. */
export interface Carrier {
  readonly kind: 'ssh' | 'container';
  /** As in a sentence: `web-01`, `the container db`. */
  readonly name: string;
  /** For the header: `web-01 (ssh)`. */
  readonly label: string;
  /** Before each attempt to connect. Throws `target.connect` when it is known already that there is no use in trying. */
  prepare(signal: AbortSignal): Promise<void>;
  /** How `script` is run there by a POSIX sh, with three pipes. The one connection that is held is the `anchor`. */
  launch(script: string, role: 'anchor' | 'use'): Launch;
  /** Why a connection failed or broke, in words. `said` is the first line of what the program complained. */
  explain(said: string, code: number | null): Promise<{ readonly reason: string; readonly hint?: string }>;
  attachLine(argv: readonly string[]): string;
  release(): Promise<void>;
}

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
/** From the start of the connecting program to the facts; a login shell may be slow. */
const CONNECT_LIMIT_MS = 40_000;
/** Between attempts to come back; the last stands for all further ones. */
const BACK_OFF_MS = [1000, 2000, 4000, 8000, 15_000];
const CLOSE_PATIENCE_MS = 1000;
/** For an engine's word on its container; the loss must be shown within seconds. */
const EXPLAIN_PATIENCE_MS = 2000;
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
  #state: PlaceState = { kind: 'lost', reason: 'not connected yet', retryAtMs: 0 };
  #nudge: () => void = () => undefined;

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
    return this.#state.kind === 'connected' ? label : label.replace(/\)$/, ', connection lost)');
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

  async connect(aborted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([aborted, this.#closing.signal]);
    try {
      await this.#attempt(signal);
    } catch (thrown) {
      await this.#carrier.release();
      throw thrown;
    }
  }

  reach(withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.reject(abortError());
    if (this.#state.kind === 'connected') return Promise.resolve(true);
    const back = new Promise<void>((resolve) => {
      const listening = this.onState((state) => {
        if (state.kind !== 'connected') return;
        listening.dispose();
        resolve();
      });
    });
    this.#nudge();
    return settledWithin(back, withinMs, this.#options.clock, signal);
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

  readFile(path: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal): Promise<FilePiece> {
    return readRemoteFile((script, stop, input) => this.#script(script, stop, input), path, range, signal);
  }

  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return writeRemoteFile((script, stop, input) => this.#script(script, stop, input), path, bytes, signal);
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
    const { reason } = await this.#carrier.explain(error?.message ?? firstLine(stderr), code);
    throw this.#lostError(reason);
  }

  #lostError(reason: string): BuddyError {
    return new BuddyError('target.lost', `the connection to ${this.name} is lost (${reason})`, { retryable: true });
  }

  /** One attempt; afterwards the state is `connected`. Throws `target.connect`. */
  async #attempt(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortError();
    await this.#carrier.prepare(signal);
    const mark = randomBytes(12).toString('hex');
    const child = this.#launch(anchorScript(mark), 'anchor');
    const onAbort = () => child.kill('SIGKILL');
    signal.addEventListener('abort', onAbort, { once: true });
    let stdout = '';
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr = `${stderr}${bytes.toString('utf8')}`.slice(-4000);
    });
    const told = new Promise<ReturnType<typeof readFacts>>((resolve) => {
      child.stdout.on('data', (bytes: Buffer) => {
        stdout = `${stdout}${bytes.toString('utf8')}`.slice(-100_000);
        const facts = readFacts(stdout, mark);
        if (facts !== null) resolve(facts);
      });
      child.ended.then(() => resolve(null));
    });
    const inTime = await settledWithin(told, CONNECT_LIMIT_MS, this.#options.clock, signal);
    const found = inTime ? await told : null;
    signal.removeEventListener('abort', onAbort);
    if (found === null || signal.aborted) {
      child.kill('SIGKILL');
      const { code, error } = await child.ended;
      if (signal.aborted) throw abortError();
      const said = inTime ? (error?.message ?? firstLine(stderr)) : `no answer within ${CONNECT_LIMIT_MS / 1000} seconds`;
      const { reason, hint } = await this.#carrier.explain(said, inTime ? code : null);
      throw new BuddyError('target.connect', `cannot connect to ${this.name}: ${reason}`, hint === undefined ? {} : { hint });
    }
    child.stdout.removeAllListeners('data');
    child.stdout.resume();
    this.#anchor = child;
    this.#facts = found.facts;
    this.#environment = { PAGER: 'cat', GIT_PAGER: 'cat', ...(found.locale === '' ? { LANG: 'C.UTF-8' } : {}) };
    child.ended.then(({ code }) => this.#broken(child, firstLine(stderr), code));
    this.#enter({ kind: 'connected' });
  }

  async #broken(child: Child, said: string, code: number | null): Promise<void> {
    if (this.#anchor !== child || this.#closing.signal.aborted) return;
    this.#anchor = null;
    const explained = this.#carrier.explain(said, code);
    // The state holds from now on; it is told with the better words when they come soon.
    this.#state = { kind: 'lost', reason: said || 'the connection broke', retryAtMs: this.#options.clock.now() };
    const soon = await settledWithin(explained, EXPLAIN_PATIENCE_MS, this.#options.clock, this.#closing.signal);
    await this.#comeBack(soon ? (await explained).reason : this.#state.reason);
  }

  /** Tries again until it works or the place is closed. */
  async #comeBack(firstReason: string): Promise<void> {
    const { clock, log } = this.#options;
    let reason = firstReason;
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const waitMs = BACK_OFF_MS[Math.min(attempt, BACK_OFF_MS.length - 1)] ?? 0;
      this.#enter({ kind: 'lost', reason, retryAtMs: clock.now() + waitMs });
      const nudged = new Promise<void>((resolve) => {
        this.#nudge = resolve;
      });
      await settledWithin(nudged, waitMs, clock, this.#closing.signal);
      this.#nudge = () => undefined;
      try {
        await this.#attempt(this.#closing.signal);
        return;
      } catch (thrown) {
        if (this.#closing.signal.aborted) return;
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
