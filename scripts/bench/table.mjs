/**
 * 300 kB of streamed markdown with a table of 2 000 rows, at 120×40: whether its second half costs as much as its first, and how long a key
 * waits for its picture at worst (the piece of text that came at the same moment, the key, and a whole frame).
 */
import { countingPrinter, feeder, freshState, load, round } from './measure.mjs';

const ROWS = 2000;
const PIECE = 60;
/** A key is pressed with every so many pieces. */
const KEY_EVERY = 5;

/** Prose, the table, and as much prose: both halves are alike. */
function markdown() {
  const prose = Array.from(
    { length: 690 },
    (_, n) => `Paragraph ${n} says **little** of \`/var/log\`, and goes on a bit so that it wraps.\n\n`,
  );
  const rows = Array.from(
    { length: ROWS },
    (_, n) =>
      `| host-${n}.example.org | ${n * 7} MB | **${n % 3 === 0 ? 'full' : 'fine'}** | \`/srv/data/${n}\` and some words besides them |\n`,
  );
  const middle = ['\n| host | size | state | folder |\n|---|--:|---|---|\n', ...rows, '\n'];
  return [...prose, ...middle, ...prose].join('');
}

export async function measure() {
  const { createComposer } = await load('view/compose.js');
  const { handleInput } = await load('view/app.js');
  const { printer } = await countingPrinter(120, 40);
  const compose = createComposer();
  const feed = await feeder();
  const text = markdown();
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, n) => text.slice(n * PIECE, (n + 1) * PIECE));
  let state = feed(await freshState(120, 40), { type: 'task.started', task: '1', kind: 'prompt', text: 'list', pane: null });
  // The program has shown something long before.
  printer.present(compose(state));
  const halves = [0, 0];
  let worstMs = 0;
  let usage = process.cpuUsage();
  for (const [n, piece] of pieces.entries()) {
    const began = performance.now();
    state = feed(state, { type: 'model.text', task: '1', text: piece });
    if (n % KEY_EVERY === 0) {
      state = handleInput(state, { type: 'key', key: 'x', text: 'x' }, state.nowMs).state;
      printer.present(compose(state));
      worstMs = Math.max(worstMs, performance.now() - began);
    }
    if (n === Math.floor(pieces.length / 2) || n === pieces.length - 1) {
      const { user, system } = process.cpuUsage(usage);
      halves[n === pieces.length - 1 ? 1 : 0] = (user + system) / 1000;
      usage = process.cpuUsage();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    'table.kB': round(text.length / 1000),
    'table.firstHalf.cpuMs': round(halves[0]),
    'table.secondHalf.cpuMs': round(halves[1]),
    'table.ratio': round(halves[1] / halves[0]),
    'table.echoMaxMs': round(worstMs),
  };
}
