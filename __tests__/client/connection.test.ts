/** The client by itself, against a program that answers as it is told. */

import { type BuddyClient, connect } from '../../lib/client/index.js';

/** Says its header, then one event and an answer for each line that it hears. */
const PROGRAM = `
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
say({ seq: 0, tsMs: 0, event: { type: 'stream.header', protocol: 1 } });
let seq = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, type } = JSON.parse(line);
  say({ seq: ++seq, tsMs: 0, event: { type: 'notice', message: 'heard' } });
  say({ type: 'response', id, command: type, ok: true });
});
`;

let client: BuddyClient | null = null;
afterEach(async () => {
  await client?.close();
  client = null;
});

const started = async () => {
  client = await connect({ command: [process.execPath, '-e', PROGRAM, '--'] });
  return client;
};

test('a listener that throws takes nothing from the others, and what it throws is heard of', async () => {
  const client = await started();
  const heard: string[] = [];
  const alone: (() => void)[] = [];
  const { queueMicrotask } = globalThis;
  globalThis.queueMicrotask = (run) => alone.push(run);
  try {
    client.onEvent(() => {
      throw new Error('mine');
    });
    client.onEvent(({ event }) => heard.push(event.type));
    await client.request({ type: 'limits.tell' });
    await client.request({ type: 'limits.tell' });
  } finally {
    globalThis.queueMicrotask = queueMicrotask;
  }
  expect(heard).toEqual(['notice', 'notice']);
  expect(alone).toHaveLength(2);
  for (const run of alone) expect(run).toThrow('mine');
});

test('what is longer than a line may be, or is no JSON, is refused here: nobody could answer it', async () => {
  const client = await started();
  const text = 'x'.repeat(17 * 1024 * 1024);
  await expect(client.request({ type: 'prompt.submit', text })).rejects.toMatchObject({ code: 'rpc.line' });
  expect(() => client.send({ type: 'prompt.submit', text })).toThrow('no longer than 16 MiB');
  const circle: Record<string, unknown> = { type: 'limits.tell' };
  circle['self'] = circle;
  await expect(client.request(circle as never)).rejects.toThrow(TypeError);
  await expect(client.request({ type: 'limits.tell' })).resolves.toEqual({ task: null });
});
