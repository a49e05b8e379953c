/** Everything a server can do wrong on a socket, and what has to come of it. */

import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Api, eventsOf, failureEvent, sse } from './spoken.js';

/** What a mode knows of the request that it spoils. */
export interface Faulty {
  readonly api: Api;
  /** The body that would be the right answer now. */
  readonly good: string;
  /** Resolves when the program has shown all text that was sent. */
  readonly shown: Promise<void>;
}

export interface FaultMode {
  readonly name: string;
  /** Writes the answer, bytes and all. */
  play(socket: Socket, of: Faulty): void | Promise<void>;
  /**
   * `answers`: it is an answer all the same. `recovers`: it is asked again and gets one. Else the class of the error that
   * ends the turn.
   */
  readonly outcome: 'answers' | 'recovers' | `model.${string}`;
  /** Every request gets it, not the first alone: for errors that are tried again, the tries are counted. */
  readonly always?: boolean;
  /** What is kept of an answer that broke off. */
  readonly partial?: string;
  /** The server says no more: the clock is to be moved on. */
  readonly silent?: true;
  /** The least that is waited before the next try (milliseconds). */
  readonly waitsMs?: number;
}

function head(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ 'content-type': 'text/event-stream', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Some Reason\r\n${lines.join('')}`;
}

const CLOSE = { connection: 'close' };

function whole(socket: Socket, status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): void {
  socket.write(`${head(status, { 'content-length': String(Buffer.byteLength(body)), ...headers })}\r\n`);
  socket.write(body);
}

/** Headers of a stream without a length, and its first bytes. */
function begin(socket: Socket, body: string | Buffer): void {
  socket.write(`${head(200, CLOSE)}\r\n`);
  socket.write(body);
}

function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): FaultMode['play'] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (socket) => whole(socket, status, text, { 'content-type': 'application/json', ...headers });
}

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head></html>';
const html = (status: number): FaultMode['play'] => answer(status, page, { 'content-type': 'text/html' });

/** A beginning with text, without any end. */
function half(api: Api): string {
  const events = eventsOf(api, { text: ['one ', 'two'] });
  return events.slice(0, events.findIndex((event) => event.includes('two')) + 1).join('');
}

/** A call that looks whole, in an answer that is not. */
function halfCall(api: Api): string {
  const events = eventsOf(api, { calls: [{ id: 'half', name: 'touch', args: ['{"file":', '"x"}'] }] });
  return events.slice(0, api === 'chat' ? -2 : -1).join('');
}

const busy = (api: Api) => failureEvent(api, api === 'anthropic' ? 'overloaded_error' : 'server_error', 'busy');
const MB = 1024 * 1024;

/** A gzip stream that breaks in the middle. */
function tornGzip(text: string): Buffer {
  const bytes = gzipSync(text.repeat(50));
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

export const faultModes: readonly FaultMode[] = [
  // The line.
  { name: 'reset before any answer', outcome: 'recovers', play: (socket) => void socket.resetAndDestroy() },
  { name: 'closed before any answer', outcome: 'recovers', play: (socket) => void socket.end() },
  { name: 'closed in the middle of the headers', outcome: 'recovers', play: (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-ty') },
  { name: 'no HTTP', outcome: 'model.connection', play: (socket) => void socket.end('220 mail.example.org ESMTP\r\n') },
  { name: 'garbage', outcome: 'model.connection', play: (socket) => void socket.end(Buffer.from([0, 255, 1, 254, 10, 13, 10, 13])) },
  {
    name: 'headers without end',
    outcome: 'recovers',
    play: (socket) => void socket.write(`${head(200)}${'x-filler: 0123456789\r\n'.repeat(5000)}`),
  },
  { name: 'never an answer', outcome: 'recovers', silent: true, play: () => undefined },
  { name: 'headers, then nothing', outcome: 'recovers', silent: true, play: (socket) => begin(socket, '') },
  {
    name: 'half an answer, then nothing',
    outcome: 'model.timeout',
    silent: true,
    partial: 'one two',
    play: (socket, { api }) => begin(socket, half(api)),
  },
  {
    name: 'half an answer, then closed',
    outcome: 'model.stream',
    partial: 'one two',
    play(socket, { api }) {
      begin(socket, half(api));
      socket.end();
    },
  },
  {
    name: 'half an answer, then reset',
    outcome: 'model.stream',
    partial: 'one two',
    async play(socket, { api, shown }) {
      begin(socket, half(api));
      await shown;
      socket.resetAndDestroy();
    },
  },
  {
    name: 'fewer bytes than announced',
    outcome: 'model.stream',
    partial: 'one two',
    play(socket, { api }) {
      socket.write(`${head(200, { 'content-length': '99999' })}\r\n${half(api)}`);
      socket.end();
    },
  },
  {
    name: 'a broken chunk',
    outcome: 'model.stream',
    partial: 'one two',
    async play(socket, { api, shown }) {
      const body = half(api);
      socket.write(`${head(200, { 'transfer-encoding': 'chunked' })}\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`);
      await shown;
      socket.end('zz\r\nnonsense\r\n');
    },
  },
  {
    name: 'a call that looks whole, then closed',
    outcome: 'recovers',
    play(socket, { api }) {
      begin(socket, halfCall(api));
      socket.end();
    },
  },
  {
    name: 'a call that looks whole, then nothing',
    outcome: 'recovers',
    silent: true,
    play: (socket, { api }) => begin(socket, halfCall(api)),
  },
  {
    name: 'closed in the middle of an event',
    outcome: 'recovers',
    play(socket, { api }) {
      begin(socket, halfCall(api).trimEnd().slice(0, -9));
      socket.end();
    },
  },
  {
    name: 'drip: one byte at a time',
    outcome: 'answers',
    async play(socket, { good }) {
      socket.setNoDelay(true);
      socket.write(`${head(200, CLOSE)}\r\n`);
      for (const byte of Buffer.from(good, 'utf8')) {
        socket.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.end();
    },
  },
  {
    name: 'the line stays open after the end',
    outcome: 'answers',
    silent: true,
    play: (socket, { good }) => begin(socket, good),
  },
  {
    name: 'the line is kept alive for ever after the end',
    outcome: 'answers',
    silent: true,
    play(socket, { good }) {
      begin(socket, good);
      const talking = setInterval(() => socket.write(': ping\n\n'), 5);
      socket.on('close', () => clearInterval(talking));
    },
  },
  {
    name: 'reset after the end',
    outcome: 'answers',
    async play(socket, { good, shown }) {
      begin(socket, good);
      await shown;
      socket.resetAndDestroy();
    },
  },
  // The body.
  { name: 'an empty body', outcome: 'recovers', play: answer(200, '', { 'content-type': 'text/event-stream' }) },
  { name: '204', outcome: 'recovers', play: (socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n') },
  { name: 'a web page under 200', outcome: 'model.request', play: html(200) },
  { name: 'JSON of something else', outcome: 'model.request', play: answer(200, { hello: 'world' }) },
  { name: 'a list', outcome: 'model.request', play: answer(200, [1, 2]) },
  { name: 'a word', outcome: 'model.request', play: answer(200, 'OK', { 'content-type': 'text/plain' }) },
  { name: 'bytes that are no text', outcome: 'model.request', play: (socket) => whole(socket, 200, Buffer.alloc(500, 0x80)) },
  {
    name: 'an event that is no JSON',
    outcome: 'recovers',
    play: (socket) => whole(socket, 200, 'data: {"choices": [{"del\n\n'),
  },
  {
    name: 'an event that is no JSON, after text',
    outcome: 'model.stream',
    partial: 'one two',
    play: (socket, { api }) => whole(socket, 200, `${half(api)}data: oops\n\n`),
  },
  {
    name: 'events of nothing',
    outcome: 'recovers',
    play: (socket) => whole(socket, 200, 'data: {}\n\ndata: null\n\ndata: 7\n\ndata: []\n\n'),
  },
  { name: 'comments alone', outcome: 'recovers', play: (socket) => whole(socket, 200, ': keep-alive\n\n'.repeat(20)) },
  {
    name: 'comments, empty data, unknown fields between',
    outcome: 'answers',
    play: (socket, { good }) => whole(socket, 200, good.replaceAll('\n\n', '\n\n: PROCESSING\n\ndata:\n\nfoo: bar\nid: 7\nretry: 10\n\n')),
  },
  {
    name: 'a byte order mark and CRLF',
    outcome: 'answers',
    play: (socket, { good }) => whole(socket, 200, `\ufeff${good.replaceAll('\n', '\r\n')}`),
  },
  { name: 'no blank line after the last event', outcome: 'answers', play: (socket, { good }) => whole(socket, 200, good.trimEnd()) },
  {
    name: 'a wrong content type',
    outcome: 'answers',
    play: (socket, { good }) => whole(socket, 200, good, { 'content-type': 'application/octet-stream' }),
  },
  { name: 'gzip', outcome: 'answers', play: (socket, { good }) => whole(socket, 200, gzipSync(good), { 'content-encoding': 'gzip' }) },
  {
    name: 'torn gzip',
    outcome: 'recovers',
    play(socket, { api }) {
      socket.write(`${head(200, { ...CLOSE, 'content-encoding': 'gzip' })}\r\n`);
      socket.end(tornGzip(`: ${'x'.repeat(400)}\n\n${halfCall(api)}`));
    },
  },
  {
    name: 'early hints before the answer',
    outcome: 'answers',
    play(socket, { good }) {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n');
      whole(socket, 200, good);
    },
  },
  {
    name: 'a comment of 10 MB',
    outcome: 'recovers',
    play: (socket, { good }) => whole(socket, 200, `: ${'x'.repeat(10 * MB)}\n\n${good}`),
  },
  {
    name: 'an event of 10 MB that is no JSON',
    outcome: 'recovers',
    play: (socket) => whole(socket, 200, `data: ${'x'.repeat(10 * MB)}\n\n`),
  },
  {
    name: 'a line without end',
    outcome: 'recovers',
    play(socket) {
      socket.write(`${head(200, CLOSE)}\r\ndata: `);
      const more = Buffer.alloc(MB, 'x');
      const pour = () => {
        while (!socket.destroyed && socket.write(more));
      };
      socket.on('drain', pour);
      pour();
    },
  },
  {
    name: 'the answer twice',
    outcome: 'answers',
    play: (socket, { good }) => whole(socket, 200, good + good),
  },
  {
    name: 'half of another answer after the end',
    outcome: 'answers',
    play: (socket, { api, good }) => whole(socket, 200, good + halfCall(api)),
  },
  {
    name: 'pieces of another call after the end',
    outcome: 'answers',
    play: (socket, { api, good }) =>
      whole(
        socket,
        200,
        `${good}${eventsOf(api, { calls: [{ id: 'late', name: 'touch', args: ['{}'] }] })
          .slice(1)
          .join('')}`,
      ),
  },
  { name: 'a failure in the stream, before text', outcome: 'recovers', play: (socket, { api }) => whole(socket, 200, busy(api)) },
  {
    name: 'a failure in the stream, after a call',
    outcome: 'recovers',
    play: (socket, { api }) => whole(socket, 200, halfCall(api) + busy(api)),
  },
  {
    name: 'a failure in the stream, after text',
    outcome: 'model.server',
    partial: 'one two',
    play: (socket, { api }) => whole(socket, 200, half(api) + busy(api)),
  },
  {
    name: 'no credit, told in the stream',
    outcome: 'model.quota',
    play: (socket, { api }) => whole(socket, 200, failureEvent(api, 'insufficient_quota', 'no')),
  },
  {
    name: 'a failure after the end',
    outcome: 'answers',
    play: (socket, { api, good }) => whole(socket, 200, good + busy(api)),
  },
  { name: 'an error object under 200', outcome: 'recovers', play: answer(200, { error: { type: 'server_error', message: 'busy' } }) },
  { name: 'null where there should be an object', outcome: 'recovers', play: (socket) => whole(socket, 200, sse(null)) },
  // The status.
  { name: '500 {error: {}}', outcome: 'recovers', play: answer(500, { error: { message: 'oh', type: 'server_error' } }) },
  { name: '500 {error: text}', outcome: 'recovers', play: answer(500, { error: 'oh' }) },
  { name: '502 {detail}', outcome: 'recovers', play: answer(502, { detail: 'oh' }) },
  { name: '503 {message, code}', outcome: 'recovers', play: answer(503, { message: 'oh', code: 503 }) },
  { name: '504 [{error}]', outcome: 'recovers', play: answer(504, [{ error: { code: 504, message: 'oh' } }]) },
  { name: '500 without a body', outcome: 'recovers', play: answer(500, '') },
  {
    name: '500 whose body breaks off',
    outcome: 'recovers',
    play(socket) {
      socket.write(`${head(500, { 'content-length': '500' })}\r\n{"error":`);
      socket.end();
    },
  },
  { name: '502 with a web page', outcome: 'recovers', play: html(502) },
  { name: '529', outcome: 'recovers', play: answer(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }) },
  { name: '408', outcome: 'recovers', play: answer(408, { error: { message: 'slow' } }) },
  {
    name: '500 that wants no second try',
    outcome: 'model.server',
    play: answer(500, { error: { message: 'x' } }, { 'x-should-retry': 'false' }),
  },
  { name: '500 every time', outcome: 'model.server', always: true, play: answer(500, { error: { message: 'x' } }) },
  {
    name: '429, come back in 3 s',
    outcome: 'recovers',
    waitsMs: 3000,
    play: answer(429, { error: { message: 'x' } }, { 'retry-after': '3' }),
  },
  {
    name: '429, come back in a year',
    outcome: 'recovers',
    waitsMs: 60_000,
    play: answer(429, { error: { message: 'x' } }, { 'retry-after': '31536000' }),
  },
  {
    name: '429, come back before now',
    outcome: 'recovers',
    play: answer(429, { error: { message: 'x' } }, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  },
  { name: '429, come back soon', outcome: 'recovers', play: answer(429, { error: { message: 'x' } }, { 'retry-after': '-1 soon' }) },
  { name: '429 every time', outcome: 'model.rate', always: true, play: answer(429, { error: { message: 'x' } }) },
  { name: '429, no quota', outcome: 'model.quota', play: answer(429, { error: { code: 'insufficient_quota', message: 'x' } }) },
  { name: '402', outcome: 'model.quota', play: answer(402, { error: { message: 'x' } }) },
  { name: '401 every time', outcome: 'model.auth', play: answer(401, { error: { message: 'x' } }) },
  { name: '403 with a web page', outcome: 'model.auth', play: html(403) },
  { name: '404', outcome: 'model.not-found', play: answer(404, '404 page not found', { 'content-type': 'text/plain' }) },
  { name: '400', outcome: 'model.request', play: answer(400, { error: { message: 'x' } }) },
  { name: '413', outcome: 'model.context', play: answer(413, { error: { type: 'request_too_large', message: 'x' } }) },
  {
    name: '400, too long',
    outcome: 'model.context',
    play: answer(400, { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } }),
  },
  { name: '307 to itself', outcome: 'model.request', play: answer(307, '', { location: '/v1/chat/completions' }) },
  { name: '302 to a login page', outcome: 'model.request', play: answer(302, page, { location: 'https://login.example.org/?next=x' }) },
];
