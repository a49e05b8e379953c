/** The thread of one extension: loads its module, tells what is in it, and runs of it what is asked for. An entry of the bundle of its own. */

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import type { FromThread, ThreadInput, ToThread } from './messages.js';

/** Output is told so often (milliseconds), or when there is so much of it (characters). */
const REPORT_MS = 30;
const LARGEST_REPORT = 64 * 1024;

type Run = (input: unknown, context: unknown) => unknown;

/** The functions of the extension, by what they are and their name. */
type Functions = ReadonlyMap<string, Run>;

const { path, api, cwd } = workerData as ThreadInput;
const running = new Map<number, AbortController>();

function say(message: FromThread): void {
  parentPort?.postMessage(JSON.stringify(message));
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The default export of the module. TypeScript is erased on the way; nothing is kept on the disk. */
async function load(): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(pathToFileURL(path).href, { fsCache: false, alias: { 'buddy-tui/extension': api }, interopDefault: false });
  const module = (await jiti.import(path)) as Record<string, unknown>;
  const extension = module['default'];
  if (typeof extension === 'object' && extension !== null) return extension as Record<string, unknown>;
  throw new Error(Object.keys(module).length === 0 ? 'it exports nothing' : 'its default export is no object with a name');
}

/** All of it that JSON can say, and its functions, each of them with its object as `this`. Throws an Error for hooks that could never be asked. */
function taken(extension: Record<string, unknown>): { readonly manifest: unknown; readonly functions: Functions } {
  const functions = new Map<string, Run>();
  const without = (what: 'tool' | 'command' | 'stream', key: 'run' | 'stream', has: 'runs' | 'streams', list: unknown) =>
    !Array.isArray(list)
      ? list
      : list.map((entry: unknown) => {
          if (typeof entry !== 'object' || entry === null) return entry;
          const { [key]: run, ...rest } = entry as Record<string, unknown>;
          if (typeof run === 'function') functions.set(`${what} ${String(rest['name'])}`, (run as Run).bind(entry));
          return { ...rest, [has]: typeof run === 'function' };
        });
  const hooks = hooksOf(extension['hooks']);
  for (const [name, run] of hooks) functions.set(`hook ${name}`, run.bind(extension['hooks']));
  const manifest = {
    ...extension,
    tools: without('tool', 'run', 'runs', extension['tools']),
    commands: without('command', 'run', 'runs', extension['commands']),
    providers: without('stream', 'stream', 'streams', extension['providers']),
    hooks: hooks.map(([name]) => name),
  };
  return { manifest, functions };
}

/** A guard that would be passed over is worse than none: whatever is not as it must be is a fault. */
function hooksOf(hooks: unknown): readonly (readonly [string, Run])[] {
  if (hooks === undefined || hooks === null) return [];
  const isPlain = typeof hooks === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(hooks));
  if (!isPlain) throw new Error('"hooks" must be a plain object of functions');
  return Object.entries(hooks).flatMap(([name, run]: [string, unknown]): readonly (readonly [string, Run])[] => {
    if (run === undefined) return [];
    if (typeof run !== 'function') throw new Error(`hook ${name} must be a function`);
    return [[name, run as Run]];
  });
}

async function answer(message: Extract<ToThread, { type: 'ask' }>, functions: Functions): Promise<void> {
  const { id, what, name, input } = message;
  const abort = new AbortController();
  running.set(id, abort);
  const output = new Output(id);
  const context = {
    signal: abort.signal,
    cwd,
    log: (text: unknown) => say({ type: 'log', text: String(text) }),
    notify: (text: unknown) => say({ type: 'notify', text: String(text) }),
    setWidget: (of: unknown, widget: unknown) => say({ type: 'widget', id: String(of), widget }),
    report: (text: unknown) => output.add(String(text)),
  };
  try {
    const run = functions.get(`${what} ${name}`);
    if (run === undefined) throw new Error(`it has no ${what} ${name}`);
    const value = await (what === 'stream' ? streamed(run(input, context), output) : run(input, context));
    output.flush();
    say({ type: 'answer', id, value: value ?? null });
  } catch (thrown) {
    say({ type: 'thrown', id, why: wordsOf(thrown) });
  } finally {
    running.delete(id);
  }
}

/** The pieces of an answer, a JSON text a line. */
async function streamed(pieces: unknown, output: Output): Promise<null> {
  for await (const piece of pieces as AsyncIterable<unknown>) output.add(`${JSON.stringify(piece)}\n`);
  return null;
}

/** Output on its way: many small pieces become one message. */
class Output {
  readonly #id: number;
  #text = '';
  #timer: Disposable | null = null;

  constructor(id: number) {
    this.#id = id;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > LARGEST_REPORT) this.flush();
    else this.#timer ??= systemClock.after(REPORT_MS, () => this.flush());
  }

  flush(): void {
    this.#timer?.dispose();
    this.#timer = null;
    if (this.#text !== '') say({ type: 'report', id: this.#id, text: this.#text });
    this.#text = '';
  }
}

/** Hears from the first moment on: whoever is loading for ever gives no sign of life. */
function listen(functions: Promise<Functions>): void {
  parentPort?.on('message', (text: string) => {
    const message = JSON.parse(text) as ToThread;
    if (message.type === 'ping') say({ type: 'pong', id: message.id });
    else if (message.type === 'abort') running.get(message.id)?.abort();
    else void functions.then((of) => answer(message, of));
  });
}

const loading = load().then(taken);
const loaded = loading.then(({ functions }) => functions);
// Told below.
loaded.catch(() => undefined);
listen(loaded);
await loading.then(
  ({ manifest }) => say({ type: 'loaded', manifest }),
  (thrown: unknown) => say({ type: 'unloadable', why: wordsOf(thrown) }),
);
