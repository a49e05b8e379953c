/** 5 000 markdown deltas, as fast as they come, through the state, the layout and the printer at 120×40. */
import { countingPrinter, feeder, freshState, load, round } from './measure.mjs';

const DELTAS = 5000;
const words = [
  'The ',
  '**disk** ',
  'is `full`',
  ', so ',
  'look at\n',
  '- `/var/log`: ',
  '14 GB\n',
  '\n## Next\n\n',
  'run ',
  '```sh\ndu -xh\n```\n',
  'and then. ',
];

export async function measure() {
  const { createComposer } = await load('view/compose.js');
  const { createFrames } = await load('tui/frames.js');
  const { systemClock } = await load('base/clock.js');
  const { printer } = await countingPrinter(120, 40);
  const compose = createComposer();
  const feed = await feeder();
  let state = feed(await freshState(120, 40), { type: 'task.started', task: '1', kind: 'prompt', text: 'why?', pane: null });
  let drawn = 0;
  const draw = () => {
    drawn += 1;
    printer.present(compose(state));
  };
  const frames = createFrames({ clock: systemClock, draw, sink: { busy: false, onDrain: () => ({ dispose: () => undefined }) } });
  let mostLagMs = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  let last = began;
  for (let n = 0; n < DELTAS; n++) {
    state = feed(state, { type: 'model.text', task: '1', text: words[(n * 7 + Math.floor(n / 11)) % words.length] });
    frames.request();
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    mostLagMs = Math.max(mostLagMs, now - last);
    last = now;
  }
  draw();
  const { user, system } = process.cpuUsage(before);
  frames.dispose();
  return {
    'stream.5000.cpuMs': round((user + system) / 1000),
    'stream.5000.wallMs': round(last - began),
    'stream.5000.lagMs': round(mostLagMs),
    'stream.5000.frames': drawn,
  };
}
