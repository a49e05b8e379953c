/** What the benchmarks share: figures, the compiled modules, a private place for a whole program. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A module of the build, by its path under lib/. */
export function load(path) {
  return import(pathToFileURL(join(root, 'dist', 'lib', path)).href);
}

/** Rounded to three places that mean something. */
export function round(value) {
  return Number(value.toPrecision(3));
}

/** The value below which the `part` (0–1) of `values` lies. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

/** CPU milliseconds of this process per call: the best of five batches, which says what the code costs on a busy machine too. */
export function cpuMs(calls, run) {
  const batches = [];
  for (let batch = 0; batch < 6; batch++) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) run(call);
    const { user, system } = process.cpuUsage(before);
    batches.push((user + system) / 1000 / calls);
  }
  return Math.min(...batches.slice(1));
}

/** The dashboard's state at `cols`×`rows` with the theme `terminal`. */
export async function freshState(cols, rows) {
  const { initialState } = await load('view/state.js');
  const { parseTheme } = await load('view/theme.js');
  const { lexer } = await import('marked');
  const theme = parseTheme(readFileSync(join(root, 'themes', 'terminal.json'), 'utf8'));
  return initialState({ size: { cols, rows }, theme, version: '0', nowMs: 0, lex: (text) => lexer(text) });
}

/** A function that puts events into a state, as the runtime would. */
export async function feeder() {
  const { reduce } = await load('view/reducer.js');
  let seq = 0;
  return (state, event) => {
    seq += 1;
    return reduce(state, { type: 'runtime', envelope: { seq, tsMs: seq, event } });
  };
}

/** `state` after a conversation of about `lines` lines. */
export async function withLines(state, lines) {
  const feed = await feeder();
  const perAnswer = 100;
  let next = state;
  for (let answer = 0; answer * perAnswer < lines; answer++) {
    const task = String(answer + 1);
    const text = Array.from({ length: perAnswer }, (_, n) => `- line **${n}** of answer ${answer}: \`/var/log\` is filling up`).join('\n');
    next = feed(next, { type: 'task.started', task, kind: 'prompt', text: `question ${answer}`, pane: null });
    next = feed(next, { type: 'model.text', task, text });
    const message = { role: 'assistant', text, reasoning: '', calls: [], extras: {}, incomplete: false };
    next = feed(next, { type: 'model.answered', task, message, usage: null });
    next = feed(next, { type: 'task.ended', task, outcome: 'completed', exitCode: null, error: null });
  }
  return next;
}

/** A printer whose bytes are only counted. */
export async function countingPrinter(cols, rows) {
  const { createPrinter } = await load('tui/blessed.js');
  const counter = { bytes: 0 };
  const write = (text) => {
    counter.bytes += text.length;
  };
  return { printer: createPrinter({ size: { cols, rows }, colorDepth: 'truecolor', env: {}, write }), counter };
}

/** A home, a state folder and a tmux server of its own for a program that is measured; `dispose` ends and removes all. */
export function privatePlace() {
  const home = mkdtempSync(join(tmpdir(), 'buddy-bench-'));
  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    SHELL: '/bin/bash',
    HOME: home,
    TMUX_TMPDIR: home,
  };
  return {
    home,
    env,
    dispose() {
      const tmux = (...words) => spawnSync('tmux', ['-L', 'buddy', ...words], { env, encoding: 'utf8' });
      const listed = tmux('list-panes', '-a', '-F', '#{pane_pid} #{pid}');
      tmux('kill-server');
      // A shell that loses its terminal still writes its history into the home.
      waitForEnd(new Set(listed.status === 0 ? listed.stdout.trim().split(/\s+/) : []));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Waits until none of these processes is there any more. */
function waitForEnd(pids) {
  for (const pid of pids) {
    const { status } = spawnSync('tail', [`--pid=${pid}`, '-s', '0.01', '-f', '/dev/null'], { stdio: 'ignore', timeout: 10_000 });
    if (status !== 0) throw new Error(`process ${pid} of a measured program's tmux does not end`);
  }
}

/** A Host for rooms that need one, with `env` as its environment. */
export async function benchHost(env) {
  const { systemClock } = await load('base/clock.js');
  return {
    argv: [],
    env,
    cwd: env.HOME,
    homeDir: env.HOME,
    pid: process.pid,
    platform: process.platform,
    user: 'bench',
    hostname: 'bench',
    nodeVersion: process.versions.node,
    packageDir: root,
    version: '0',
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    on: () => () => undefined,
    signalSelf: () => undefined,
    exit: (code) => process.exit(code),
    memoryUsage: () => process.memoryUsage(),
    cpuUsage: () => process.cpuUsage(),
  };
}

/** Starts a program on a pty of `cols`×`rows`; `seen(pattern)` resolves with the time (performance.now) when its bytes match. */
export async function onPty(file, args, env, { cols = 200, rows = 60, cwd = env.HOME } = {}) {
  const { default: pty } = await import('node-pty');
  const startedMs = performance.now();
  const child = pty.spawn(file, args, { cols, rows, cwd, env, name: 'xterm-256color' });
  let text = '';
  let waiters = [];
  child.onData((data) => {
    text += data;
    waiters = waiters.filter((waiter) => !waiter());
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  return {
    startedMs,
    pid: child.pid,
    send: (keys) => child.write(keys),
    text: () => text,
    /** Forgets what was written so far. */
    forget: () => {
      text = '';
    },
    seen: (pattern, withinMs = 15_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(text)) return false;
          clearTimeout(timer);
          resolve(performance.now());
          return true;
        };
        const timer = setTimeout(() => {
          waiters = waiters.filter((waiter) => waiter !== look);
          reject(new Error(`${file} ${args.join(' ')} did not show ${pattern}; its last bytes: ${JSON.stringify(text.slice(-500))}`));
        }, withinMs);
        if (!look()) waiters.push(look);
      }),
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Resolves after `ms`. */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
