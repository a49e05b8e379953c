/** A local server that answers with given bytes, cut as a test wants them. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer. `chunkBytes` cuts the body; `end` says what comes after it. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly chunkBytes?: number;
  /** `close`: a proper end (the usual), `cut`: the socket is destroyed, `hang`: nothing more. */
  readonly end?: 'close' | 'cut' | 'hang';
}

/** What a client sent. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface ReplayServer {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  /** How many requests were given up by the client before their end. */
  readonly aborted: () => number;
  /** The answers to come, one a request. */
  script(...answers: readonly ScriptedAnswer[]): void;
  close(): Promise<void>;
}

async function send(response: ServerResponse, answer: ScriptedAnswer): Promise<void> {
  const { status = 200, headers = { 'content-type': 'text/event-stream' }, body, chunkBytes, end = 'close' } = answer;
  response.writeHead(status, headers);
  response.flushHeaders();
  const bytes = Buffer.from(body, 'utf8');
  const step = chunkBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += step) {
    response.write(bytes.subarray(at, at + step));
    // One turn of the event loop, so that the pieces reach the client as pieces.
    if (chunkBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  if (end === 'close') response.end();
  else if (end === 'cut') {
    await new Promise((resolve) => response.write('', resolve));
    response.socket?.end();
  }
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startReplayServer(): Promise<ReplayServer> {
  const seen: SeenRequest[] = [];
  const waiting: ScriptedAnswer[] = [];
  let aborted = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        json: text === '' ? {} : JSON.parse(text),
      });
      response.on('close', () => {
        if (!response.writableFinished) aborted++;
      });
      const answer = waiting.shift();
      if (answer === undefined) response.writeHead(500).end('no answer is scripted');
      else void send(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    aborted: () => aborted,
    script: (...answers) => {
      waiting.push(...answers);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
