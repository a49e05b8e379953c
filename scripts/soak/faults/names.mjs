/** F5: a name server that is slow, silent or lies. The program has a resolv.conf of its own in a mount namespace. */
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { pause, until } from '../until.mjs';

// Another one for each soak: several may run at a time.
const ADDRESS = `127.9.${(process.pid >> 8) & 255}.${process.pid & 255}`;
/** A page takes at most 20 seconds, by the settings. */
const ENDS_MS = 30_000;
/** A key must be seen within this time meanwhile: a fifth of a second on an idle machine. */
const ECHO_MS = 1000;
const open = { server: null };

/** The answer to a question: an address of type A, or none of that type. */
function answerTo(question, address) {
  const end = question.indexOf(0, 12) + 5;
  const isA = question.readUInt16BE(end - 4) === 1;
  const header = Buffer.from([question[0], question[1], 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address]);
  return Buffer.concat([header, question.subarray(12, end), ...(isA ? [record] : [])]);
}

const ways = {
  silent: () => null,
  slow: () => ({ address: [10, 0, 0, 1], afterMs: 6000 }),
  private: () => ({ address: [127, 0, 0, 1], afterMs: 0 }),
  flipping: (count) => ({ address: count % 2 === 0 ? [127, 0, 0, 1] : [169, 254, 169, 254], afterMs: 0 }),
};

async function prepare(stage) {
  const way = ways[stage.random.pick(Object.keys(ways))];
  let count = 0;
  open.server = createSocket('udp4');
  open.server.on('message', (question, { port, address: from }) => {
    const told = way(count++);
    if (told === null) return;
    setTimeout(() => open.server?.send(answerTo(question, told.address), port, from), told.afterMs);
  });
  open.server.bind(53, ADDRESS);
  await once(open.server, 'listening');
  const file = stage.place.at('resolv.conf');
  writeFileSync(file, `nameserver ${ADDRESS}\n`);
  stage.always = { ...stage.always, front: `unshare -m sh -c 'mount --bind ${file} /etc/resolv.conf && exec "$@"' sh` };
}

async function unnamed(stage) {
  const { port, visits } = stage.provider;
  const before = visits();
  const url = (at) => `http://name-${at}.example:${port}/page`;
  const calls = [1, 2, 3].map((at) => ({ name: 'fetch_url', args: { url: url(at), why: 'to read it' } }));
  const job = stage.plan([{ calls }]);
  await stage.ask(job);
  const settled = stage.settle(job, ENDS_MS * 2).catch((thrown) => thrown);
  const wrong = [];
  for (let key = 0; key < 5; key++) {
    const startedMs = Date.now();
    stage.send('§');
    await until('the key is seen', () => stage.screen().includes('§'), 5000).catch(() => undefined);
    if (Date.now() - startedMs > ECHO_MS) wrong.push(`a key was seen after ${Date.now() - startedMs} ms`);
    stage.send('\x7f');
    await until('it is gone', () => !stage.screen().includes('§'), 5000).catch(() => undefined);
    await pause(300);
  }
  const ended = await settled;
  if (ended instanceof Error) wrong.push(ended.message);
  if (visits() !== before) wrong.push('a name led to this machine');
  return wrong;
}

function impossible() {
  const { status } = spawnSync('unshare', ['-m', 'true']);
  return status === 0 ? null : 'no mount namespace can be made';
}

function close() {
  open.server?.close();
  open.server = null;
}

export const faults = [{ name: 'F5', says: 'names: silent, slow, private, flipping', prepare, close, impossible, run: unnamed }];
