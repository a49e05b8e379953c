/** A control client at its start: who hears it, and what becomes of it when the start fails. */

import { startKeeper } from '../../base/keeper.js';
import type { Child } from '../../base/process.js';
import { type ChannelListener, ControlChannel } from './control-channel.js';
import { attachArgv, type SessionPlace } from './session-lines.js';

/** A client that was started and may not be attached yet. */
export interface StartingClient {
  readonly channel: ControlChannel;
  /** From now on its end is told: until then the caller learns of it from `channel.opened`. */
  listen(): void;
  /** The start is over, one way or the other: `signal` no longer kills the client. */
  settle(): void;
}

/** Bytes may come before the caller holds the session: `listener` gets those from the first one on. */
export function startClient(
  { place }: SessionPlace,
  argv: readonly string[],
  listener: ChannelListener,
  signal: AbortSignal,
): StartingClient {
  let heard: ChannelListener | null = null;
  const child = place.start(argv);
  if (place.kind === 'local') keep(child, place.environment['PATH']);
  const channel = new ControlChannel(child, {
    output: (pane, bytes) => listener.output(pane, bytes),
    notification: (event, rest) => listener.notification(event, rest),
    closed: (reason) => heard?.closed(reason),
  });
  const onAbort = () => channel.kill();
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    channel,
    listen() {
      heard = listener;
    },
    settle: () => signal.removeEventListener('abort', onAbort),
  };
}

/**
 * A control client with output on its way to a program that was killed never ends (tmux 3.3a), so its session would count as attached for
 * ever and what runs in it would go on. Once the client is gone the session ends itself.
 */
function keep(child: Child, path: string | undefined): void {
  const keeper = startKeeper(child, path);
  void child.exited.then(() => keeper.end());
}

/**
 * Attaches to the session called `name` and asks `use` what comes of it; when that is null the client leaves again. Once `use` calls
 * `hold`, `signal` no longer ends the client. Throws what `use` throws, and tmux's refusal; no client is left then.
 */
export async function attachClient<T>(
  place: SessionPlace,
  name: string,
  listener: ChannelListener,
  signal: AbortSignal,
  use: (channel: ControlChannel, hold: () => void) => Promise<T | null>,
): Promise<T | null> {
  const client = startClient(place, attachArgv(place, name), listener, signal);
  try {
    await client.channel.opened;
    const used = await use(client.channel, client.settle);
    if (used === null) await client.channel.detach();
    else client.listen();
    return used;
  } catch (thrown) {
    client.channel.kill();
    throw thrown;
  } finally {
    client.settle();
  }
}
