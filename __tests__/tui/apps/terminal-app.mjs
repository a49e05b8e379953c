/** A small program on the terminal engine, for the tests that end it in every way there is. */
import { systemClock } from '../../../dist/lib/base/clock.js';
import { createFrames } from '../../../dist/lib/tui/frames.js';
import { openTerminal } from '../../../dist/lib/tui/terminal.js';

const host = {
  argv: [],
  env: process.env,
  cwd: process.cwd(),
  homeDir: '/',
  pid: process.pid,
  platform: process.platform,
  user: 'test',
  hostname: 'test',
  nodeVersion: process.versions.node,
  packageDir: '/',
  version: '0',
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
  on(name, run) {
    process.on(name, run);
    return () => process.removeListener(name, run);
  },
  onStray: () => () => undefined,
  signalSelf: (signal) => process.kill(process.pid, signal),
  exit: (code) => process.exit(code),
  memoryUsage: () => process.memoryUsage(),
  cpuUsage: () => process.cpuUsage(),
};

const terminal = openTerminal(host, { onStop: (code) => setImmediate(() => host.exit(code)) });
let keys = '';
let mostLagMs = 0;
let flooding = false;
let painted = 0;

function draw() {
  painted += 1;
  const text = flooding
    ? Array.from({ length: terminal.size.rows }, (_, y) => `${painted} ${y} `.repeat(40))
    : [`READY pid ${process.pid}`, `size ${terminal.size.cols}x${terminal.size.rows}`, `keys ${keys}`, `lag ${Math.round(mostLagMs)}`];
  const rows = text.map((line) => ({ segments: [{ text: line, style: {} }] }));
  terminal.present({ size: terminal.size, parts: [{ rect: { x: 0, y: 0, ...terminal.size }, rows }], cursor: { x: 2, y: 4, shown: true } });
}

const frames = createFrames({ clock: systemClock, draw, sink: terminal });
frames.request();
terminal.onResize(() => frames.request());
terminal.onInput((event) => {
  keys += event.type === 'key' ? ` ${event.key}` : ` ${event.type}`;
  if (event.type === 'key') act(event.key);
  frames.request();
});

function act(key) {
  if (key === 'q') {
    terminal.close();
    process.exitCode = 0;
  } else if (key === 'x') {
    setImmediate(() => {
      throw new Error('boom');
    });
  } else if (key === 'r') void Promise.reject(new Error('rejected'));
  else if (key === 'C-z') terminal.suspend();
  else if (key === 'f') flood();
}

/** Draws without end and watches how long the event loop was held up; `g` ends it. */
function flood() {
  flooding = true;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    mostLagMs = Math.max(mostLagMs, now - before - 5);
    before = now;
    frames.request();
    if (keys.endsWith('g')) {
      flooding = false;
      clearInterval(timer);
    }
  }, 5);
}
