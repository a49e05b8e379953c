/** A TCP proxy that can be cut, or frozen as a network that swallows packets. */
import { createConnection, createServer } from 'node:net';

/** Starts it before `toPort` of this host. */
export async function startWire(toPort) {
  const sockets = new Set();
  let refuses = false;
  let frozen = false;
  const server = createServer((near) => {
    if (refuses) return near.destroy();
    const far = createConnection(toPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    cut() {
      refuses = true;
      for (const socket of sockets) socket.destroy();
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** All goes through again. */
    mend() {
      refuses = false;
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
