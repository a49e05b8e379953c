/** What a command costs here, over ssh and in a container: `true` in a real tmux pane, and the output of a long one with the memory it takes. */
import { benchHost, load, privatePlace, quantile, round } from './measure.mjs';
import { startContainer, startSshd } from './servers.mjs';

const CALLS = 200;
const WARM_UP = 10;
const BYTES = 100_000_000;
const CONNECT_S = 10;

const say = (sentence) => process.stderr.write(`bench: ${sentence}\n`);

/** `place.<name>.trueP50Ms`, `trueP99Ms`, `throughputMBps`, `rssBeforeMB`, `rssAfterMB`. */
async function measureAt(name, request, env) {
  const { connectPlace, createTarget } = await load('targets/index.js');
  const { silentLog } = await load('base/log.js');
  const here = privatePlace();
  const host = await benchHost({ ...here.env, ...env });
  const { signal } = new AbortController();
  let target = null;
  try {
    const place = await connectPlace({ host, log: silentLog, connectTimeoutS: CONNECT_S, engine: 'podman', ...request }, null, signal);
    const where = place === null ? {} : { place };
    target = createTarget({ via: 'tmux', host, ...where, agentName: 'bench', cols: 120, rows: 40, log: silentLog, mirror: false });
    await target.start(signal);
    const run = (command) => target.run({ command, wait: { kind: 'exit' } }, { signal, onChunk: () => undefined });
    const times = [];
    for (let call = 0; call < WARM_UP + CALLS; call++) {
      const began = performance.now();
      const outcome = await run('true');
      if (outcome.kind !== 'exited' || outcome.exitCode !== 0) throw new Error(`true gave ${JSON.stringify(outcome)}`);
      if (call >= WARM_UP) times.push(performance.now() - began);
    }
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const long = await run(`yes 0123456789abcdef | head -c ${BYTES}`);
    const seconds = (performance.now() - began) / 1000;
    if (long.kind !== 'exited' || long.output.totalBytes < BYTES) throw new Error(`yes gave ${JSON.stringify(long).slice(0, 300)}`);
    return {
      [`place.${name}.trueP50Ms`]: round(quantile(times, 0.5)),
      [`place.${name}.trueP99Ms`]: round(quantile(times, 0.99)),
      [`place.${name}.throughputMBps`]: round(BYTES / 1e6 / seconds),
      [`place.${name}.rssBeforeMB`]: round(before / 1e6),
      [`place.${name}.rssAfterMB`]: round(process.memoryUsage().rss / 1e6),
    };
  } finally {
    await target?.close();
    here.dispose();
  }
}

export async function measure() {
  const rows = await measureAt('local', {}, {});
  const sshd = await startSshd();
  if (sshd === null) say('no ssh here (openssh-server and openssh-client are needed): its rows are left out');
  else {
    try {
      Object.assign(rows, await measureAt('ssh', { ssh: sshd.destination }, { PATH: sshd.path }));
    } finally {
      sshd.close();
    }
  }
  const container = startContainer();
  if (container === null) say('no containers can be run here (podman, runc and busybox are needed): their rows are left out');
  else {
    try {
      Object.assign(rows, await measureAt('container', { container: container.name }, container.env));
    } finally {
      container.close();
    }
  }
  return rows;
}
