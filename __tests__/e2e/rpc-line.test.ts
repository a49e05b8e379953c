/** The line of rpc as any program may use it, or misuse it: a reply for each line, nothing else on standard output, and an end in order. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.dispose());

type Line = {
  readonly type?: string;
  readonly id?: unknown;
  readonly ok?: boolean;
  readonly error?: unknown;
  readonly event?: { readonly type: string };
};

/** A run on the demo; `reads` false: nobody reads what it writes. */
function start(
  args: readonly string[] = [],
  { reads = true, env = {} }: { readonly reads?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(process.execPath, [programPath(), 'rpc', ...args], { cwd: home.folder, env: { ...home.env, ...env } });
  let written = '';
  let said = '';
  if (reads) child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const lines = () =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return {
    child,
    ended,
    said: () => said,
    lines,
    replies: () => lines().filter(({ type }) => type === 'response'),
    events: () => lines().flatMap(({ event }) => (event === undefined ? [] : [event.type])),
    write: (...of: readonly (object | string | Buffer)[]) => {
      for (const line of of) {
        child.stdin.write(typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify(line));
        child.stdin.write('\n');
      }
    },
    seen: (type: string) => until(`${type} comes`, () => lines().some(({ event }) => event?.type === type)),
  };
}

test('broken lines are answered one by one, and the program goes on', async () => {
  const run = start(['--direct']);
  run.write(
    ...['', '   \t', '\r', '{"id":1,"type":"session.list"}\r', 'nonsense', '{"id":2,"type":"limits.tell"}\0'],
    ...[Buffer.from([0x7b, 0xff, 0x7d]), `{"id":3,"x":${'['.repeat(5000)}`, { id: 4, type: 'pane.resize', pane: '%0', cols: 'x', rows: 1 }],
    ...[
      `{"id":5,"type":"prompt.submit","text":"${'x'.repeat(16 * 1024 * 1024)}"}`,
      { id: 6, type: 'approval.answer', approval: 'a9', decision: 'once' },
    ],
    ...[
      { id: 'seven', type: 'context.tell', more: 1 },
      { id: 8, type: 'hello', protocol: 2 },
      { id: 9, type: 'hello', protocol: 1 },
    ],
  );
  run.child.stdin.end('{"id":10,"type":"state.tell"}');
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const refused = (id: unknown, code: string, message: string, field?: string) => ({
    ...{ type: 'response', id, ok: false },
    error: { code, message, ...(field === undefined ? {} : { field }) },
  });
  expect(run.replies().map(({ command, data, ...reply }: Line & { command?: unknown; data?: unknown }) => reply)).toEqual([
    { type: 'response', id: 1, ok: true },
    refused(null, 'rpc.line', 'the line is no JSON'),
    refused(null, 'rpc.line', 'the line is no JSON'),
    refused(null, 'rpc.line', 'the line is no UTF-8'),
    refused(null, 'rpc.line', 'the line is nested too deep'),
    refused(4, 'rpc.field', 'cols must be a whole number from 1 to 5000', 'cols'),
    refused(null, 'rpc.line', 'the line is longer than 16 MiB'),
    refused(6, 'rpc.refused', 'that question has been answered already'),
    refused('seven', 'rpc.field', 'there is no field more here', 'more'),
    refused(8, 'rpc.protocol', 'this program speaks version 1 of the protocol, not 2'),
    { type: 'response', id: 9, ok: true },
    { type: 'response', id: 10, ok: true },
  ]);
  expect(run.events().at(-1)).toBe('lifecycle.stopped');
  expect(run.said()).toBe('');
});

test('of any lines each one that is not blank has one reply, in their order', async () => {
  const harmless = fc.constantFrom(
    'session.list',
    'limits.tell',
    'context.tell',
    'tree.tell',
    'queue.recall',
    'state.tell',
    'task.cancel',
    'no.such',
  );
  const request = fc.record({ type: harmless, task: fc.oneof(fc.string(), fc.jsonValue()) }, { requiredKeys: [] });
  const lines = fc.sample(
    fc.oneof(
      fc.json(),
      request.map((value) => JSON.stringify(value)),
      fc.constant('  '),
    ),
    { numRuns: 400, seed: 11 },
  );
  const numbered = lines.map((line, id) => (/^\{/.test(line) ? line.replace('{', line === '{}' ? `{"id":${id}` : `{"id":${id},`) : line));
  const run = start(['--direct']);
  run.write(...numbered);
  run.child.stdin.end();
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const wanted = numbered.filter((line) => line.trim() !== '').map((line) => (line.startsWith('{') ? Number(/\d+/.exec(line)?.[0]) : null));
  expect(run.replies().map(({ id }) => id)).toEqual(wanted);
});

test('the end of the input is the end: a question is denied, nothing runs, no session is left', async () => {
  const run = start();
  run.write({ id: 1, type: 'prompt.submit', text: 'run touch made' });
  await run.seen('approval.requested');
  run.child.stdin.end();
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.events()).toContain('approval.resolved');
  expect(existsSync(join(home.folder, 'made'))).toBe(false);
  expect(await home.tmux('ls')).toBe('');
});

test('with --wait what was asked for is finished, what waits as well, and questions are answered with no', async () => {
  const run = start(['--direct', '--wait']);
  run.write({ type: 'approval.policy', policy: { kind: 'all' } }, { type: 'prompt.submit', text: 'run echo one' });
  run.write({ type: 'prompt.submit', text: 'run touch made' }, { type: 'approval.policy', policy: { kind: 'ask' } });
  run.child.stdin.end();
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.events().filter((type) => type === 'task.ended')).toHaveLength(2);
  expect(run.lines().filter(({ event }) => event?.type === 'approval.resolved')).toMatchObject([
    { event: { decision: 'deny' } },
    { event: { decision: 'deny' } },
  ]);
  expect(existsSync(join(home.folder, 'made'))).toBe(false);
});

test.each([['SIGTERM', 143] as const, ['SIGINT', 130] as const, ['SIGHUP', 129] as const])('%s ends it in order', async (signal, code) => {
  const run = start(['--direct']);
  run.write({ type: 'prompt.submit', text: 'run touch made' });
  await run.seen('approval.requested');
  run.child.kill(signal);
  expect(await run.ended).toEqual({ code, signal: null });
  expect(run.events().at(-1)).toBe('lifecycle.stopped');
});

test('a client that closes its side, or does not read, is no reason to go on', async () => {
  const closed = start();
  await closed.seen('pane.opened');
  closed.child.stdout.destroy();
  closed.write({ type: 'state.tell' }, { type: 'state.tell' });
  expect(await closed.ended).toEqual({ code: 1, signal: null });
  expect(closed.said()).toMatch(/^buddy-tui: standard output cannot be written to: .*EPIPE\n$/);
  expect(await home.tmux('ls')).toBe('');

  const deaf = start(['--direct'], { reads: false });
  const flood = Buffer.from('{"type":"hello","protocol":1}\n'.repeat(1000));
  for (let written = 0; written < 60; written++) deaf.child.stdin.write(flood);
  expect(await deaf.ended).toEqual({ code: 1, signal: null });
  expect(deaf.said()).toBe('buddy-tui: nobody reads standard output: more than 64 MiB wait there\n');
});

test('a target that cannot be had ends it with the reason, though the input goes on', async () => {
  const run = start([], { env: { BUDDY_TMUX_SOCKET: 'no/socket' } });
  expect(await run.ended).toEqual({ code: 2, signal: null });
  expect(run.said()).toMatch(/^buddy-tui: tmux did not make a session: /);
  expect(run.events().at(-1)).toBe('lifecycle.stopped');
});

test('what libraries print goes to standard error', async () => {
  const stray =
    'const own=console.log;setInterval(()=>{if(console.log!==own){console.log("stray");process.emitWarning("odd")}},20).unref()';
  const run = start(['--direct'], { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stray)}` } });
  await until('it is printed', () => run.said().includes('stray') && run.said().includes('odd'));
  run.child.stdin.end();
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.events().at(-1)).toBe('lifecycle.stopped');
});
