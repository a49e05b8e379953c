/** The thread of one extension: loads its module, tells what is in it, and runs of it what is asked for. An entry of the bundle of its own. */

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadInput, ToThread } from './messages.js';

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

/** All of it that JSON can say, and its functions. */
function taken(extension: Record<string, unknown>): { readonly manifest: unknown; readonly functions: Functions } {
  const functions = new Map<string, Run>();
  const withRun = (what: 'tool' | 'command', list: unknown) =>
    (Array.isArray(list) ? (list as Record<string, unknown>[]) : []).map(({ run, ...rest }) => {
      if (typeof run === 'function') functions.set(`${what} ${String(rest['name'])}`, run as Run);
      return { ...rest, runs: typeof run === 'function' };
    });
  const hooks = Object.entries((extension['hooks'] ?? {}) as Record<string, unknown>);
  for (const [name, run] of hooks) if (typeof run === 'function') functions.set(`hook ${name}`, run as Run);
  const manifest = {
    ...extension,
    tools: withRun('tool', extension['tools']),
    commands: withRun('command', extension['commands']),
    hooks: hooks.map(([name]) => name),
  };
  return { manifest, functions };
}

async function answer(message: Extract<ToThread, { type: 'ask' }>, functions: Functions): Promise<void> {
  const { id, what, name, input } = message;
  const abort = new AbortController();
  running.set(id, abort);
  const context = {
    signal: abort.signal,
    cwd,
    log: (text: unknown) => say({ type: 'log', text: String(text) }),
    notify: (text: unknown) => say({ type: 'notify', text: String(text) }),
    setWidget: (of: unknown, widget: unknown) => say({ type: 'widget', id: String(of), widget }),
    report: (text: unknown) => say({ type: 'report', id, text: String(text) }),
  };
  try {
    const run = functions.get(`${what} ${name}`);
    if (run === undefined) throw new Error(`it has no ${what} ${name}`);
    const value = await run(input, context);
    say({ type: 'answer', id, value: value ?? null });
  } catch (thrown) {
    say({ type: 'thrown', id, why: wordsOf(thrown) });
  } finally {
    running.delete(id);
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
