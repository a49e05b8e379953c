/** `true` in the managed pane, against a bare spawn and against send-keys with polling every 50 ms; all in the same loop. */
import { execFileSync, spawn } from 'node:child_process';
import { benchHost, load, pause, privatePlace, quantile, round } from './measure.mjs';

const ROUNDS = 20;
const OURS_PER_ROUND = 15;
const POLL_MS = 50;

export async function measure() {
  const { createTarget } = await load('targets/index.js');
  const { silentLog } = await load('base/log.js');
  const place = privatePlace();
  const host = await benchHost(place.env);
  const target = createTarget({ via: 'tmux', host, agentName: 'bench', cols: 120, rows: 40, log: silentLog });
  const { signal } = new AbortController();
  const polled = ['-L', 'polled', '-f', '/dev/null'];
  const tmux = (...args) => execFileSync('tmux', [...polled, ...args], { env: place.env, encoding: 'utf8' });
  const ours = [];
  const spawned = [];
  const polling = [];
  try {
    await target.start(signal);
    tmux('new-session', '-d', '-s', 'polled', '-x', '120', '-y', '40', 'bash --norc --noprofile');
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (let call = 0; call < OURS_PER_ROUND; call++) {
        const before = performance.now();
        const outcome = await target.run({ command: 'true', wait: { kind: 'exit' } }, { signal, onChunk: () => undefined });
        ours.push(performance.now() - before);
        if (outcome.kind !== 'exited' || outcome.exitCode !== 0) throw new Error(`true gave ${JSON.stringify(outcome)}`);
        const began = performance.now();
        await new Promise((resolve) =>
          spawn('sh', ['-c', 'true'], { env: place.env, stdio: ['ignore', 'pipe', 'pipe'] }).once('close', resolve),
        );
        spawned.push(performance.now() - began);
      }
      const before = performance.now();
      tmux('send-keys', '-t', 'polled', `clear; true; echo done-$?-${turn}`, 'Enter');
      do await pause(POLL_MS);
      while (
        !tmux('capture-pane', '-p', '-t', 'polled').includes(`\ndone-0-${turn}`) &&
        !tmux('capture-pane', '-p', '-t', 'polled').startsWith(`done-0-${turn}`)
      );
      polling.push(performance.now() - before);
    }
  } finally {
    await target.close();
    try {
      tmux('kill-server');
    } catch {
      // It ended by itself.
    }
    place.dispose();
  }
  const p50 = quantile(ours, 0.5);
  return {
    'runShell.p50Ms': round(p50),
    'runShell.p99Ms': round(quantile(ours, 0.99)),
    'runShell.spawnP50Ms': round(quantile(spawned, 0.5)),
    'runShell.pollingP50Ms': round(quantile(polling, 0.5)),
    'runShell.vsPolling': round(quantile(polling, 0.5) / p50),
    'runShell.vsSpawn': round(p50 / quantile(spawned, 0.5)),
  };
}
