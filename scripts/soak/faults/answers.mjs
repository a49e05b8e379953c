/** F6: a provider that answers all wrong, a row for each way. */
import { pause } from '../until.mjs';
import { shell } from '../work.mjs';

/** Longest for a task to end whose model never answers right: its tries, and what it waits between them. */
const ENDS_MS = 150_000;
const head = (response, type = 'text/event-stream') => response.writeHead(200, { 'content-type': type });
const status =
  (code, headers = {}) =>
  ({ response }) =>
    response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: `it is ${code}`, type: 'mock' } }));
const whole =
  (change) =>
  ({ response, events }) =>
    head(response).end(change(events.join('')));

/** `isSound`: the answer is a right one, only unusual. */
const ways = {
  garbage: { wire: ({ response }) => head(response).end(Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256))) },
  html: { wire: ({ response }) => head(response, 'text/html').end('<html><body><h1>Please log in</h1></body></html>') },
  empty: { wire: ({ response }) => head(response).end() },
  half: {
    async wire({ response, events }) {
      head(response).write(events.slice(0, Math.ceil(events.length / 2)).join(''));
      await pause(20);
      response.destroy();
    },
  },
  'cut in arguments': {
    async wire({ response, events }) {
      const all = events.join('');
      head(response).write(all.slice(0, all.indexOf('broken') + 4));
      await pause(20);
      response.destroy();
    },
  },
  // Chat completions say the reason in the last but two; what follows may be missing.
  'no end': { wire: ({ response, events, api }) => head(response).end(events.slice(0, api === 'chat' ? -3 : -2).join('')) },
  bytes: {
    isSound: true,
    async wire({ response, events }) {
      head(response);
      for (const byte of Buffer.from(events.join(''))) {
        response.write(Buffer.from([byte]));
        if (byte > 127) await pause(1);
      }
      response.end();
    },
  },
  bom: { isSound: true, wire: whole((text) => `\ufeff${text}`) },
  crlf: { isSound: true, wire: whole((text) => text.replaceAll('\n', '\r\n')) },
  comments: {
    isSound: true,
    wire: whole((text) => text.replaceAll('\n\n', '\n\n: keep-alive\n\nevent: nobody.knows\ndata: {"type":"nobody.knows"}\n\n')),
  },
  'no blank lines': { wire: whole((text) => text.replaceAll('\n\n', '')) },
  '10 MB line': { wire: ({ response }) => head(response).end(`data: {"x":"${'x'.repeat(10_000_000)}"}\n\n`) },
  slow: {
    async wire({ response, events }) {
      head(response);
      for (const letter of events.join('').slice(0, 4)) {
        response.write(letter);
        await pause(1000);
      }
      response.destroy();
    },
  },
  429: { wire: status(429, { 'retry-after': '1' }) },
  500: { wire: status(500) },
  401: { wire: status(401) },
  redirect: { wire: ({ response }) => response.writeHead(307, { location: '/page' }).end() },
  'no answer': { wire: ({ response }) => response.destroy() },
};

async function wrongAnswers(stage, { wire, isSound = false }) {
  const { random, provider } = stage;
  const times = isSound ? 1 : random.pick([1, 2, Number.POSITIVE_INFINITY]);
  let count = 0;
  const job = stage.plan([]);
  // What is broken off is never asked about: `broken` stands in no question unless the answer was sound.
  const calls = [shell(isSound ? `goodcmd ${job}.1` : `goodcmd broken-${job}`)];
  const steps = [{ text: 'Grüße, 你好 🚀.', calls, wire: (exchange) => (++count > times ? answerRightly(exchange) : wire(exchange)) }];
  provider.plans.set(job, steps);
  const seen = [];
  const watch = setInterval(() => seen.push(stage.question() ?? ''), 50);
  const startedMs = Date.now();
  await stage.ask(job);
  if (isSound) {
    const isDone = await stage.settle(job);
    clearInterval(watch);
    return isDone ? [] : [`a right answer is not understood; it shows:\n${stage.screen()}`];
  }
  await stage.settle(job, ENDS_MS).finally(() => clearInterval(watch));
  const isAsked = seen.some((body) => body.includes(`broken-${job}`));
  stage.tell(`${count} tries, ${Date.now() - startedMs} ms`);
  return isAsked ? ['a call whose answer was broken off was asked about'] : [];
}

/** The try after those that went wrong: no call, so that nothing is asked about. */
function answerRightly({ response, events, api }) {
  if (api === 'chat')
    head(response).end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'It went well at last.' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    );
  else head(response).end(events.join('').replaceAll('goodcmd broken', 'echo whole'));
}

export const faults = Object.entries(ways).map(([how, way]) => ({
  name: `F6 ${how}`,
  says: `provider: ${how}`,
  run: (stage) => wrongAnswers(stage, way),
}));
