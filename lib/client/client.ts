/** buddy-tui driven from another program: what it is started with, and what it can be asked. */

import type { Disposable } from '../base/disposable.js';
import type { TaskId } from '../protocol/commands.js';
import type { RuntimeEventEnvelope } from '../protocol/events.js';
import type { ReplyData, StreamHeader, WireRequest, WireState } from '../protocol/wire.js';

/** How the program is started. */
export interface ClientOptions {
  /** What follows `rpc`: `['--session', 'last', '--ssh', 'web-01']`. */
  readonly args?: readonly string[];
  /** The working folder; left out: this one. */
  readonly cwd?: string;
  /** The environment; left out: this one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What is run, before `rpc`; left out: the program of this package. */
  readonly command?: readonly [string, ...string[]];
  /** Ends the program when it fires, as `close` does. */
  readonly signal?: AbortSignal;
  /** Told what the program says to people, as it comes. */
  onMessage?(text: string): void;
}

/** How the program ended. */
export interface ClientEnd {
  /** Null: a signal ended it, or it could not be started. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it said to people. */
  readonly messages: string;
}

/** What a request of that type is answered with. */
export type AnswerTo<T extends WireRequest['type']> = T extends 'state.tell'
  ? WireState
  : T extends 'hello'
    ? Extract<ReplyData, { readonly commands: unknown }>
    : { readonly task: TaskId | null };

/** One running program; made by `connect`. */
export interface BuddyClient {
  /** What the program said first: version, session, target. */
  readonly header: StreamHeader;
  /** Resolves when the program has ended, however. */
  readonly ended: Promise<ClientEnd>;
  /** Every event, in order; who listens first is told at once what came before. What a listener throws nobody catches, and nobody else suffers from. */
  onEvent(listener: (envelope: RuntimeEventEnvelope) => void): Disposable;
  /** The same one after the other, until the program ends or the loop is left. What is not asked for in time is kept. */
  events(): AsyncGenerator<RuntimeEventEnvelope, void, undefined>;
  /** Asks for something and does not wait: what comes of it is told by events, `command.refused` among them. Throws `rpc.line` for more than a line may have. */
  send(command: WireRequest): void;
  /**
   * Asks for something. Resolves when it was taken; rejects with a BuddyError that says why not (`rpc.*`), or that the program has ended
   * (`client.ended`), and with an AbortError when the signal fires: what was asked for is not taken back then.
   */
  request<const T extends WireRequest>(command: T, signal?: AbortSignal): Promise<AnswerTo<T['type']>>;
  /** Ends the program: in order, or by force when it takes too long. `keep` leaves the tmux session and what runs in it behind. */
  close(how?: { readonly keep?: boolean }): Promise<ClientEnd>;
}
