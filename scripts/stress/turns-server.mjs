/** A chat completions server whose model, told `turn N`, has `echo N >>ran` run and then says `done N.`, with pauses to be killed in. */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Starts it on a free port. `at(point)` is told where an answer is: `call`, `stream`, `last`. `wrong` takes what no server would accept. */
export async function startTurnsServer({ random, at, wrong }) {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => answer(response, JSON.parse(Buffer.concat(parts).toString('utf8')).messages).catch(() => response.destroy()));
  });

  async function answer(response, messages) {
    const problem = unpaired(messages);
    if (problem !== null) wrong(problem);
    const from = messages.findLastIndex(({ role, content }) => role === 'user' && /^turn \d+$/.test(content));
    const turn = /\d+/.exec(messages[from]?.content ?? '')?.[0] ?? '0';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const put = (delta, finish = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      response.write(`data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`);
    };
    const result = messages.slice(from + 1).find(({ role }) => role === 'tool');
    const isCalled = result !== undefined;
    // What could not run is no turn that was done.
    const word = isCalled && !/"exit_code":0/.test(result.content) ? ['fail', 'ed'] : ['do', 'ne'];
    if (isCalled) {
      at('stream');
      for (const text of [...word, ` ${turn}`, '.']) {
        put({ role: 'assistant', content: text });
        await pause(random() * 30);
      }
      at('last');
      put({}, 'stop');
    } else {
      put({ role: 'assistant', content: `I do ${turn}.` });
      await pause(random() * 30);
      const args = { command: `echo ${turn} >>ran`, risk: 'low', mutation: true, privesc: false, why: 'to count' };
      at('call');
      const call = { index: 0, id: `call-${turn}`, type: 'function', function: { name: 'run_shell', arguments: JSON.stringify(args) } };
      put({ tool_calls: [call] });
      put({}, 'tool_calls');
    }
    response.end('data: [DONE]\n\n');
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Every call has its result right behind it, and every result its call. */
function unpaired(messages) {
  let open = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return `a result without its call: ${message.tool_call_id}`;
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (open.length > 0) return `calls without results: ${open.join(', ')}`;
    if (message.role === 'assistant') open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return open.length > 0 ? `calls without results: ${open.join(', ')}` : null;
}
