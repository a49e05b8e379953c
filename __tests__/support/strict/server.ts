/**
 * A server of all three protocols that judges each request as the real ones do, refuses it with their 400 when there is a fault, and
 * else says what a test lets it say.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderName } from '../../../lib/config/profiles.js';
import { type Api, eventsOf, failureEvent, type Spoken } from '../../models/spoken.js';
import { faultOf } from '../../models/strict-requests.js';
import { isObject, type Json, objects, text } from './rules.js';

/** One request, judged sound. */
export interface StrictRequest {
  readonly api: Api;
  readonly provider: ProviderName;
  readonly body: Json;
  /** How many sound requests came before it. */
  readonly number: number;
}

/** What is said, and how the line ends. */
export interface StrictReply {
  readonly says: Spoken;
  /** Only so many events are sent; all when left out. */
  readonly events?: number;
  /** After them: a proper end (the usual), a connection cut off, nothing more, or a failure told in the stream: the server is busy, or the window full. */
  readonly end?: 'close' | 'cut' | 'hang' | 'failure' | 'overflow';
}

export interface StrictServer {
  /** Where a profile of that provider is served. */
  baseUrl(provider: ProviderName): string;
  /** Faults found so far, each with its protocol. */
  readonly faults: readonly string[];
  /** Requests that were judged sound, in order. */
  readonly requests: readonly StrictRequest[];
  /** How many answers had all their events sent. */
  readonly sent: () => number;
  close(): Promise<void>;
}

export interface StrictOptions {
  /** What the model says; asked once for each sound request. */
  reply(request: StrictRequest): StrictReply;
  /** The window of its models; requests that are larger are refused. Left out: any size will do. */
  readonly windowTokens?: number;
}

const PATH = /^\/([a-z]+)\/v1\/(chat\/completions|responses|messages)$/;
const APIS: Readonly<Record<string, Api>> = { 'chat/completions': 'chat', responses: 'responses', messages: 'anthropic' };
/** Ids of calls as each protocol gives them. */
const IDS: Readonly<Record<Api, string>> = { chat: 'call_', responses: 'call_', anthropic: 'toolu_01' };

/** Fields that frame what is said; a few tokens stand for them. */
const FRAME: ReadonlySet<string> = new Set([
  'type',
  'role',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'signature',
  'encrypted_content',
]);
const FRAME_CHARACTERS = 16;

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + FRAME_CHARACTERS + charactersIn(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => (FRAME.has(key) ? sum : sum + charactersIn(inner)), 0);
}

/** Tokens of a request: one for four characters of what is said in it, and of the tools. */
export function tokensOf({ messages, input, instructions, system, tools }: Json): number {
  const characters = charactersIn([messages, input, instructions, system]) + (JSON.stringify(tools) ?? '').length;
  return Math.ceil(characters / 4);
}

function refusal(response: ServerResponse, api: Api, message: string, code: string | null = null): void {
  const error = { type: 'invalid_request_error', message, ...(api === 'anthropic' ? {} : { param: null, code }) };
  const body = api === 'anthropic' ? { type: 'error', error } : { error };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** What is said, with ids and figures as that server gives them. */
function spokenBy({ api, provider, body, number }: StrictRequest, says: Spoken): Spoken {
  const idOf = (at: number) =>
    provider === 'mistral' ? `Q${String(number).padStart(4, '0')}x${String(at).padStart(3, '0')}` : `${IDS[api]}${number}x${at}`;
  const input = tokensOf(body);
  return {
    usage: { input, output: 20, cached: 0 },
    by: { answer: number, model: text(body['model']) },
    ...says,
    ...(says.calls === undefined ? {} : { calls: says.calls.map((call, at) => ({ id: idOf(at), ...call })) }),
  };
}

/** How many events the answer has on the wire. */
export function eventCount(api: Api, says: Spoken): number {
  return eventsOf(api, { usage: { input: 1, output: 1, cached: 0 }, ...says }).length;
}

/** The window is full in the middle of an answer, as each server says it. */
function overflowEvent(api: Api): string {
  return api === 'anthropic'
    ? failureEvent(api, 'invalid_request_error', 'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000')
    : failureEvent(api, 'context_length_exceeded', "Your input exceeds the context window of this model's maximum context length.");
}

/** Writes the events one by one, so that each reaches the client by itself. */
async function send(response: ServerResponse, request: StrictRequest, { says, events, end = 'close' }: StrictReply): Promise<void> {
  const all = eventsOf(request.api, spokenBy(request, says));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const event of all.slice(0, events)) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(event, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (end === 'failure') response.end(failureEvent(request.api, request.api === 'anthropic' ? 'overloaded_error' : 'server_error', 'busy'));
  else if (end === 'overflow') response.end(overflowEvent(request.api));
  else if (end === 'close') response.end();
  else if (end === 'cut') response.socket?.destroySoon();
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startStrictServer({ reply, windowTokens }: StrictOptions): Promise<StrictServer> {
  const faults: string[] = [];
  const requests: StrictRequest[] = [];
  let sent = 0;
  const take = (url: string, raw: string, response: ServerResponse) => {
    const [, provider, path] = PATH.exec(url) ?? [];
    const api = APIS[path ?? ''];
    if (api === undefined || provider === undefined) {
      faults.push(`no such address: ${url}`);
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(raw) as Json;
    const fault = faultOf(api, body, provider as ProviderName);
    if (fault !== null) {
      faults.push(`${provider} ${api}: ${fault}`);
      refusal(response, api, fault);
      return;
    }
    const tokens = tokensOf(body);
    if (windowTokens !== undefined && tokens > windowTokens) {
      faults.push(`${provider} ${api}: ${tokens} tokens`);
      refusal(response, api, `prompt is too long: ${tokens} tokens > ${windowTokens} maximum`, 'context_length_exceeded');
      return;
    }
    const request: StrictRequest = { api, provider: provider as ProviderName, body, number: requests.length };
    requests.push(request);
    send(response, request, reply(request)).then(
      () => {
        sent++;
      },
      (thrown: unknown) => response.destroy(thrown as Error),
    );
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => take(request.url ?? '', Buffer.concat(parts).toString('utf8'), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (provider) => `http://127.0.0.1:${port}/${provider}/v1`,
    faults,
    requests,
    sent: () => sent,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** True for a request that wants a summary of the conversation: the only ones without tools. */
export function asksForSummary({ body }: StrictRequest): boolean {
  return body['tools'] === undefined;
}

/** Texts of the results that a request ends with, whatever its protocol. */
export function lastResults({ api, body }: StrictRequest): readonly string[] {
  if (api === 'chat') {
    const messages = objects(body['messages']);
    const from = messages.findLastIndex((message) => message['role'] === 'assistant' && 'tool_calls' in message);
    return messages.slice(from + 1).flatMap((message) => (message['role'] === 'tool' ? [text(message['content'])] : []));
  }
  if (api === 'responses') {
    const items = objects(body['input']);
    const from = items.findLastIndex((item) => item['type'] === 'function_call');
    return items.slice(from + 1).flatMap((item) => (item['type'] === 'function_call_output' ? [text(item['output'])] : []));
  }
  const last = objects(objects(body['messages']).at(-1)?.['content']);
  return last.flatMap((block) => (block['type'] === 'tool_result' ? [text(block['content'])] : []));
}
