/** One instance for the stress run: `node instance.mjs SOCKET COUNT`. Starts, runs COUNT commands, ends; one JSON line tells how it went. */
import { benchHost, load } from '../bench/measure.mjs';

const [socket, count] = process.argv.slice(2);
const { createTarget } = await load('targets/index.js');
const { silentLog } = await load('base/log.js');
const env = { ...process.env, BUDDY_TMUX_SOCKET: socket };
const target = createTarget({ via: 'tmux', host: await benchHost(env), agentName: 'stress', socket, cols: 80, rows: 24, log: silentLog });
const { signal } = new AbortController();
const wrong = [];
try {
  await target.start(signal);
  for (let at = 0; at < Number(count); at++) {
    const word = `${process.pid}-${at}`;
    const outcome = await target.run(
      { command: `echo ${word}; (exit ${at + 3})`, wait: { kind: 'exit' } },
      { signal, onChunk: () => undefined },
    );
    if (outcome.kind !== 'exited' || outcome.exitCode !== at + 3 || outcome.output.text !== `${word}\n`) wrong.push(outcome);
  }
} catch (thrown) {
  wrong.push(String(thrown));
}
await target.close();
process.stdout.write(`${JSON.stringify({ wrong })}\n`);
