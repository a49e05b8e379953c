/**
 * A model server on loopback, in all three protocols, whose model follows plans: a prompt that says `do job N` is answered with the steps of
 * plan N, one for each request, and at last with `job N is done.` A step may say how its answer goes wrong. It serves a page, and renews logins, as well.
 */
import { createServer } from 'node:http';
import { eventsOf } from './wire.mjs';

const PATHS = {
  '/chat/v1/chat/completions': 'chat',
  '/responses/v1/responses': 'responses',
  '/anthropic/v1/messages': 'anthropic',
  '/backend/responses': 'responses',
};
const PAGE = '<!doctype html><title>A page</title><article><h1>A page</h1><p>It says nothing of interest, but enough of it.</p></article>';
/** How the program begins what it tells of the terminal. */
const TERMINAL = '<terminal-now';

/** What a message says as text; of results nothing. */
const textOf = ({ content }) =>
  Array.isArray(content)
    ? content.flatMap((block) => (typeof block.text === 'string' ? [block.text] : [])).join('\n')
    : String(content ?? '');
const hasResult = ({ role, type, content }) =>
  role === 'tool' || type === 'function_call_output' || (Array.isArray(content) && content.some((block) => block.type === 'tool_result'));

/** The job that a request is about and how many rounds of calls it has had; `job` is 0 when it is about none. */
function placeOf(body) {
  const messages = body.messages ?? body.input ?? [];
  const jobIn = (message) => (message.role === 'user' ? Number([...textOf(message).matchAll(/\bdo job (\d+)\b/g)].at(-1)?.[1] ?? 0) : 0);
  const at = messages.findLastIndex((message) => jobIn(message) > 0 && !textOf(message).startsWith(TERMINAL));
  if (at < 0) return { job: 0, step: 0 };
  const after = messages.slice(at + 1);
  return { job: jobIn(messages[at]), step: after.filter((each, index) => hasResult(each) && !hasResult(after[index - 1] ?? {})).length };
}

/** What an issuer of logins gives for a refresh token. */
function tokens(number) {
  const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const jwt = `${part({ alg: 'none' })}.${part({ number, 'https://api.openai.com/auth': { chatgpt_account_id: 'soak' } })}.sig`;
  return { access_token: jwt, id_token: jwt, refresh_token: `refresh-${number}`, expires_in: 3600 };
}

/** Starts it on a free port. */
export async function startProvider() {
  const plans = new Map();
  const log = [];
  let answers = 0;
  let visits = 0;
  let renewals = 0;

  async function answer(api, body, response) {
    const number = ++answers;
    const { job, step } = placeOf(body);
    const isSummary = body.tools === undefined;
    log.push({ atMs: Date.now(), number, api, job, step, isSummary, messages: (body.messages ?? body.input ?? []).length });
    const planned = isSummary ? undefined : plans.get(job)?.[step];
    const said = planned ?? { text: isSummary ? 'Summary: jobs were done, all was well.' : `job ${job} is done.` };
    const prefix = api === 'anthropic' ? 'toolu_' : 'call_';
    const calls = (said.calls ?? []).map(({ name, args }, at) => ({ id: `${prefix}${number}x${at}`, name, args: JSON.stringify(args) }));
    const events = eventsOf(api, { text: said.text ?? '', reasoning: said.reasoning ?? '', calls }, number);
    if (said.wire !== undefined) return said.wire({ api, response, events, number });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      if (response.destroyed) return;
      response.write(event);
      await new Promise((resolve) => setTimeout(resolve, said.pauseMs ?? 0));
    }
    response.end();
  }

  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.on('error', () => undefined);
      const api = PATHS[request.url];
      if (request.url === '/oauth/token') {
        renewals += 1;
        setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens(renewals))), 300);
        return;
      }
      if (request.url === '/page') visits += 1;
      if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      else if (api === undefined) response.writeHead(404).end();
      else answer(api, JSON.parse(Buffer.concat(parts).toString('utf8')), response).catch((thrown) => response.destroy(thrown));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    port,
    /** Steps of each job. */
    plans,
    /** Every request. */
    log,
    /** How often the page was asked for, and a login renewed. */
    visits: () => visits,
    renewals: () => renewals,
    requestsOf: (job) => log.filter((entry) => entry.job === job).length,
    baseUrl: (api) => `http://127.0.0.1:${port}/${api}/v1`,
    pageUrl: `http://127.0.0.1:${port}/page`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
