/** A local server of the Responses API that keeps answers as the real one does, and refuses what the real one refuses. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventsOf, type Spoken } from './spoken.js';

type Json = Readonly<Record<string, unknown>>;

/** A request, and the conversation that it amounts to with what the server keeps. */
export interface StoredRequest {
  readonly body: Json;
  readonly input: readonly Json[];
  /** All items behind it: kept ones first. */
  readonly whole: readonly Json[];
}

export interface StoringServer {
  readonly baseUrl: string;
  /** Those that were answered. */
  readonly seen: readonly StoredRequest[];
  /** Words of the refusals. */
  readonly refusals: readonly string[];
  /** What is answered, in order; the last one again when there are no more. */
  script(...answers: readonly Spoken[]): void;
  /** As after thirty days. */
  forget(): void;
  close(): Promise<void>;
}

/** How this server differs. `refuse`: the answer to any request that wants something kept. */
export interface StoringWays {
  readonly unknownId?: (id: string) => { readonly status: number; readonly error: Json };
  readonly refuse?: { readonly status: number; readonly body: Json };
}

const openAiUnknown: NonNullable<StoringWays['unknownId']> = (id) => ({
  status: 400,
  error: {
    message: `Previous response with id '${id}' not found.`,
    type: 'invalid_request_error',
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  },
});

/** What is wrong with a conversation, or null: calls and outputs must be pairs. */
function faultOf(whole: readonly Json[]): string | null {
  const open = new Set<unknown>();
  const seen = new Set<unknown>();
  for (const item of whole) {
    const id = item['call_id'];
    if (item['type'] === 'function_call') {
      if (seen.has(id)) return `Duplicate item found with call_id ${String(id)}`;
      seen.add(id);
      open.add(id);
    } else if (item['type'] === 'function_call_output' && !open.delete(id))
      return `No tool call found for function call output with call_id ${String(id)}.`;
  }
  return open.size === 0 ? null : `No tool output found for function call ${[...open].join(', ')}.`;
}

/** Starts it on a free port. */
export async function startStoringServer({ unknownId = openAiUnknown, refuse }: StoringWays = {}): Promise<StoringServer> {
  const kept = new Map<string, readonly Json[]>();
  const seen: StoredRequest[] = [];
  const refusals: string[] = [];
  const waiting: Spoken[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Json;
      const refusal = (status: number, error: Json) => {
        refusals.push(String(error['message']));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      };
      if (refuse !== undefined && (body['store'] === true || 'previous_response_id' in body)) {
        refusals.push(JSON.stringify(refuse.body));
        response.writeHead(refuse.status, { 'content-type': 'application/json' }).end(JSON.stringify(refuse.body));
        return;
      }
      const previous = body['previous_response_id'] as string | undefined;
      const before = previous === undefined ? [] : kept.get(previous);
      if (before === undefined) {
        const { status, error } = unknownId(previous ?? '');
        return refusal(status, error);
      }
      const input = body['input'] as readonly Json[];
      const whole = [...before, ...input];
      const fault = input.length === 0 ? 'Missing required parameter: input' : faultOf(whole);
      if (fault !== null) return refusal(400, { message: fault, type: 'invalid_request_error', param: 'input', code: null });
      seen.push({ body, input, whole });
      const spoken = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? { text: ['so'] };
      const id = `resp_${++count}`;
      const events = eventsOf('responses', spoken).map((event) => {
        const json = JSON.parse(event.slice('data: '.length)) as Json;
        return 'response' in json ? { ...json, response: { ...(json['response'] as Json), id } } : json;
      });
      const output = ((events.at(-1) as Json)['response'] as Json)['output'] as readonly Json[];
      if (body['store'] === true) kept.set(id, [...whole, ...output]);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    refusals,
    script: (...answers) => {
      waiting.splice(0, waiting.length, ...answers);
    },
    forget: () => kept.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
