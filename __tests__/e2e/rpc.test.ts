/** A client drives a whole session of the built program; another front end follows the same events and ends in the same state. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type RuntimeEventEnvelope } from '../../lib/client/index.js';
import { blankScreen, type Drawing, type RecordedScreen, screenAfter } from '../../lib/modes/recorded-screen.js';
import { type ReadLine, readTraceLine } from '../../lib/runtime/trace-lines.js';
import { settle } from '../../lib/view/app.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import type { ChatRequest } from '../support/chat-server.js';
import { seen, theme } from '../view/support/picture.js';
import { withRpc } from './rpc-home.js';

const drawing: Drawing = { lex: await loadMarkdown(), draw: null, theme, size: { cols: 140, rows: 40 } };

/** A front end that is told the events as they come. */
function frontEnd() {
  let state: State = blankScreen(drawing).state;
  return {
    hear(envelope: RuntimeEventEnvelope) {
      state = settle(reduce(state, { type: 'runtime', envelope })).state;
    },
    state: () => state,
  };
}

/** The same from lines that were kept. */
function replayed(lines: readonly string[]): State {
  let screen: RecordedScreen = blankScreen(drawing);
  for (const text of lines) {
    const line = readTraceLine(text);
    if ('problem' in line) throw new Error(`${line.problem}: ${text}`);
    screen = screenAfter(screen, line as ReadLine, drawing);
  }
  return screen.state;
}

/** All of a state but the memory of what was laid out, which is made of functions. */
const facts = ({ layouts: _, ...rest }: State) => rest;

const recorded = (envelopes: readonly RuntimeEventEnvelope[]) =>
  envelopes.map((envelope) => JSON.stringify({ kind: 'event', ...envelope }));

/** Waits for the file `go`, so that the test says how long it runs. */
const COMMAND = 'until [ -e go ]; do sleep 0.05; done; echo ran-$((6*7)) | tee made';

async function* reply({ prompt, results, messages }: ChatRequest) {
  if (prompt === 'what was it?') yield { content: `There were ${messages.filter(({ role }) => role === 'user').length} words of yours.` };
  else if (results.length === 0 && prompt === 'make it') {
    yield { content: 'I make **it**.' };
    const args = { command: COMMAND, risk: 'low', mutation: true, privesc: false, why: 'you asked' };
    yield { calls: [{ name: 'run_shell', arguments: args }] };
  } else {
    yield { content: 'It is made, and now I think for ever' };
    await new Promise(() => undefined);
  }
}

test('prompt, question, answer, steering, cancel, end; and it goes on in another process', async () => {
  await withRpc(reply, async ({ home, server, start }) => {
    const first = await start();
    const live = frontEnd();
    first.client.onEvent(live.hear);
    for (const envelope of first.envelopes) live.hear(envelope);
    const { session } = first.client.header;
    expect(first.client.header).toMatchObject({ protocol: 1, mode: 'rpc', cwd: home.folder, target: { via: 'tmux' } });
    const { pane } = await first.seen('pane.opened');
    await first.client.request({ type: 'pane.watch', pane });

    const { task } = await first.client.request({ type: 'prompt.submit', text: 'make it' });
    expect(task).toBe('1');
    const { request } = await first.seen('approval.requested');
    expect(request).toMatchObject({ body: COMMAND, tool: 'run_shell', cwd: home.folder });
    expect(await first.client.request({ type: 'state.tell' })).toMatchObject({
      ...{ session, policy: { kind: 'ask' }, approvals: [{ id: request.id }] },
      tasks: [{ task: '1', kind: 'prompt', text: 'make it' }],
      panes: [{ pane, state: { kind: 'idle' } }],
    });
    expect(existsSync(join(home.folder, 'made'))).toBe(false);

    await first.client.request({ type: 'approval.answer', approval: request.id, decision: 'once' });
    await expect(first.client.request({ type: 'approval.answer', approval: request.id, decision: 'once' })).rejects.toMatchObject({
      code: 'rpc.refused',
      message: 'that question has been answered already',
    });
    await first.seen('tool.started');
    await first.client.request({ type: 'prompt.steer', text: 'be quick' });
    writeFileSync(join(home.folder, 'go'), '');
    expect(await first.seen('tool.ended')).toMatchObject({ isError: false, exitCode: 0, text: expect.stringContaining('ran-42') });
    await first.seen('task.steered', (event) => event.text === 'be quick');
    await first.seen('model.text', (event) => event.text.includes('for ever'));
    await first.client.request({ type: 'task.cancel', task: '1' });
    expect(await first.seen('task.ended')).toMatchObject({ task: '1', outcome: 'cancelled' });
    expect(readFileSync(join(home.folder, 'made'), 'utf8')).toBe('ran-42\n');
    expect(await first.client.close()).toEqual({ code: 0, signal: null, messages: '' });
    expect(first.envelopes.map(({ seq }) => seq)).toEqual(first.envelopes.map((_, index) => index + 1));
    expect(first.envelopes.at(-1)?.event).toEqual({ type: 'lifecycle.stopped', kept: false });
    expect(first.envelopes.some(({ event }) => event.type === 'pane.screen')).toBe(true);

    const again = replayed(recorded(first.envelopes));
    expect(facts(again)).toEqual(facts(live.state()));
    expect(seen(again)).toBe(seen(live.state()));
    for (const words of ['make it', 'I make it.', 'be quick', 'It is made']) expect(seen(again)).toContain(words);

    const second = await start({ args: ['--session', session] });
    const later = frontEnd();
    second.client.onEvent(later.hear);
    for (const envelope of second.envelopes) later.hear(envelope);
    const { past } = await second.seen('session.resumed', (event) => event.session === session);
    expect(past.map(({ event }) => event.type)).toContain('task.steered');
    await second.client.request({ type: 'prompt.submit', text: 'what was it?' });
    await second.seen('task.ended', (event) => event.outcome === 'completed');
    const said = server.seen
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ content }) => content);
    expect(said).toEqual(['make it', 'be quick', 'what was it?']);
    expect(await second.client.close()).toMatchObject({ code: 0 });
    const whole = replayed(recorded(second.envelopes));
    expect(facts(whole)).toEqual(facts(later.state()));
    expect(seen(whole)).toBe(seen(later.state()));
    for (const words of ['make it', 'be quick', 'There were 3 words of yours.']) expect(seen(whole)).toContain(words);
  });
}, 60_000);

test('events one after the other, until the end; what is asked after it is refused', async () => {
  await withRpc(reply, async ({ home }) => {
    const client = await connect({ args: ['--direct'], cwd: home.folder, env: home.env });
    const types: string[] = [];
    for await (const { event } of client.events()) {
      types.push(event.type);
      if (event.type === 'lifecycle.started') await client.request({ type: 'prompt.submit', text: 'what was it?' });
      if (event.type === 'task.ended') void client.close();
    }
    expect(types.slice(-3)).toEqual(['task.ended', 'lifecycle.stopping', 'lifecycle.stopped']);
    await expect(client.request({ type: 'session.new' })).rejects.toMatchObject({ code: 'client.ended' });
  });
});

test('keys that the program knows are masked in events and in replies', async () => {
  const tells = () => [{ content: 'The key is key-for-tests-only.' }];
  await withRpc(tells, async ({ start }) => {
    const { client, envelopes, seen: comes } = await start({ args: ['--direct'] });
    await client.request({ type: 'prompt.submit', text: 'what is it?' });
    await comes('task.ended');
    const refused = client.request({ type: 'model.switch', profile: 'key-for-tests-only' });
    await expect(refused).rejects.toMatchObject({ code: 'rpc.refused', message: expect.stringContaining('there is no model profile') });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('key-for-tests-only') });
    expect(JSON.stringify(envelopes)).toContain('The key is');
    expect(JSON.stringify(envelopes)).not.toContain('key-for-tests-only');
  });
});

test('a signal ends what was started; a start that fails says why', async () => {
  await withRpc(reply, async ({ home, start }) => {
    const stop = new AbortController();
    const { client } = await start({ args: ['--direct'], signal: stop.signal });
    stop.abort();
    expect(await client.ended).toMatchObject({ code: 0 });
    await expect(start({ args: ['--session', 'nosuch'] })).rejects.toMatchObject({
      code: 'client.start',
      message: expect.stringMatching(/exit code 2: buddy-tui: .*nosuch/),
    });
    await expect(start({ command: [join(home.folder, 'missing')] })).rejects.toMatchObject({
      code: 'client.start',
      message: expect.stringContaining('ENOENT'),
    });
    await expect(start({ command: ['/bin/echo', 'hello'] })).rejects.toMatchObject({ code: 'client.protocol' });
  });
});
