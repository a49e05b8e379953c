/** One server: started when it is needed, listed, pinned, tried again when it breaks down, ended with the program. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import { Emitter } from '../base/emitter.js';
import { BuddyError, isAbort, messageOf } from '../base/errors.js';
import type { HttpClient } from '../base/http.js';
import { settledWithin } from '../base/settled.js';
import { launchWords, type McpServerConfig } from '../config/mcp-servers.js';
import type { McpServerStatus, McpState } from '../protocol/mcp.js';
import { cappedFetch } from './capped-fetch.js';
import type { Connection, ConnectOptions, LoginState } from './connection.js';
import { type ListedPrompt, type ListedResource, type ListedTool, listAll, promptsOf, resourcesOf, toolsOf } from './listed.js';
import type { Loose } from './loose.js';
import { changesOf, launchHash, type PinStore, pinsOf } from './pins.js';
import { type ListKind, Relisting } from './relisting.js';
import { serverFetch } from './server-fetch.js';
import { ServerLog } from './server-log.js';
import { StdioTransport } from './stdio-transport.js';

/** What all servers of a run share. */
export interface ServerContext {
  readonly version: string;
  readonly clock: Clock;
  /** The working folder of this host. */
  readonly cwd: string;
  /** What programs are shown of the environment: no key of ours. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** The value of a variable of the person's, for a token that the configuration names. */
  readonly variable: (name: string) => string | null;
  readonly pins: PinStore;
  /** Of this server's own: closed with it. Rejects with `config.*`. */
  readonly openHttp: () => Promise<HttpClient>;
  /** What is kept of logins; null: nothing can be kept. */
  readonly login: ((config: McpServerConfig) => Promise<LoginState>) | null;
  /** A sentence for the person. */
  readonly tell: (level: 'notice' | 'warning', message: string) => void;
}

/** No message of a server is longer. */
export const MOST_BYTES = 16 * 1024 * 1024;
/** So many tools of one server are offered. */
const MOST_TOOLS = 128;
/** A start that a prompt does not wait for any more may go on so many times as long. */
const PATIENCE = 6;
/** Waits before it is tried again: 1, 2, 4, … seconds; then no more. */
const MOST_FAILURES = 5;
const LONGEST_WAIT_MS = 60_000;
/** Up for so long, its next failure is the first one again. */
const STABLE_MS = 60_000;
/** What has changed just now nobody can have read (milliseconds). */
const READ_MS = 1500;

/** Owns the connection. Its lists are as they were when it was last there. */
export class McpServer {
  readonly config: McpServerConfig;
  readonly #context: ServerContext;
  readonly #changed = new Emitter<void>();
  readonly onChange = this.#changed.event;
  readonly #log: ServerLog;
  #state: McpState;
  #why = '';
  #connection: Connection | null = null;
  #stdio: StdioTransport | null = null;
  #http: HttpClient | null = null;
  #starting: Promise<void> | null = null;
  #startedMs = 0;
  #changedMs = Number.NEGATIVE_INFINITY;
  #abort = new AbortController();
  #failures = 0;
  #retry: Disposable | null = null;
  readonly #relisting: Relisting;
  #isSlow = false;
  #isClosed = false;
  #listed: readonly ListedTool[] = [];
  #held: ReadonlyMap<string, string> = new Map();
  tools: readonly ListedTool[] = [];
  prompts: readonly ListedPrompt[] = [];
  resources: readonly ListedResource[] = [];

  constructor(config: McpServerConfig, context: ServerContext) {
    this.config = config;
    this.#context = context;
    this.#log = new ServerLog(config.name, context.tell);
    this.#relisting = new Relisting(context.clock, (what) => this.#listAnew(what));
    this.#state = config.isEnabled ? 'idle' : 'off';
  }

  get status(): McpServerStatus {
    const { name, from, launch } = this.config;
    return {
      ...{ name, from, how: launchWords(launch), state: this.#state, why: this.#why },
      ...{ tools: this.tools.length, prompts: this.prompts.length, resources: this.resources.length, held: [...this.#held.values()] },
    };
  }

  /** The newest lines of its log, the oldest first. */
  get log(): readonly string[] {
    return this.#log.lines;
  }

  /** The id of its process; null: none runs. */
  get pid(): number | null {
    return this.#stdio?.pid ?? null;
  }

  /** Starts it when it can be, and waits until it is there, as long as a start may take. Rejects with an AbortError only. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#state === 'idle') this.#start();
    const { clock } = this.#context;
    if (this.#starting === null || this.#isSlow) return;
    const leftMs = this.#startedMs + this.config.startMs - clock.monotonic();
    const isThere = leftMs > 0 && (await settledWithin(this.#starting, leftMs, clock, signal));
    signal.throwIfAborted();
    if (isThere || this.#isSlow) return;
    this.#isSlow = true;
    this.#log.tell('notice', `is slow to start; its tools come with a later prompt`);
  }

  /** The connection, started when there is none. Rejects with `mcp.gone`, or an AbortError. */
  async connection(signal: AbortSignal): Promise<Connection> {
    if (this.#state === 'idle' || this.#state === 'waiting') this.#start();
    if (this.#starting !== null) await settledWithin(this.#starting, this.config.startMs * PATIENCE, this.#context.clock, signal);
    signal.throwIfAborted();
    if (this.#connection !== null) return this.#connection;
    throw new BuddyError('mcp.gone', `the MCP server ${this.config.name} is not there${this.#why === '' ? '' : `: ${this.#why}`}`);
  }

  /** Calls a tool. Rejects with BuddyError, or an AbortError: then the server is told, and it is not waited for. */
  async call(tool: string, args: Loose, signal: AbortSignal, onProgress: (line: string) => void): Promise<Loose> {
    return this.ask(signal, (connection) => {
      if (this.tools.some(({ name }) => name === tool)) return connection.callTool(tool, args, signal, onProgress);
      throw new BuddyError('mcp.tool', `${this.config.name} has no tool ${tool} any more`);
    });
  }

  /** Asks the connection something; one that has been lost meanwhile is let go. Rejects as `call`. */
  async ask<T>(signal: AbortSignal, question: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.connection(signal);
    const stdio = this.#stdio;
    try {
      return await question(connection);
    } catch (thrown) {
      const reason = stdio?.trouble ?? null;
      if (isAbort(thrown) || !(thrown instanceof BuddyError)) throw thrown;
      if (thrown.code === 'mcp.login') await this.#stop('login', 'it wants a login');
      else if (isLost(thrown) && this.#connection === connection) await this.#stop('idle', messageOf(thrown), true);
      throw reason === null
        ? thrown
        : new BuddyError('mcp.gone', `the MCP server ${this.config.name} is gone: ${reason}`, { cause: thrown });
    }
  }

  /** Ends it, and starts it again from a clean slate. */
  async restart(): Promise<void> {
    await this.#stop('idle', '');
    this.#failures = 0;
    // Meanwhile it may have been switched off, closed, or started.
    if (this.#state === 'idle') this.#start();
  }

  async enable(): Promise<void> {
    if (this.#state === 'off') this.#set('idle', '');
    if (this.#starting === null && this.#connection === null) await this.restart();
  }

  /** For this session. */
  async disable(): Promise<void> {
    await this.#stop('off', '');
  }

  /** Ends it until it is needed; what it had listed is forgotten. */
  async reset(): Promise<void> {
    await this.#stop(this.#state === 'off' ? 'off' : 'idle', '');
    this.#failures = 0;
  }

  /** What is held back now is offered from now on. Rejects with `state.write`, and with `mcp.changed` for what has changed once more meanwhile. */
  async approve(): Promise<void> {
    if (this.#held.size > 0 && this.#context.clock.monotonic() - this.#changedMs < READ_MS)
      throw new BuddyError('mcp.changed', 'what is held back has just changed once more; look at it again');
    await this.#context.pins.write(this.#pinKey(), pinsOf(launchHash(this.config.launch), this.#listed));
    this.#held = new Map();
    this.#offer();
  }

  /** Ends it with the program, or because another one has its place: nothing starts it any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop('off', '');
    this.#changed.dispose();
  }

  #start(): void {
    if (this.#isClosed) return;
    this.#retry?.dispose();
    this.#startedMs = this.#context.clock.monotonic();
    this.#isSlow = false;
    this.#abort = new AbortController();
    this.#set('starting', '');
    const starting = this.#begin(this.#abort).finally(() => {
      if (this.#starting === starting) this.#starting = null;
    });
    this.#starting = starting;
  }

  /** Never rejects. */
  async #begin(abort: AbortController): Promise<void> {
    const { clock, version, cwd } = this.#context;
    const limitMs = this.config.startMs * PATIENCE;
    const limit = clock.after(limitMs, () => abort.abort(new BuddyError('mcp.start', `it was not there within ${limitMs / 1000} s`)));
    let stdio: StdioTransport | null = null;
    try {
      const { connect } = await import('./connection.js');
      const to = await this.#place();
      abort.signal.throwIfAborted();
      if (to instanceof StdioTransport) stdio = this.#stdio = to;
      const options: ConnectOptions = {
        ...{ version, root: stdio === null ? null : cwd, startMs: limitMs, timeoutMs: this.config.timeoutMs },
        log: (line) => this.#log.add(line),
        onListChanged: (what) => this.#relisting.changed(what),
        onClosed: () => {
          if (!abort.signal.aborted) this.#broke(stdio?.trouble ?? 'the connection was closed');
        },
      };
      const connection = await connect(to, options, abort.signal);
      if (abort.signal.aborted) return void (await connection.close());
      this.#connection = connection;
      await this.#list(connection, ['tools', 'prompts', 'resources'], abort.signal);
      if (this.#connection !== connection) return;
      if (this.#failures > 0) this.#log.tell('notice', 'is there again');
      this.#set('ready', '');
    } catch (thrown) {
      // Ended on purpose.
      if (abort.signal.aborted && !(abort.signal.reason instanceof BuddyError)) return;
      if (thrown instanceof BuddyError && thrown.code === 'mcp.login') {
        await this.#stop('login', 'it wants a login');
        this.#log.tell('notice', `wants a login: /mcp login ${this.config.name}`);
        return;
      }
      if (this.#state !== 'starting') return;
      const said = this.#log.lines.at(-1);
      const why = abort.signal.reason instanceof BuddyError ? abort.signal.reason.message : (stdio?.trouble ?? messageOf(thrown));
      this.#broke(said === undefined || stdio === null ? why : `${why}; its last words: ${said.slice(0, 200)}`);
    } finally {
      limit.dispose();
    }
  }

  /** What it is spoken to by. Rejects with BuddyError for what cannot be. */
  async #place() {
    const { launch } = this.config;
    const { clock, cwd, environment, variable, openHttp, login } = this.#context;
    if (launch.kind === 'stdio') {
      const { command, args, env } = launch;
      return new StdioTransport({
        ...{ command, args, env: { ...environment(), ...env }, cwd: launch.cwd ?? cwd, clock, mostBytes: MOST_BYTES },
        log: (line) => this.#log.add(line),
        noise: (line) => this.#log.noise(line),
      });
    }
    const token = launch.tokenEnv === null ? null : variable(launch.tokenEnv);
    if (launch.tokenEnv !== null && token === null) throw new BuddyError('mcp.start', `there is no variable ${launch.tokenEnv}`);
    await this.#http?.close();
    this.#http = await openHttp();
    const { url } = launch;
    const headers = { ...launch.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
    const capped = cappedFetch(this.#http.fetch, MOST_BYTES, (says) => this.#log.tellOf('excess', 'warning', says));
    // A token that is named is the one that counts.
    const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    return {
      ...{ kind: launch.kind, url, fetch: serverFetch(capped, { url, headers, clock }) },
      login: isNamed || login === null ? null : await login(this.config),
    };
  }

  /** Rejects as the connection does. */
  async #list(connection: Connection, what: readonly ListKind[], signal: AbortSignal): Promise<void> {
    for (const of of what) {
      if (!connection.has(of)) continue;
      const { entries, problem } = await listAll(connection, `${of}/list`, of, signal).catch((thrown: unknown) => {
        // Some say that they have what they cannot list: the rest of them works.
        if (of === 'tools' || !(thrown instanceof BuddyError) || isLost(thrown) || connection !== this.#connection) throw thrown;
        return { entries: [], problem: `its ${of} are not known: ${thrown.message}` };
      });
      if (problem !== null) this.#log.tellOf(of, 'warning', problem);
      if (of === 'tools') await this.#pinned(entries);
      else if (of === 'prompts') this.prompts = promptsOf(entries);
      else this.resources = resourcesOf(entries);
    }
    this.#changed.fire();
  }

  /** Those that are as they were pinned are offered; of a server that is new, all are. */
  async #pinned(entries: readonly Loose[]): Promise<void> {
    const { only, without, launch } = this.config;
    const { tools, problems } = toolsOf(entries);
    const wanted = tools.filter(({ name }) => (only === null || only.includes(name)) && !without.includes(name));
    for (const problem of problems) this.#log.add(`left out: ${problem}`);
    const [first] = problems;
    if (first !== undefined)
      this.#log.tellOf('left out', 'warning', `${problems.length === 1 ? 'a tool is' : `${problems.length} tools are`} left out: ${first}`);
    if (wanted.length > MOST_TOOLS)
      this.#log.tellOf(
        'too many',
        'warning',
        `has ${wanted.length} tools; the first ${MOST_TOOLS} are offered (choose others with tools = [...])`,
      );
    const before = this.#heldPrint();
    this.#listed = wanted.slice(0, MOST_TOOLS);
    const hash = launchHash(launch);
    const pins = this.#context.pins.read(this.#pinKey());
    const wereHeld = this.#held.size > 0;
    if (pins === null || pins.launch !== hash) {
      this.#held = new Map();
      await this.#context.pins.write(this.#pinKey(), pinsOf(hash, this.#listed));
    } else this.#held = changesOf(pins, this.#listed);
    this.#offer();
    const [one] = this.#held.values();
    if (one === undefined || this.#heldPrint() === before) return;
    // Whoever says yes says it to what they have been told.
    if (wereHeld) this.#changedMs = this.#context.clock.monotonic();
    this.#log.tell(
      'warning',
      `${this.#held.size === 1 ? 'a tool is' : `${this.#held.size} tools are`} not as before and held back until /mcp approve ${this.config.name}: ${one}`,
    );
  }

  /** Of all that is held back, as it is now. */
  #heldPrint(): string {
    return JSON.stringify(this.#listed.filter(({ name }) => this.#held.has(name)).map(({ name, hash }) => [name, hash]));
  }

  #offer(): void {
    this.tools = this.#listed.filter(({ name }) => !this.#held.has(name));
    this.#changed.fire();
  }

  #pinKey(): string {
    return `${this.config.from}#${this.config.name}`;
  }

  #listAnew(what: readonly ListKind[]): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#list(connection, what, this.#abort.signal).catch((thrown: unknown) =>
      this.#log.add(`its ${what.join(' and ')} could not be listed anew: ${messageOf(thrown)}`),
    );
  }

  #broke(why: string): void {
    const { clock } = this.#context;
    if (this.#state === 'ready' && clock.monotonic() - this.#startedMs > STABLE_MS) this.#failures = 0;
    this.#failures++;
    const waitMs = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (this.#failures - 1));
    const isOver = this.#failures >= MOST_FAILURES;
    void this.#stop(isOver ? 'failed' : 'waiting', why);
    if (isOver) this.#log.tell('warning', `failed ${MOST_FAILURES} times and is left alone until /mcp restart ${this.config.name}: ${why}`);
    else {
      if (this.#failures === 1) this.#log.tell('warning', `${why}; it is tried again`);
      this.#retry = clock.after(waitMs, () => this.#start());
    }
  }

  /** Ends what there is; the state is told at once. Resolves when it is ended. `keeps`: what it had listed is offered on, the next call starts it. */
  async #stop(state: McpState, why: string, keeps = false): Promise<void> {
    this.#retry?.dispose();
    this.#relisting.stop();
    this.#abort.abort();
    const [connection, stdio, http] = [this.#connection, this.#stdio, this.#http];
    this.#connection = this.#stdio = this.#http = null;
    if (state === 'off' || (state === 'idle' && !keeps)) this.tools = this.prompts = this.resources = [];
    this.#set(state, why);
    await connection?.close().catch(() => undefined);
    await stdio?.close();
    await http?.close().catch(() => undefined);
  }

  #set(state: McpState, why: string): void {
    this.#state = state;
    this.#why = why;
    this.#changed.fire();
  }
}

/** Is it the connection that failed, and not what was asked? */
function isLost({ cause, message }: BuddyError): boolean {
  if (message === 'the server is gone') return true;
  const name = typeof cause === 'object' && cause !== null && 'name' in cause ? String(cause.name) : '';
  return name === 'TypeError' || /Session|session|404/.test(cause instanceof Error && name !== 'McpError' ? cause.message : '');
}
