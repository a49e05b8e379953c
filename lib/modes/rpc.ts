/** rpc: the runtime for another program. Commands come in and events go out, one JSON object a line; what is meant for people goes to standard error. */

import { type ByteLine, ByteLines } from '../base/byte-lines.js';
import { exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visible } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import { type CheckedLine, checkLine, isBlank } from '../protocol/command-check.js';
import { commandRows } from '../protocol/command-rows.js';
import { eventRows } from '../protocol/event-rows.js';
import type { RuntimeEventEnvelope } from '../protocol/events.js';
import type { CommandAnswer } from '../protocol/runtime-port.js';
import {
  type ControlRequest,
  MOST_LINE_BYTES,
  PROTOCOL_VERSION,
  type ReplyData,
  type WireProblem,
  type WireRequest,
  type WireState,
} from '../protocol/wire.js';
import { wireStateAfter } from '../protocol/wire-state.js';
import { type Assembly, assemble } from './assembly.js';
import { configOf, recordingOf } from './assembly-config.js';
import { checkSession } from './checked-session.js';
import { connectedPlace } from './connecting.js';
import { firstCommands, type Resume } from './resumed.js';
import { RpcOutput } from './rpc-output.js';
import { headerBefore } from './stream-header.js';

export interface RpcRequest {
  readonly options: Options;
  /** `new`, `last` or an id to go on in; null: a new one. */
  readonly session: string | null;
  /** At the end of the input what was asked for is waited for. */
  readonly wait: boolean;
}

/** A terminal of the size that most programs expect; `pane.resize` makes it another. */
const PANE = { cols: 120, rows: 40 } as const;

/** Resolves with the exit code when everything is put away. Throws BuddyError for bad input. */
export async function rpc(host: Host, { options, session, wait }: RpcRequest): Promise<number> {
  const config = await configOf(host, options);
  if (session !== null) checkSession(host, config, session);
  const say = (line: string) => host.stderr.write(`${visible(host.masked?.(line) ?? line)}\n`);
  // Libraries print where they like: standard output is for the protocol alone.
  host.onStray((text) => say(text.trimEnd()));
  const place = await connectedPlace(host, config, options);
  const recording = recordingOf(host, options, config, (message) => say(`buddy-tui: ${message}`));
  const keep = config.settings['tmux.on_exit'] === 'keep';
  const assembly = await assemble(host, {
    ...{ options, config, place, adopt: keep, pane: PANE },
    policy: { kind: 'ask' },
    interactive: true,
    keepsSession: true,
    ...recording,
  });
  const notices = [...assembly.notices, ...(config.demoHint === null ? [] : [`This is the demo, not a real model. ${config.demoHint}`])];
  const earlier = session === null || session === 'new' ? null : { session };
  try {
    return await new RpcLine(host, assembly, {
      ...{ keep, wait, earlier, options, say },
      notices: notices.map(recording.secrets.redact),
      redact: recording.secrets.redact,
    }).run();
  } finally {
    recording.trace?.close();
  }
}

interface RpcLineOptions {
  /** The tmux session is left behind when the input ends. */
  readonly keep: boolean;
  readonly wait: boolean;
  readonly earlier: Resume | null;
  readonly options: Options;
  readonly notices: readonly string[];
  redact(text: string): string;
  /** To a person. */
  say(line: string): void;
}

/** One run: requests in, replies and events out. */
class RpcLine {
  readonly #host: Host;
  readonly #assembly: Assembly;
  readonly #options: RpcLineOptions;
  readonly #output: RpcOutput;
  readonly #lines = new ByteLines(MOST_LINE_BYTES);
  /** Lines that were not looked at yet, and the end of them. */
  readonly #waiting: (ByteLine | 'end')[] = [];
  /** The runtime has not answered the last command yet. */
  #isAsking = false;
  #state: WireState | null = null;
  #code: number = exitCodes.ok;
  #ending = false;
  #stopped = false;
  #inputIsOver = false;

  constructor(host: Host, assembly: Assembly, options: RpcLineOptions) {
    this.#host = host;
    this.#assembly = assembly;
    this.#options = options;
    this.#output = new RpcOutput(host.stdout, (why) => {
      options.say(`buddy-tui: ${why}`);
      this.#code = exitCodes.failed;
      this.#end(exitCodes.failed);
    });
  }

  async run(): Promise<number> {
    const { runtime, port } = this.#assembly;
    const { stdin, clock } = this.#host;
    let failure: unknown = null;
    port.onEvent((envelope) => this.#onEvent(envelope));
    const stopListening = [
      this.#host.on('SIGINT', () => this.#stop(exitCodes.interrupted)),
      this.#host.on('SIGTERM', () => this.#stop(exitCodes.terminated)),
      this.#host.on('SIGHUP', () => this.#stop(exitCodes.hangup)),
    ];
    try {
      const started = runtime.start();
      for (const command of firstCommands(this.#options.earlier, this.#options.options)) port.send(command, this.#begun);
      stdin.on('data', (bytes: Uint8Array) => this.#heard(this.#lines.take(bytes)));
      stdin.on('end', () => this.#lastHeard());
      // One that cannot be read (closed, a folder) holds nothing.
      stdin.on('error', () => this.#lastHeard());
      await started;
      this.#host.timing?.mark('target');
      await runtime.closed;
    } catch (thrown) {
      if (!this.#ending) failure = thrown;
      this.#end(exitCodes.failed);
      await runtime.closed;
    }
    // Nothing that comes now can be done.
    stdin.removeAllListeners('data').destroy();
    const isRead = await this.#output.close(clock);
    for (const stop of stopListening) stop();
    if (failure !== null) throw failure;
    // What nobody reads would keep the process alive.
    return isRead ? this.#code : this.#host.exit(this.#code);
  }

  #onEvent(envelope: RuntimeEventEnvelope): void {
    this.#state = wireStateAfter(this.#state, envelope);
    // The client may have asked for the end itself.
    if (envelope.event.type === 'lifecycle.stopping') this.#ending = true;
    const header = headerBefore(envelope, { mode: 'rpc', cwd: this.#host.cwd, notices: this.#options.notices });
    if (header !== null) this.#output.write(header);
    this.#output.write(envelope);
    if (!this.#inputIsOver) return;
    if (envelope.event.type === 'approval.requested') this.#deny(envelope.event.request.id);
    this.#endWhenIdle();
  }

  /** Without the session that was asked for a client would go on in one that knows nothing of it. */
  readonly #begun = ({ refused }: CommandAnswer): void => {
    if (refused === null) return;
    this.#options.say(`buddy-tui: ${refused}`);
    this.#end(exitCodes.failed);
  };

  #heard(lines: readonly ByteLine[]): void {
    for (const line of lines) this.#waiting.push(line);
    this.#goOn();
  }

  /** Lines are answered in their order: what one of them changed the next one finds changed. */
  #goOn(): void {
    while (!this.#isAsking) {
      const line = this.#waiting.shift();
      if (line === undefined) return;
      if (line === 'end') this.#inputEnded();
      else if ('text' in line) {
        if (!isBlank(line.text)) this.#request(checkLine(line.text));
      } else {
        const message =
          line.problem === 'too long' ? `the line is longer than ${MOST_LINE_BYTES / 1024 / 1024} MiB` : 'the line is no UTF-8';
        this.#refuse({ id: null, command: null }, { code: 'rpc.line', message });
      }
    }
  }

  #request(checked: CheckedLine): void {
    if ('problem' in checked) this.#refuse(checked, checked.problem);
    else if (isControl(checked.request)) this.#control(checked, checked.request);
    else {
      this.#isAsking = true;
      this.#assembly.port.send(checked.request, ({ refused, task }) => {
        this.#isAsking = false;
        if (refused !== null) this.#refuse(checked, { code: 'rpc.refused', message: this.#options.redact(refused) });
        else this.#confirm(checked, task === null ? undefined : { task });
        this.#goOn();
      });
    }
  }

  #control(to: CheckedLine, request: ControlRequest): void {
    if (request.type === 'state.tell') {
      if (this.#state === null) this.#refuse(to, { code: 'rpc.refused', message: 'nothing is known yet' });
      else this.#confirm(to, this.#state);
    } else if (request.protocol !== PROTOCOL_VERSION) {
      const message = `this program speaks version ${PROTOCOL_VERSION} of the protocol, not ${request.protocol}`;
      this.#refuse(to, { code: 'rpc.protocol', message });
    } else {
      const { version } = this.#host;
      const names = { commands: Object.keys(commandRows), events: Object.keys(eventRows) };
      this.#confirm(to, { protocol: PROTOCOL_VERSION, version, ...names });
    }
  }

  #confirm({ id, command }: Pick<CheckedLine, 'id' | 'command'>, data?: ReplyData): void {
    this.#output.write({ type: 'response', id, command, ok: true, ...(data === undefined ? {} : { data }) });
  }

  #refuse({ id, command }: Pick<CheckedLine, 'id' | 'command'>, error: WireProblem): void {
    this.#output.write({ type: 'response', id, command, ok: false, error });
  }

  /** A line without its LF is one all the same. */
  #lastHeard(): void {
    const rest = this.#lines.rest();
    if (rest !== null) this.#waiting.push(rest);
    this.#waiting.push('end');
    this.#goOn();
  }

  /** Whoever drove this is gone: it ends, or finishes what it was asked for. */
  #inputEnded(): void {
    if (this.#inputIsOver) return;
    this.#inputIsOver = true;
    if (!this.#options.wait) {
      this.#end(exitCodes.ok);
      return;
    }
    for (const { id } of this.#state?.approvals ?? []) this.#deny(id);
    this.#endWhenIdle();
  }

  /** Nobody answers questions any more. */
  #deny(approval: string): void {
    this.#assembly.port.send({ type: 'approval.answer', approval, decision: 'deny', feedback: 'Nobody is there to answer any more.' });
  }

  /** What was handed over just now, and the next of those that wait, has begun in a moment. A job in the background is not waited for. */
  #endWhenIdle(): void {
    queueMicrotask(() => {
      if (this.#state?.queue.length === 0 && this.#state.tasks.every(({ kind }) => kind === 'job')) this.#end(exitCodes.ok);
    });
  }

  /** A signal: the first one ends in order, the second one at once (tmux then ends the session by itself). */
  #stop(code: number): void {
    if (this.#stopped) this.#host.exit(code);
    this.#stopped = true;
    this.#code = code;
    this.#end(code);
  }

  #end(code: number): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#code = code;
    this.#assembly.port.send({ type: 'runtime.shutdown', keep: this.#options.keep });
  }
}

function isControl(request: WireRequest): request is ControlRequest {
  return request.type === 'hello' || request.type === 'state.tell';
}
