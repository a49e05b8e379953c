/**
 * How fast the output of `yes` is parsed and painted; how fast it and lines of 100 characters come through tmux (whose own limit is
 * 4 to 7 MB/s); and how much memory 100 MB of them take.
 */
import { benchHost, countingPrinter, load, privatePlace, round } from './measure.mjs';

/** Of `yes`; a terminal gets half as many more, its line ends. */
const BYTES = 20_000_000;
const LONG_BYTES = 100_000_000;

/** The mirror by itself: bytes of `yes` in pieces, each parsed before the next is given, painted at its own pace (30 a second). */
async function parsedAndDrawn() {
  const { loadEmulator } = await load('targets/terminal-emulator.js');
  const { PaneMirror } = await load('targets/tmux/mirror.js');
  const { systemClock } = await load('base/clock.js');
  const { printer } = await countingPrinter(120, 50);
  const full = { x: 0, y: 0, cols: 120, rows: 50 };
  const emulators = await loadEmulator();
  let parsed = () => undefined;
  const create = () => {
    const terminal = emulators.create(120, 50, 0);
    const write = terminal.write.bind(terminal);
    terminal.write = (bytes, done) =>
      write(bytes, () => {
        done?.();
        parsed();
      });
    return terminal;
  };
  const onScreen = (screen) => printer.present({ size: full, parts: [{ rect: full, rows: screen.rows }], cursor: null });
  const mirror = new PaneMirror(create, systemClock, onScreen, () => undefined);
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

/** What a command gives through the pane: megabytes a second, and how far the resident memory rose meanwhile (MB). */
async function throughTmux(target, command, bytes) {
  const { signal } = new AbortController();
  const residentBefore = process.memoryUsage().rss;
  let highest = residentBefore;
  const looking = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 20);
  const before = performance.now();
  const outcome = await target.run({ command, wait: { kind: 'exit' } }, { signal, onChunk: () => undefined });
  const seconds = (performance.now() - before) / 1000;
  clearInterval(looking);
  if (outcome.kind !== 'exited' || outcome.output.totalBytes < bytes)
    throw new Error(`${command} gave ${JSON.stringify(outcome).slice(0, 300)}`);
  return { rate: bytes / 1e6 / seconds, grownMB: (highest - residentBefore) / 1e6 };
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
  try {
    await target.start(new AbortController().signal);
    const yes = await throughTmux(target, `yes | head -c ${BYTES}`, BYTES);
    const lines = await throughTmux(target, `head -c ${LONG_BYTES} /dev/zero | tr '\\0' x | fold -w 100`, LONG_BYTES);
    return {
      'mirror.yesMBps': round(await parsedAndDrawn()),
      'mirror.throughTmuxMBps': round(yes.rate),
      'mirror.linesThroughTmuxMBps': round(lines.rate),
      'mirror.100MBGrowthMB': round(lines.grownMB),
    };
  } finally {
    await target.close();
    place.dispose();
  }
}
