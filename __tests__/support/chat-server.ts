/** A local server of the chat completions protocol whose answers a test writes, delta by delta and as slowly as it likes. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TERMINAL_CONTEXT_MARK } from '../../lib/runtime/terminal-context.js';

/** What the program sent, without what it says of the terminal. */
export interface ChatMessage {
  readonly role: string;
  /** The words of it, where it has parts. */
  readonly content: string | null;
  /** Addresses with the pictures in them. */
  readonly images: readonly string[];
  readonly tool_call_id?: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** What the user said last. */
  readonly prompt: string;
  /** Results of tools that came after that, in order. */
  readonly results: readonly ChatMessage[];
  /** Names of the tools that the model is shown. */
  readonly tools?: readonly string[];
}

export interface ChatCall {
  readonly name: string;
  readonly arguments: unknown;
  /** `call-N` when left out. */
  readonly id?: string;
}

/** A piece of an answer, or `fail`: the answer is this error instead (only as the first piece). */
export type ChatPiece =
  | { readonly content: string }
  | { readonly reasoning: string }
  | { readonly calls: readonly ChatCall[] }
  | { readonly fail: { readonly status: number; readonly message: string } };

/** Gives the pieces of the answer to a request. */
export type Reply = (request: ChatRequest) => Iterable<ChatPiece> | AsyncIterable<ChatPiece>;

export interface ChatServer {
  readonly baseUrl: string;
  readonly seen: readonly ChatRequest[];
  close(): Promise<void>;
}

function deltaOf(piece: ChatPiece): object {
  if ('content' in piece) return { content: piece.content };
  if ('reasoning' in piece) return { reasoning_content: piece.reasoning };
  if ('fail' in piece) throw new Error('an answer cannot fail once it has begun');
  return {
    tool_calls: piece.calls.map((call, index) => ({
      index,
      id: call.id ?? `call-${index}`,
      type: 'function',
      function: { name: call.name, arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments) },
    })),
  };
}

/** Resolves when the client has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function answer(response: ServerResponse, pieces: Iterable<ChatPiece> | AsyncIterable<ChatPiece>): Promise<void> {
  let called = false;
  const put = async (choices: readonly object[], more: object = {}) => {
    const chunk = { id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'mock-1', choices, ...more };
    const taken = response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (!taken && !response.destroyed) await drained(response);
  };
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if ('fail' in piece) {
      const { status, message } = piece.fail;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message, type: 'mock' } }));
      return;
    }
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    called ||= 'calls' in piece;
    await put([{ index: 0, delta: { role: 'assistant', ...deltaOf(piece) }, finish_reason: null }]);
  }
  await put([{ index: 0, delta: {}, finish_reason: called ? 'tool_calls' : 'stop' }]);
  await put([], { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
  response.end('data: [DONE]\n\n');
}

interface SentMessage extends Omit<ChatMessage, 'content' | 'images'> {
  readonly content: string | null | readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[];
}

function read(message: SentMessage): ChatMessage {
  const { content } = message;
  if (content === null || typeof content === 'string') return { ...message, content, images: [] };
  const images = content.flatMap(({ image_url: image }) => image?.url ?? []);
  return { ...message, content: content.map(({ text }) => text ?? '').join(''), images };
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startChatServer(reply: Reply): Promise<ChatServer> {
  const seen: ChatRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as {
        readonly messages: readonly SentMessage[];
        readonly tools?: readonly { readonly function: { readonly name: string } }[];
      };
      const messages = body.messages.map(read).filter((message) => message.content?.startsWith(TERMINAL_CONTEXT_MARK) !== true);
      const lastUser = messages.findLastIndex((message) => message.role === 'user');
      const asked: ChatRequest = {
        messages,
        prompt: messages[lastUser]?.content ?? '',
        results: messages.slice(lastUser + 1).filter((message) => message.role === 'tool'),
        tools: body.tools?.map((tool) => tool.function.name) ?? [],
      };
      seen.push(asked);
      answer(response, reply(asked)).catch((thrown: unknown) => response.destroy(thrown as Error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
