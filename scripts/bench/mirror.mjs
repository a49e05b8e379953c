/** How fast the output of `yes` is taken in, parsed, and painted. */
import { benchHost, countingPrinter, load, privatePlace, round } from './measure.mjs';

const BYTES = 20_000_000;

export async function measure() {
  const { createTarget } = await load('targets/index.js');
  const { silentLog } = await load('base/log.js');
  const place = privatePlace();
  const target = createTarget({ via: 'tmux', host: await benchHost(place.env), agentName: 'bench', cols: 120, rows: 50, log: silentLog });
  const { printer } = await countingPrinter(120, 50);
  const full = { x: 0, y: 0, cols: 120, rows: 50 };
  let frames = 0;
  target.onEvent((event) => {
    if (event.type !== 'pane.screen') return;
    frames += 1;
    printer.present({ size: full, parts: [{ rect: full, rows: event.screen.rows }], cursor: null });
  });
  const { signal } = new AbortController();
  try {
    await target.start(signal);
    const before = performance.now();
    const outcome = await target.run({ command: `yes | head -c ${BYTES}`, wait: { kind: 'exit' } }, { signal, onChunk: () => undefined });
    const seconds = (performance.now() - before) / 1000;
    if (outcome.kind !== 'exited' || outcome.output.totalBytes < BYTES)
      throw new Error(`yes gave ${JSON.stringify(outcome).slice(0, 300)}`);
    return { 'mirror.yesMBps': round(BYTES / 1e6 / seconds), 'mirror.framesPerSecond': round(frames / seconds) };
  } finally {
    await target.close();
    place.dispose();
  }
}
