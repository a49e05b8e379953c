/** How fast the output of `yes` is parsed and painted, and how fast it comes through tmux (whose own limit is 4 to 7 MB/s). */
import { benchHost, countingPrinter, load, privatePlace, round } from './measure.mjs';

const BYTES = 20_000_000;

/** The mirror by itself: bytes of `yes` in pieces, each parsed before the next is given, painted at its own pace (30 a second). */
async function parsedAndDrawn() {
  const { loadEmulator } = await load('targets/terminal-emulator.js');
  const { PaneMirror } = await load('targets/tmux/mirror.js');
  const { systemClock } = await load('base/clock.js');
  const { printer } = await countingPrinter(120, 50);
  const full = { x: 0, y: 0, cols: 120, rows: 50 };
  const terminal = (await loadEmulator()).create(120, 50, 0);
  let parsed = () => undefined;
  const write = terminal.write.bind(terminal);
  terminal.write = (bytes, done) =>
    write(bytes, () => {
      done?.();
      parsed();
    });
  const onScreen = (screen) => printer.present({ size: full, parts: [{ rect: full, rows: screen.rows }], cursor: null });
  const mirror = new PaneMirror(terminal, systemClock, onScreen, () => undefined);
  const piece = Buffer.from('y\r\n'.repeat(100_000));
  const before = performance.now();
  for (let fed = 0; fed < BYTES; fed += piece.length) {
    await new Promise((resolve) => {
      parsed = () => resolve(undefined);
      mirror.feed(piece);
    });
  }
  const seconds = (performance.now() - before) / 1000;
  mirror.dispose();
  return BYTES / 1e6 / seconds;
}

export async function measure() {
  const { createTarget } = await load('targets/index.js');
  const { silentLog } = await load('base/log.js');
  const place = privatePlace();
  const target = createTarget({ via: 'tmux', host: await benchHost(place.env), agentName: 'bench', cols: 120, rows: 50, log: silentLog });
  const { printer } = await countingPrinter(120, 50);
  const full = { x: 0, y: 0, cols: 120, rows: 50 };
  target.onEvent((event) => {
    if (event.type !== 'pane.screen') return;
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
    return { 'mirror.yesMBps': round(await parsedAndDrawn()), 'mirror.throughTmuxMBps': round(BYTES / 1e6 / seconds) };
  } finally {
    await target.close();
    place.dispose();
  }
}
