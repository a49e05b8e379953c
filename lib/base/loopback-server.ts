/** A small web server for a browser on this machine: plain pages, one address, no one else can reach it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a browser asked for; it named this server by its own address. */
export interface LoopbackRequest {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A page of text. */
export interface LoopbackAnswer {
  readonly status: number;
  readonly text: string;
}

export interface LoopbackServer {
  readonly port: number;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

const ADDRESS = '127.0.0.1';

/**
 * Listens on `port` of 127.0.0.1 (0: any). Only GET is answered, and only under the names of this machine: a page from elsewhere that
 * points its own name here is refused. Rejects with the system's error, such as EADDRINUSE.
 */
export async function listenOnLoopback(port: number, answer: (request: LoopbackRequest) => LoopbackAnswer): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const own = (server.address() as AddressInfo | null)?.port ?? port;
    const isOwn = [`localhost:${own}`, `${ADDRESS}:${own}`].includes(request.headers.host ?? '');
    // Whoever can reach the port can ask for `//`, which is no address.
    const url = URL.canParse(request.url ?? '/', `http://${ADDRESS}`) ? new URL(request.url ?? '/', `http://${ADDRESS}`) : null;
    const { status, text } = !isOwn
      ? { status: 403, text: 'Forbidden.' }
      : url === null
        ? { status: 400, text: 'That is no address.' }
        : request.method !== 'GET'
          ? { status: 405, text: 'Only GET.' }
          : answer({ path: url.pathname, query: url.searchParams });
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    response.end(`${text}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // A browser that keeps a half-sent request open would keep the port.
        setImmediate(() => server.closeAllConnections());
      }),
  };
}
